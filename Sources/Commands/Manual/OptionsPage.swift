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
        The options of this page have the same meaning in every command that has them. The page of each command lists \
        those that it has. Options may be given before or after the operands. `--name VALUE` and `--name=VALUE` mean \
        the same. Letters may be joined, as in `-rq FILTER`. `--` ends the options. Options cannot be abbreviated. If \
        an option is given twice, the last one is used, unless its description says that it may be given more than \
        once.

        The options of the sections Client and Server set members of the client document (`oap-documents(5)`).
        """
}
