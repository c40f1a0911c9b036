internal import CommandSpec

/// The manual page `oap-options(7)`: the options that many commands have.
enum OptionsPage {
    /// The name of the page.
    static let name = "oap-options"

    /// The headings of options that come last in each command, in this order.
    static let lastHeadings = [
        "Login", "Browser", "Listening", "Request", "Body", "Retries", "Pages", "Streams", "Batch", "Another token",
        "Client", "Server", "Input", "Output", "Transport", "General",
    ]

    /// The page.
    static func page(of program: ProgramRecord) -> ManualPage {
        guard let page = program.optionsPage(summary: "options that many oap commands have", description: description)
        else { preconditionFailure("the program names no page of options") }
        return page
    }

    private static let description = """
        The options of this page have the same meaning in every command that has them. The page of each command lists \
        the options that the command has. Options may be given before or after the operands. `--name VALUE` and \
        `--name=VALUE` mean the same. One-letter options may be joined, as in `-rq FILTER`. `--` ends the options. \
        Options cannot be abbreviated. If an option may be given more than once, its description says so. For every \
        other option, `oap` uses only the last value.

        The options of the sections Client and Server set members of the client document (`oap-documents(5)`).
        """
}
