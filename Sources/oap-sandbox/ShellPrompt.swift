internal import CSandboxTexts
internal import Glibc
internal import Wire

/// What puts a mark in front of a shell's prompt. The user's own files set the prompt when the shell starts, so the mark is
/// added later, before the prompt is shown.
enum ShellPrompt {
    private static let mark = "(oap-sandbox) "

    /// The variables for `sh` and `bash`. What the user's own `PROMPT_COMMAND` does comes first: it may need the exit status
    /// of the last command, and it may set the prompt.
    static var variables: [String] {
        let own = variable("PROMPT_COMMAND").map { $0 + "\n" } ?? ""
        return [
            "PS1=\(mark)$ ", "PROMPT_COMMAND=\(own)case $PS1 in '\(mark)'*) ;; *) PS1='\(mark)'$PS1 ;; esac",
        ]
    }

    /// The file `config.fish`: fish reads no `PS1`.
    static var fish: String { String(cString: oap_sandbox_text("prompt.fish")).filling(["mark": mark]) }

    /// The file `.zshenv`, which zsh reads first. From here on `ZDOTDIR` is the user's again, for all files of the user.
    static var zsh: String {
        let restore = variable("ZDOTDIR").map { "export ZDOTDIR=\($0.shellWord)" } ?? "unset ZDOTDIR"
        return String(cString: oap_sandbox_text("prompt.zsh")).filling(["mark": mark, "restore": restore])
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
