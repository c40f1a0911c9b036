internal import CommandSpec

/// The manual page `oap-options(7)`: the options that many commands have.
enum OptionsPage {
    /// The name of the page.
    static let name = "oap-options"

    /// The headings of options that come last in each command, in this order.
    static let lastHeadings = ["Client", "Server", "Input", "Output", "Transport", "General"]

    /// The page.
    static func page(of program: ProgramRecord) -> ManualPage {
        guard let page = program.optionsPage(summary: "options that many oap commands have", description: description)
        else { preconditionFailure("the program names no page of options") }
        return page
    }

    private static let description = """
        These options have the same meaning in every command that has them; the page of a command names the options \
        that it has. Options may be given before or after the operands. If an option is given twice, the last one \
        counts, except where its description allows more than one. `--name VALUE` and `--name=VALUE` are the same, \
        letters may be joined (`-rq FILTER`), and `--` ends the options. Options cannot be abbreviated.

        The options of the sections Client and Server set members of the client document (`oap-documents(5)`).
        """
}
