import Foundation
import Testing

@testable import CommandSpec

/// The completion scripts, asked by the shells themselves.
@Suite struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(files: [
            "oap.bash": Sample.program.bashCompletion, "_oap": Sample.program.zshCompletion,
            "oap.fish": Sample.program.fishCompletion, "sandbox.bash": Sample.runner.bashCompletion,
            "_oap-sandbox": Sample.runner.zshCompletion, "sandbox.fish": Sample.runner.fishCompletion,
            "choose.bash": Sample.chooser.bashCompletion, "_oap-choose": Sample.chooser.zshCompletion,
            "choose.fish": Sample.chooser.fishCompletion,
            "oap": fakeProgram, "oap-demo": "", "data.json": "", "tokens.json": "", "bashrc": bashrc,
            ".zshrc": zshrc,
            "terminal.zsh": onTerminal,
        ])
        for name in ["oap", "oap-demo"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
        }
        try FileManager.default.createDirectory(atPath: folder.path("tokens"), withIntermediateDirectories: false)
    }

    /// The variables with which the shells find the fake program first.
    private var path: [String: String] { ["PATH": "\(folder.url.path):/usr/bin:/bin"] }

    // MARK: bash

    /// What bash's completion function answers for a line, with the option that it asks readline for.
    private func bash(_ line: String) throws -> [String] {
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

    @Test(
        "bash completes commands, options and values",
        arguments: [
            ("oap a", ["authurl"]), ("oap ", ["authurl", "call", "store", "run", "verify"]), ("oap --v", ["--version"]),
            ("oap authurl --cl", ["--client-id", "--client-secret-file"]), ("oap call --cl", []),
            ("oap call --he", ["--header", "--help"]), ("oap --version a", ["authurl"]),
            ("oap authurl --code-challenge-method ", ["S256", "plain"]),
            ("oap authurl --code-challenge-method=p", ["plain"]),
            ("oap authurl --code-challenge-method=", ["S256", "plain"]),
            ("oap authurl --grant urn:", ["example:grant"]), ("oap authurl --grant=urn:ex", ["example:grant"]),
            ("oap authurl --grant=cl", ["client_credentials"]), ("oap authurl --client-id ", []),
            ("oap store ", ["put", "get", "list"]), ("oap store --folder put ", ["put", "get", "list"]),
            ("oap store get w", ["work", "work@home:2"]), ("oap store get work@", ["@home:2"]),
            ("oap store get work@home:", ["2"]), ("oap store list w", []), ("oap store get work w", []),
            ("oap store --folder list get n", ["n-1.x_y"]), ("oap store put ho", ["host=", "hop"]),
            ("oap store put hos", ["compopt -o nospace", "host="]), ("oap run work w", []),
            ("oap run w", ["work", "work@home:2"]), ("oap run work -- oap-dem", ["oap-demo"]),
            ("oap run -- oap-dem", ["oap-demo"]), ("oap run work -- oap-demo da", ["compopt -o default"]),
            ("oap-sandbox --f", ["--folder"]), ("oap-sandbox --folder x oap-dem", ["oap-demo"]),
            ("oap-sandbox oap-demo --f", ["compopt -o default"]),
            ("oap store --folder=x g", ["get"]),
            ("oap store --folder= ", ["put", "get", "list"]), ("oap store -- -", []),
            ("oap authurl --arg --par ", []),
            ("oap authurl --arg x --par --c", ["--client-id", "--client-secret-file", "--code-challenge-method"]),
            ("oap authurl -nq --scope --j", ["--jq"]), ("oap authurl -q. --j", ["--jq"]),
            ("oap authurl --output ", ["compopt -o default"]), ("oap authurl -no da", ["compopt -o default"]),
            ("oap authurl --output=da", ["compopt -o default"]), ("oap verify a b", ["compopt -o default"]),
            ("oap store --folder ", ["compopt -o dirnames -o filenames"]), ("oap bogus x", []),
        ])
    func bashCompletion(_ line: String, _ expected: [String]) throws {
        #expect(try bash(line) == expected)
    }

    @Test(
        "bash completes an operand by the value of an option",
        arguments: [
            ("oap-choose login x --provider keycloak ", ["compopt -o nospace", "host=", "realm="]),
            ("oap-choose login x --provider=kc ", ["compopt -o nospace", "host=", "realm="]),
            ("oap-choose login --provider auth0 x d", ["compopt -o nospace", "domain="]),
            ("oap-choose login x -P auth0 ", ["compopt -o nospace", "domain="]),
            ("oap-choose login x -nPauth0 ", ["compopt -o nospace", "domain="]),
            ("oap-choose login x --provider kc --provider auth0 ", ["compopt -o nospace", "domain="]),
            ("oap-choose login x --provider kc --output auth0 ", ["compopt -o nospace", "host=", "realm="]),
            ("oap-choose login x --provider kc host=a ", ["compopt -o nospace", "realm="]),
            ("oap-choose login x host=a realm=b --provider kc ", []),
            ("oap-choose login x ", []), ("oap-choose login x --provider other ", []),
            ("oap-choose login keycloak --provider other ", []),
            ("oap-choose login --provider keycloak h", ["home", "hotel"]),
        ])
    func bashChoice(_ line: String, _ expected: [String]) throws {
        #expect(try bash(line) == expected)
    }

    // MARK: fish

    @Test(
        "fish completes commands, options and values",
        arguments: [
            ("oap au", ["authurl\tmake the authorization request"]), ("oap --v", ["--version\tprint the versions"]),
            ("oap authurl --client-i", ["--client-id\tthe client's identifier"]), ("oap call --client-i", []),
            ("oap authurl --code-challenge-method p", ["plain\thow the verifier is hashed"]),
            ("oap authurl --code-challenge-method=p", ["--code-challenge-method=plain\thow the verifier is hashed"]),
            ("oap authurl --client-id da", []), ("oap authurl --output da", ["data.json"]),
            ("oap authurl -o da", ["data.json"]),
            ("oap store ", ["get", "list", "put"]), ("oap verify da", ["data.json"]), ("oap call da", []),
            ("oap store --folder da", []), ("oap store --folder tok", ["tokens/\tDirectory"]),
            ("oap store get ", ["n-1.x_y", "work", "work@home:2"]), ("oap store get work@", ["work@home:2"]),
            ("oap store list ", []), ("oap store get work ", []), ("oap store --folder list get n", ["n-1.x_y"]),
            ("oap store --folder=list put ho", ["hop", "host="]), ("oap run work w", []), ("oap run n", ["n-1.x_y"]),
            ("oap run work -- oap-dem", ["oap-demo\tcommand"]), ("oap run -- oap-dem", ["oap-demo\tcommand"]),
            ("oap run work -- oap au", ["authurl\tmake the authorization request"]),
            ("oap-sandbox --fo", ["--folder\twhere the tokens lie"]),
            ("oap-sandbox --folder x oap-dem", ["oap-demo\tcommand"]), ("oap-sandbox oap --cl", []),
            ("oap authurl --pa", ["--par\tpush the request: first [PAR] \\' $x"]), ("oap authurl ca", []),
            ("oap-choose login x --provider keycloak ", ["host=", "realm="]),
            ("oap-choose login x --provider=kc ", ["host=", "realm="]),
            ("oap-choose login --provider auth0 x d", ["domain="]), ("oap-choose login x -P auth0 ", ["domain="]),
            ("oap-choose login x -nPauth0 ", ["domain="]),
            ("oap-choose login x --provider kc --provider auth0 ", ["domain="]),
            ("oap-choose login x --provider kc --output auth0 ", ["host=", "realm="]),
            ("oap-choose login x --provider kc host=a ", ["realm="]),
            ("oap-choose login x ", []), ("oap-choose login x --provider other ", []),
            ("oap-choose login keycloak --provider other ", []),
            ("oap-choose login --provider keycloak h", ["home", "hotel"]),
        ])
    func fishCompletion(_ line: String, _ expected: [String]) throws {
        let script = "source oap.fish; source sandbox.fish; source choose.fish; complete -C $argv[1]"
        let home = path.merging(["XDG_CONFIG_HOME": folder.path(".config"), "XDG_DATA_HOME": folder.path(".data")]) {
            $1
        }
        let result = try Shell.run(
            "fish", ["--no-config", "-c", script, line], environment: home, in: folder.url)
        #expect(result.output.split(separator: "\n").map(String.init).sorted() == expected.sorted())
    }

    // MARK: bash and zsh on a terminal

    /// What a line has become after a tab, typed into an interactive shell; with `list`, what was shown on the way.
    private func typed(_ line: String, into shell: String, _ options: String...) throws -> String {
        // A shell that never answers must not keep the tests waiting.
        let words = ["60", "zsh", "-f", "terminal.zsh", shell, line] + options
        return try Shell.run(
            "timeout", words, environment: path.merging(["ZDOTDIR": folder.url.path]) { $1 }, in: folder.url
        ).output
    }

    @Test(
        "bash and zsh complete on a terminal", arguments: ["bash", "zsh"],
        [
            ("oap au", "oap authurl "), ("oap authurl --nu", "oap authurl --null-input "),
            ("oap authurl --code-challenge-method pl", "oap authurl --code-challenge-method plain "),
            ("oap authurl --code-challenge-method=pl", "oap authurl --code-challenge-method=plain "),
            ("oap authurl --grant urn:ex", "oap authurl --grant urn:example:grant "),
            ("oap authurl --grant=urn:ex", "oap authurl --grant=urn:example:grant "),
            ("oap authurl --output da", "oap authurl --output data.json "),
            ("oap authurl --output=da", "oap authurl --output=data.json "),
            ("oap authurl -no da", "oap authurl -no data.json "),
            ("oap authurl --client-id da", "oap authurl --client-id da"),
            ("oap store --folder tok", "oap store --folder tokens/"),
            ("oap store --folder x g", "oap store --folder x get "), ("oap store -- g", "oap store -- get "),
            ("oap verify x da", "oap verify x data.json "), ("oap call da", "oap call da"),
            ("oap authurl --arg da", "oap authurl --arg da"), ("oap authurl --arg x da", "oap authurl --arg x da"),
            ("oap authurl --arg x y --nu", "oap authurl --arg x y --null-input "), ("oap call --cl", "oap call --cl"),
            ("oap store get n", "oap store get n-1.x_y "), ("oap store get work@", "oap store get work@home:2 "),
            ("oap store get work@home:", "oap store get work@home:2 "), ("oap store get n l", "oap store get n l"),
            ("oap store list n", "oap store list n"),
            ("oap store --folder list put hos", "oap store --folder list put host="),
            ("oap run n", "oap run n-1.x_y "), ("oap run work n", "oap run work n"),
            ("oap run work -- oap-dem", "oap run work -- oap-demo "),
            ("oap run work -- ls da", "oap run work -- ls data.json "),
            ("oap-sandbox --pa", "oap-sandbox --par "), ("oap-sandbox --par oap-dem", "oap-sandbox --par oap-demo "),
            ("oap-sandbox ls da", "oap-sandbox ls data.json "),
            ("oap-choose login x --provider keycloak h", "oap-choose login x --provider keycloak host="),
            ("oap-choose login x --provider=kc r", "oap-choose login x --provider=kc realm="),
            ("oap-choose login x --provider keycloak d", "oap-choose login x --provider keycloak d"),
            ("oap-choose login -P auth0 x d", "oap-choose login -P auth0 x domain="),
            ("oap-choose login x -Pauth0 d", "oap-choose login x -Pauth0 domain="),
            ("oap-choose login x -P kc host=a ", "oap-choose login x -P kc host=a realm="),
            ("oap-choose login x d", "oap-choose login x d"),
            ("oap-choose login x --provider other h", "oap-choose login x --provider other h"),
            ("oap-choose login --provider kc h", "oap-choose login --provider kc ho"),
        ])
    func terminal(_ shell: String, _ line: (typed: String, completed: String)) throws {
        let completed = try typed(line.typed, into: shell)
        #expect(completed == line.completed)
    }

    @Test("zsh completion shows the summaries")
    func zshSummaries() throws {
        let output = try typed("oap authurl --", into: "zsh", "list")
        #expect(output.contains("the client's identifier"))
        #expect(output.contains("push the request: first [PAR] \\' $x"))
    }

    @Test(
        "the completion scripts are sound to their shells",
        arguments: [
            ("bash", "oap.bash"), ("zsh", "_oap"), ("fish", "oap.fish"), ("bash", "sandbox.bash"),
            ("zsh", "_oap-sandbox"), ("fish", "sandbox.fish"), ("bash", "choose.bash"), ("zsh", "_oap-choose"),
            ("fish", "choose.fish"),
        ])
    func syntax(_ shell: String, _ file: String) throws {
        let result = try Shell.run(shell, ["-n", file], in: folder.url)
        #expect(result.output == "")
        #expect(result.status == 0)
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
    show() { printf '<%s>' "$READLINE_LINE"; }
    bind -x '"\\C-g": show'
    """

/// Sets zsh up likewise, with the script found as `compinit` finds it.
private let zshrc = """
    PROMPT=READY RPROMPT= PROMPT_EOL_MARK=
    unset zle_bracketed_paste
    fpath=($ZDOTDIR $fpath)
    autoload -Uz compinit && compinit -u -D
    zstyle ':completion:*' insert-tab false
    show() { print -rn -- "<$BUFFER>" }
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
    zpty -r shell output '*<*>'
    if [[ $3 == list ]]; then
        print -r -- "$output"
    else
        output=${output##*<}
        print -rn -- "${output%>}"
    fi
    zpty -d shell
    """#
