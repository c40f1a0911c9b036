/// The version of the program.
enum Version {
    /// The number, as `--version` shows it.
    static let number = "0.1.0"
    /// The date of the manual pages.
    static let date = "November 20, 2026"
}
