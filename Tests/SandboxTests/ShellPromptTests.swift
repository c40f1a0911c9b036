import Foundation
import TestSupport
import Testing

@Suite("The prompt of a shell of --run") struct ShellPromptTests {
    @Test("bash shows where it is in its prompt, also when its own file sets another")
    func bash() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("PS1='mine> '\n", to: "bashrc")
        for (options, prompt) in [(["--norc"], "(oap-sandbox) $ "), (["--rcfile", file], "(oap-sandbox) mine> ")] {
            var shell = Program.sandbox(["--run", "/bin/bash"] + options + ["-i"])
            shell.input = .text("true\n")
            let shown = try shell.run().expect(status: 0).errorText
            #expect(shown.contains(prompt) && !shown.contains(prompt + prompt), "\(shown)")
        }
    }

    @Test("fish shows where it is in its prompt, and leaves nothing behind")
    func fish() throws {
        let folder = try TemporaryDirectory()
        var program = Program.sandbox(["--run", "fish", "--interactive", "--command", "fish_prompt"])
        program.environment["TMPDIR"] = folder.path
        #expect(try program.run().expect(status: 0).text.contains("(oap-sandbox) "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("bash runs the user's own PROMPT_COMMAND first, with the exit status of the last command")
    func promptCommand() throws {
        var shell = Program.sandbox(["--run", "/bin/bash", "--norc", "-i"])
        shell.environment["PROMPT_COMMAND"] = "PS1=\"status $?> \";"
        shell.input = .text("false\n")
        let shown = try shell.run().expect(status: 1).errorText
        #expect(shown.contains("(oap-sandbox) status 0> ") && shown.contains("(oap-sandbox) status 1> "), "\(shown)")
    }

    @Test(
        "zsh shows where it is in front of the user's own prompt, and reads all files of the user",
        arguments: [nil, "it's $(mine)"])
    func zsh(folder: String?) throws {
        let home = try TemporaryDirectory()
        let prefix = folder.map { $0 + "/" } ?? ""
        for name in ["zshenv", "zprofile", "zshrc", "zlogin"] {
            try home.write("files+=(\(name):${ZDOTDIR-none})\n", to: "\(prefix).\(name)")
        }
        try home.write(
            """
            files+=(zshrc:${ZDOTDIR-none})
            PROMPT='mine> ' HISTFILE=${ZDOTDIR:-$HOME}/.zsh_history
            """, to: "\(prefix).zshrc")
        let own = folder.map(home.path) ?? home.path
        let temporary = try TemporaryDirectory()
        var shell = Program.sandbox(["--run", "zsh", "--login", "-i"])
        shell.environment = ["HOME": home.path, "TMPDIR": temporary.path]
        shell.environment["ZDOTDIR"] = folder.map(home.path)
        shell.input = .text("print -rl -- $files $HISTFILE\nzsh -c 'print -r -- ${ZDOTDIR-none}'\n")
        let result = try shell.run().expect(status: 0)
        let place = folder == nil ? "none" : own
        let files = ["zshenv", "zprofile", "zshrc", "zlogin"].map { "\($0):\(place)" }
        #expect(result.text == (files + [own + "/.zsh_history", place, ""]).joined(separator: "\n"))
        let shown = result.errorText
        #expect(shown.contains("(oap-sandbox) mine> ") && !shown.contains("(oap-sandbox) (oap-sandbox)"), "\(shown)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test("zsh shows where it is also in a prompt that a function sets each time")
    func zshTheme() throws {
        let home = try TemporaryDirectory()
        try home.write("theme() { PROMPT=\"$? theme> \" }\nprecmd_functions+=(theme)\n", to: ".zshrc")
        var shell = Program.sandbox(["--run", "zsh", "-i"])
        shell.environment = ["HOME": home.path]
        shell.input = .text("false\ntrue\n")
        let shown = try shell.run().expect(status: 0).errorText
        let prompts = shown.components(separatedBy: "(oap-sandbox) ").dropFirst().map { $0.prefix(8) }
        #expect(prompts == ["0 theme>", "1 theme>", "0 theme>"], "\(shown)")
    }

    @Test("zsh without files of the user has the prompt of --run")
    func zshAlone() throws {
        var shell = Program.sandbox(["--run", "zsh", "-f", "-i"])
        shell.input = .text("true\n")
        #expect(try shell.run().expect(status: 0).errorText.contains("(oap-sandbox) $ "))
    }
}
