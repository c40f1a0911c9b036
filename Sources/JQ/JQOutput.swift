internal import CLibJQ
package import Wire

package struct JQOutput: Sendable, Equatable {
    /// The text in the requested style, without a line end.
    package let bytes: [UInt8]
    /// The output is `false` or `null`, which `-e` turns into exit status 1 when it is the last.
    package let isFalseOrNull: Bool
}

/// The format for the outputs of a filter.
package struct JQOutputStyle: Sendable, Equatable {
    /// The layout of outputs that are not raw.
    package var json: JSONStyle
    /// Whether strings are written without quotes, escapes and colour (`jq -r`).
    package var isRaw: Bool

    package init(json: JSONStyle = JSONStyle(), isRaw: Bool = false) { (self.json, self.isRaw) = (json, isRaw) }

    /// The style as flags of `jv_dump_string`.
    var dumpFlags: Int32 {
        let indentation = json.isPretty ? JV_PRINT_PRETTY.rawValue | JV_PRINT_SPACE1.rawValue : 0
        return Int32(indentation | (json.isColored ? JV_PRINT_COLOR.rawValue : 0))
    }
}
