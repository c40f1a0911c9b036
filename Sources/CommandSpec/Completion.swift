/// The shell completion for the value of an option or for an operand.
package enum Completion: Sendable, Equatable {
    /// None: any text is allowed.
    case nothing
    /// The names of files.
    case files
    /// The names of directories.
    case directories
    /// These words; others are allowed too.
    case words([String])
}
