internal import CommandSpec

/// A command: its record and what it does.
struct Command: Sendable {
    /// What its manual, its help and its parser say.
    let record: CommandRecord
    /// Whether its failures become error documents on standard output (oap-documents(5)).
    let writesErrorDocuments: Bool
    /// Does the work.
    let run: @Sendable (Session) throws(Failure) -> Exit
}
