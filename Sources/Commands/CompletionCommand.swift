internal import CommandSpec

/// `oap completion`: the completion script of a shell.
enum CompletionCommand {
    private static func run(_ session: Session) throws(Failure) -> Exit {
        let script =
            switch session.arguments.operand(0) {
            case "bash": session.program().bashCompletion
            case "zsh": session.program().zshCompletion
            default: session.program().fishCompletion
            }
        try ByteSink.print(script)
        return .done
    }

    /// The command.
    static let command = Command(
        "completion", section: "Set up", summary: "print a completion script for a shell",
        description: description,
        operands: [
            Operand(
                "SHELL", choices: ["bash", "zsh", "fish"], summary: "the shell",
                details: "The shell that will read the script.")
        ],
        examples: examples, seeAlso: [ManualReference("oap", 1)], writesErrorDocuments: false, run: run)

    private static let description = "Prints the completion script for a shell, to be loaded when the shell starts."

    private static let examples = [
        Example("In bash, for this session.", command: "eval \"$(oap completion bash)\""),
        Example(
            "In fish, for good.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/fish/completions
                oap completion fish > ${XDG_CONFIG_HOME:-~/.config}/fish/completions/oap.fish
                """),
    ]
}
