/// The layout of JSON text, as `jq` of Debian 12 prints it with `-c`, without options, and with `-C`.
package struct JSONStyle: Sendable, Equatable {
    /// One member or element a line, indented by two spaces a level; compact otherwise.
    package var isPretty: Bool
    /// With the colours of `jq -C` as terminal escape sequences.
    package var isColored: Bool

    package init(isPretty: Bool = false, isColored: Bool = false) {
        self.isPretty = isPretty
        self.isColored = isColored
    }
}
