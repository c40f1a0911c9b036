import Testing

@testable import CommandSpec

/// Completions that depend on what is typed already, asked from the shells themselves.
@Suite struct DependentCompletionTests {
    private let shells: CompletionShells

    init() throws { shells = try CompletionShells() }

    // MARK: the value of an option

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
        #expect(try shells.bash(line) == expected)
    }

    @Test(
        "fish completes an operand by the value of an option",
        arguments: [
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
    func fishChoice(_ line: String, _ expected: [String]) throws {
        #expect(try shells.fish(line).sorted() == expected.sorted())
    }

    @Test(
        "bash and zsh complete an operand by the value of an option", arguments: ["bash", "zsh"],
        [
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
    func terminalChoice(_ shell: String, _ line: (typed: String, completed: String)) throws {
        let completed = try shells.typed(line.typed, into: shell)
        #expect(completed == line.completed)
    }

    // MARK: files behind a mark

    @Test(
        "bash completes files behind a mark",
        arguments: [
            ("oap-choose send -d @da", ["@data.json"]), ("oap-choose send -d@da", ["@data.json"]),
            ("oap-choose send -d @tokens", ["@tokens.json", "@tokens/"]),
            ("oap-choose send --data=@my", ["@my\\ file.json"]), ("oap-choose send -d da", []),
            ("oap-choose send -d x@da", []), ("oap-choose send --encoded x@da", ["@data.json"]),
            ("oap-choose send --encoded x=@da", []), ("oap-choose send -F x=@da", ["@data.json"]),
            ("oap-choose send -F @da", []), ("oap-choose send -o ", ["compopt -o default"]),
            ("oap-choose login -nPau", ["-nPauth0"]),
        ])
    func bashMark(_ line: String, _ expected: [String]) throws {
        #expect(try shells.bash(line).sorted() == expected)
    }

    @Test(
        "bash leaves a name alone that the shell expands, or that has a quote behind the mark",
        arguments: [
            "-d @$PWD/fol", "-d \"@$PWD/fol", "-d @`pwd`/fol", "-d @~+/fol", "-d @~/", "-d @~root/", "-d @\"da",
            "--data @\"da", "-d @'da", "-d @fol'der'/", "-d \"@folder\"/",
        ])
    func bashExpansion(_ line: String) throws {
        #expect(try shells.typed("oap-choose send " + line, into: "bash") == "oap-choose send " + line)
    }

    @Test(
        "bash completes names with quotes and dollars that mean themselves",
        arguments: [
            ("-d \"@it's", "-d \"@it's $1.json\" "), ("-d '@$2", "-d '@$2.json' "),
        ])
    func bashLiteral(_ line: (typed: String, completed: String)) throws {
        for name in ["it's $1.json", "$2.json"] {
            try "".write(toFile: shells.folder.path(name), atomically: false, encoding: .utf8)
        }
        let completed = try shells.typed("oap-choose send " + line.typed, into: "bash")
        #expect(completed == "oap-choose send " + line.completed)
    }

    @Test(
        "fish completes files behind a mark",
        arguments: [
            ("oap-choose send -d @da", ["@data.json\tthe body"]), ("oap-choose send -d@da", ["-d@data.json\tthe body"]),
            ("oap-choose send -d @tokens", ["@tokens.json\tthe body", "@tokens/\tthe body"]),
            ("oap-choose send --data=@my", ["--data=@my file.json\tthe body"]),
            ("oap-choose send -d @my\\ f", ["@my file.json\tthe body"]),
            ("oap-choose send -d \"@my f", ["@my file.json\tthe body"]), ("oap-choose send -d da", []),
            ("oap-choose send -d x@da", []), ("oap-choose send --encoded x@da", ["x@data.json\tthe encoded body"]),
            ("oap-choose send --encoded x=@da", []), ("oap-choose send -F x=@da", ["x=@data.json\ta field"]),
            ("oap-choose send -F @da", []), ("oap-choose send -o da", ["data.json"]),
        ])
    func fishMark(_ line: String, _ expected: [String]) throws {
        #expect(try shells.fish(line).sorted() == expected)
    }

    @Test(
        "bash and zsh complete files behind a mark", arguments: ["bash", "zsh"],
        [
            ("-d @da", "-d @data.json "), ("-d@da", "-d@data.json "), ("-nd@da", "-nd@data.json "),
            ("--data=@da", "--data=@data.json "), ("-d @my", "-d @my\\ file.json "),
            ("-d @my\\ f", "-d @my\\ file.json "), ("-d \"@my f", "-d \"@my file.json\" "), ("-d @fol", "-d @folder/"),
            ("-d @folder/", "-d @folder/x=@y.json "), ("-d @folder/x=", "-d @folder/x=@y.json "), ("-d da", "-d da"),
            ("-d x@da", "-d x@da"), ("--encoded @da", "--encoded @data.json "),
            ("--encoded x@da", "--encoded x@data.json "), ("--encoded x=@da", "--encoded x=@da"),
            ("-F x=@da", "-F x=@data.json "), ("--field x=@my", "--field x=@my\\ file.json "),
            ("-F 'x=@my", "-F 'x=@my file.json' "), ("-F @da", "-F @da"), ("-o da", "-o data.json "),
        ])
    func terminalMark(_ shell: String, _ line: (typed: String, completed: String)) throws {
        let completed = try shells.typed("oap-choose send " + line.typed, into: shell)
        #expect(completed == "oap-choose send " + line.completed)
    }
}
