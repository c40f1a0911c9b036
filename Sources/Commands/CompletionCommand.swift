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
                details: "The shell that loads the script: `bash`, `zsh` or `fish`.")
        ],
        options: [StoredNames.list], examples: examples, seeAlso: [ManualReference("oap", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Prints a completion script for a shell. The shell must load the script each time that the shell starts; see \
        EXAMPLES. With this script, the shell completes commands, options, files (also after `@`, as in \
        `-d @FILE`), values of options, placeholders of presets (`oap-providers(7)`), and names of profiles and stored \
        tokens. `oap-sandbox --completion SHELL` prints the script for `oap-sandbox`.
        """

    private static let examples = [
        Example("Load the script in this session of bash.", command: "eval \"$(oap completion bash)\""),
        Example(
            "Install the script for bash. Add the line `. ~/.config/oap/completion.bash` to `~/.bashrc`.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap
                oap completion bash > ${XDG_CONFIG_HOME:-~/.config}/oap/completion.bash
                """),
        Example(
            "Install the script for zsh. Add `fpath=(~/.config/oap/zsh $fpath)` to `~/.zshrc`, before `compinit`.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap/zsh
                oap completion zsh > ${XDG_CONFIG_HOME:-~/.config}/oap/zsh/_oap
                """),
        Example(
            "Install the script for fish.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/fish/completions
                oap completion fish > ${XDG_CONFIG_HOME:-~/.config}/fish/completions/oap.fish
                """),
    ]
}
