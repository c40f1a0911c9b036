internal import Wire

/// A value that has a name in JOSE's registries, compared by code points. (`init(rawValue:)` would also take a canonically
/// equivalent spelling: the Kelvin sign for the K of `OKP`.)
package protocol WireName: RawRepresentable<String>, CaseIterable {}

extension WireName {
    /// The value of an exact name; nil for one that is not known.
    package init?(named name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.isIdentical(to: name) }) else { return nil }
        self = known
    }
}
