internal import CommandSpec

/// `oap completion`: the completion script of a shell.
enum CompletionCommand {
    private static func run(_ session: Session) throws(Failure) -> Exit {
        if let kind = session.arguments.value(StoredNames.list).flatMap(StoredNames.init) {
            guard session.arguments.operands.isEmpty else { throw .usage("--list and a shell exclude each other") }
            try ByteSink.print(kind.names(in: session.environment).map { $0 + "\n" }.joined())
            return .done
        }
        try ByteSink.print(session.program().completion(for: session.arguments.operand(0) ?? ""))
        return .done
    }

    /// The command.
    static let command = Command(
        "completion", section: "Set up", summary: "print a completion script for a shell",
        description: description,
        operands: [
            Operand(
                "SHELL", unless: StoredNames.list, choices: ["bash", "zsh", "fish"], summary: "the shell",
                details: "The shell that will read the script.")
        ],
        options: [StoredNames.list], examples: examples, seeAlso: [ManualReference("oap", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Prints the completion script for a shell, to be loaded when the shell starts. It completes commands, options, \
        files, the values of options, variables of presets, and the names of profiles and stored tokens. \
        `oap-sandbox --completion SHELL` prints the script for `oap-sandbox`.
        """

    private static let examples = [
        Example("In bash, for this session.", command: "eval \"$(oap completion bash)\""),
        Example(
            "In bash, for good, with `. ~/.config/oap/completion.bash` in `~/.bashrc`.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap
                oap completion bash > ${XDG_CONFIG_HOME:-~/.config}/oap/completion.bash
                """),
        Example(
            "In zsh, for good, with `fpath=(~/.config/oap/zsh $fpath)` in `~/.zshrc` before `compinit`.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap/zsh
                oap completion zsh > ${XDG_CONFIG_HOME:-~/.config}/oap/zsh/_oap
                """),
        Example(
            "In fish, for good.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/fish/completions
                oap completion fish > ${XDG_CONFIG_HOME:-~/.config}/fish/completions/oap.fish
                """),
    ]
}
