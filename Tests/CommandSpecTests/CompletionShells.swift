import Foundation

@testable import CommandSpec

/// A folder with the completion scripts of the sample programs, and the shells that are asked in it.
struct CompletionShells {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(files: [
            "oap.bash": Sample.program.bashCompletion, "_oap": Sample.program.zshCompletion,
            "oap.fish": Sample.program.fishCompletion, "sandbox.bash": Sample.runner.bashCompletion,
            "_oap-sandbox": Sample.runner.zshCompletion, "sandbox.fish": Sample.runner.fishCompletion,
            "choose.bash": Sample.chooser.bashCompletion, "_oap-choose": Sample.chooser.zshCompletion,
            "choose.fish": Sample.chooser.fishCompletion,
            "oap": fakeProgram, "oap-demo": "", "data.json": "", "my file.json": "", "tokens.json": "",
            "bashrc": bashrc,
            ".zshrc": zshrc,
            "terminal.zsh": onTerminal,
        ])
        for name in ["oap", "oap-demo"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
        }
        for name in ["tokens", "folder"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try "".write(toFile: folder.path("folder/x=@y.json"), atomically: false, encoding: .utf8)
    }

    /// The variables with which the shells find the fake program first.
    private var path: [String: String] { ["PATH": "\(folder.url.path):/usr/bin:/bin"] }

    /// What bash's completion function answers for a line, with the option that it asks readline for.
    func bash(_ line: String) throws -> [String] {
        // As readline does it: words end at spaces, and = : @ are words of their own.
        var words: [String] = [""]
        for character in line {
            switch character {
            case " ": words += words.last == "" ? [] : [""]
            case "=", ":", "@":
                words += words.last == "" ? [] : [""]; words[words.count - 1].append(character); words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        if let last = line.last, "=:@".contains(last) { words.removeLast() }
        let script = """
            compopt() { echo "compopt $*"; }
            source oap.bash
            source sandbox.bash
            source choose.bash
            COMP_LINE=$1 COMP_POINT=${#1}
            shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _${1//-/_}
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Shell.run(
            "bash", ["--norc", "-c", script, "bash", line] + words, environment: path, in: folder.url)
        return result.output.split(separator: "\n").map(String.init)
    }

    /// What fish offers for a line, with the descriptions.
    func fish(_ line: String) throws -> [String] {
        let script = "source oap.fish; source sandbox.fish; source choose.fish; complete -C $argv[1]"
        let home = path.merging(["XDG_CONFIG_HOME": folder.path(".config"), "XDG_DATA_HOME": folder.path(".data")]) {
            $1
        }
        let result = try Shell.run(
            "fish", ["--no-config", "-c", script, line], environment: home, in: folder.url)
        return result.output.split(separator: "\n").map(String.init)
    }

    /// What a line has become after a tab, typed into an interactive shell; with `list`, what was shown on the way.
    func typed(_ line: String, into shell: String, _ options: String...) throws -> String {
        // A shell that never answers must not keep the tests waiting.
        let words = ["60", "zsh", "-f", "terminal.zsh", shell, line] + options
        return try Shell.run(
            "timeout", words, environment: path.merging(["ZDOTDIR": folder.url.path]) { $1 }, in: folder.url
        ).output
    }
}

/// The program that prints names, and what nobody asked for on standard error.
private let fakeProgram = """
    #!/bin/sh
    echo "a message about $*" >&2
    [ "$*" = 'completion --list tokens' ] && printf '%s\\n' n-1.x_y work work@home:2
    """

/// Sets bash up to print the line that is being edited when it gets a control-G.
private let bashrc = """
    PS1=READY PS2=
    bind 'set enable-bracketed-paste off'
    source oap.bash
    source sandbox.bash
    source choose.bash
    show() { printf '{{%s}}' "$READLINE_LINE"; }
    bind -x '"\\C-g": show'
    """

/// Sets zsh up likewise, with the script found as `compinit` finds it.
private let zshrc = """
    PROMPT=READY RPROMPT= PROMPT_EOL_MARK=
    unset zle_bracketed_paste
    fpath=($ZDOTDIR $fpath)
    autoload -Uz compinit && compinit -u -D
    zstyle ':completion:*' insert-tab false
    show() { print -rn -- "{{$BUFFER}}" }
    zle -N show
    bindkey '^G' show
    """

/// Types a line and a tab into a shell on a pseudo-terminal of zsh's own, and prints what the line has become.
private let onTerminal = #"""
    zmodload zsh/zpty
    case $1 in
    bash) zpty shell 'bash --noprofile --rcfile bashrc -i' ;;
    zsh) zpty shell 'zsh -i' ;;
    esac
    zpty -r shell output '*READY'
    zpty -w -n shell "$2"$'\t\a'
    zpty -r shell output '*{{*}}'
    if [[ $3 == list ]]; then
        print -r -- "$output"
    else
        output=${output##*\{\{}
        print -rn -- "${output%\}\}}"
    fi
    zpty -d shell
    """#
