/// The version of the programs, which are released together.
package enum Version {
    /// The number, as `--version` shows it.
    package static let number = "0.1.0"
    /// The date of the manual pages.
    package static let date = "November 20, 2026"
}
