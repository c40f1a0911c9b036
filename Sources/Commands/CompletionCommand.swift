internal import CommandSpec
internal import Shell
internal import Sessions

/// `oap completion`: the completion script of a shell.
enum CompletionCommand {
    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let kind = arguments.value(StoredNames.list).flatMap(StoredNames.init)
        let names = kind?.names(in: session.environment).map { $0 + "\n" }.joined()
        try ByteSink.print(names ?? session.program().completion(for: arguments.operand(0) ?? ""))
        return .done
    }

    static let command = Command(
        "completion", section: "Set up", summary: "print a completion script for a shell",
        operands: [
            Operand("SHELL", unless: StoredNames.list, choices: ["bash", "zsh", "fish"], summary: "the shell")
        ],
        options: [StoredNames.list],
        writesErrorDocuments: false, run: run)
}
