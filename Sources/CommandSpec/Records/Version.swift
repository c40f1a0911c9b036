/// The version of the programs, which are released together.
package enum Version {
    package static let number = "0.1.0"
    /// The date of the manual pages.
    package static let date = "November 20, 2026"
    /// The commit: `git archive` puts it in (gitattributes(5), export-subst). Nil in a build of a checkout.
    package static let commit: String? = expanded("$Format:%h$")

    /// The number and the commit, as `--version` shows them.
    package static let text = commit.map { "\(number) (\($0))" } ?? number

    private static func expanded(_ text: String) -> String? { text.hasPrefix("$") ? nil : text }
}
