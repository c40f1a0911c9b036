import Testing

/// A block of shell commands that a reader is shown, to be typed into bash.
struct ShownCommands: Sendable, Equatable {
    /// Where it stands: the page and the number of its first line.
    let place: String
    /// The lines of the block.
    let text: String
    /// What the page says that it prints, without the last line end; nil where the page does not say it.
    var output: String?

    /// Records what is not as the page says.
    func check(_ outcome: ExampleSession.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        let shown = output.map { $0 + "\n" }
        guard outcome.status != 0 || shown ?? outcome.output != outcome.output else { return }
        Issue.record(
            """
            \(place): \(outcome.status == 0 ? "another output" : "exit status \(outcome.status)")
            \(text)
            \(shown.map { "--- the page shows\n\($0)" } ?? "")--- standard output
            \(outcome.output)--- standard error
            \(outcome.errorOutput)
            """, sourceLocation: sourceLocation)
    }
}
