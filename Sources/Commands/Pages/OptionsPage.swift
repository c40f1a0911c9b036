internal import CommandSpec

/// The manual page `oap-options(7)`: the options that many commands have.
enum OptionsPage {
    static let name = "oap-options"

    /// The headings of options that come last in each command, in this order.
    static let lastHeadings = [
        "Login", "Browser", "Listening", "Request", "Body", "Retries", "Pages", "Streams", "Batch", "Another token",
        "Client", "Server", "Input", "Output", "Transport", "General",
    ]

    static func page(of program: ProgramRecord) -> ManualPage {
        guard
            let page = program.optionsPage(
                summary: "options that many oap commands have", description: Manual.options.description)
        else { preconditionFailure("the program names no page of options") }
        return page
    }
}
