import CommandSpec

/// A program with every kind of option and operand, for the tests of everything that derives from records.
enum Sample {
    static let clientID = Option(
        "client-id", argument: "ID", variable: "OAP_CLIENT_ID", section: "Client",
        summary: "the client's identifier", details: "The identifier that the server gave the client.")
    static let secretFile = Option(
        "client-secret-file", argument: "PATH", completes: .files, variable: "OAP_CLIENT_SECRET_FILE",
        section: "Client", summary: "a file with the client's secret",
        details: "The secret is read from <PATH>, so `ps` never shows it; see `oap-store(1)`.")
    static let method = Option(
        "code-challenge-method", argument: "METHOD", choices: ["S256", "plain"], section: "Request",
        summary: "how the verifier is hashed",
        details: "`plain` is for servers that know nothing better.\n\n    oap authurl --code-challenge-method plain")
    static let grant = Option(
        "grant", argument: "GRANT", completes: .words(["client_credentials", "urn:example:grant"]),
        section: "Request", summary: "the grant, or any URN", details: "The grant, a name or a URN.")
    static let scope = Option(
        "scope", argument: "SCOPE", isRepeatable: true, section: "Request", summary: "what to ask for",
        details: "One scope, or several with spaces between them.")
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document",
        details: "Reads nothing on standard input.")
    static let filter = Option(
        "jq", short: "q", argument: "FILTER", section: "Output", summary: "shape the result with a jq filter",
        details: "The filter runs on the result.")
    static let raw = Option(
        "raw-output", short: "r", section: "Output", summary: "print strings without quotes",
        details: "Strings are printed as they are (\"raw\"), not as JSON.")
    static let output = Option(
        "output", short: "o", argument: "FILE", completes: .files, section: "Output",
        summary: "write to a file", details: "The file is written whole or not at all.")
    static let arg = Option(
        "arg", argument: "NAME VALUE", isRepeatable: true, section: "Output",
        summary: "set a variable of the filter", details: "Binds `$NAME` to <VALUE>.")
    static let folder = Option(
        "folder", argument: "FOLDER", completes: .directories, section: "Store",
        summary: "where the tokens lie", details: "The folder of the tokens.")
    static let header = Option(
        "header", short: "H", argument: "HEADER", isRepeatable: true, section: "Request",
        summary: "an extra header", details: "A header of the request.")
    static let par = Option(
        "par", section: "Request", summary: "push the request: first [PAR] \\' $x", details: "Uses RFC 9126.")

    static let help = Option("help", section: "Options", summary: "print this", details: "Prints the short help.")
    static let version = Option(
        "version", section: "Options", summary: "print the versions", details: "Prints the versions.")

    static let refused = [
        RefusedOption(
            "client-secret", message: "--client-secret would show the secret to every process",
            hint: "use --client-secret-file PATH"),
        RefusedOption("insecure", short: "k", message: "certificates are always checked", hint: "use --cacert FILE"),
    ]

    static let authurl = CommandRecord(
        "authurl", section: "Pipeline", summary: "make the authorization request",
        manual: [
            .sample(
                """
                Reads a client document and writes a flow. See `oap-call(1)` for what comes later, e.g. `call`.

                'Quoted' words, a back\\slash, a dash - and .dots begin no macro. Ends § here…
                """,
                examples: [
                    Example(
                        "A person logs in (in one pipe):",
                        command: "oap provider github |\n    oap authurl --scope 'repo'",
                        output: "{\"state\":\"~^`x\"}")
                ])
        ],
        options: [clientID, secretFile, method, grant, scope, nullInput, filter, raw, output, arg, par],
        rules: [.apart([clientID, par])], refused: refused,
        sections: [ManualSection("STANDARDS", text: "RFC 6749.")])
    static let call = CommandRecord(
        "call", section: "Pipeline", summary: "call an API", manual: [.sample("Sends a request.")],
        operands: [Operand("URL", summary: "what to call", details: "An address, or a path.")],
        options: [nullInput, filter, raw, output, header], refused: refused)
    static let store = CommandRecord(
        "store", section: "Managed", summary: "look after the stored tokens", manual: [.sample("Keeps tokens.")],
        operands: [
            Operand("ACTION", choices: ["put", "get", "list"], summary: "what to do", details: "What to do."),
            Operand(
                "NAME", isRequired: false,
                completes: .byFirst([
                    .init(["get"], .printed(["completion", "--list", "tokens"])),
                    .init(["put"], .words(["host=", "hop"])),
                ]), summary: "the profile", details: "The profile."),
        ],
        options: [folder])
    static let verify = CommandRecord(
        "verify", section: "Support", summary: "check files", manual: [.sample("Checks some files.")],
        operands: [
            Operand(
                "FILE", isRequired: false, isRepeatable: true, completes: .files, summary: "a file",
                details: "A file to check.")
        ])

    static let run = CommandRecord(
        "run", section: "Managed", summary: "run a command", manual: [.sample("Runs a command.")],
        operands: [
            Operand(
                "NAME", isRequired: false, completes: .printed(["completion", "--list", "tokens"]),
                summary: "the token", details: "The token."),
            Operand(
                "COMMAND", isRepeatable: true, followsDashes: true, completes: .program, summary: "what to run",
                details: "What to run."),
        ],
        options: [folder])

    static let program = ProgramRecord(
        "oap", summary: "OAuth 2.0 as a shell pipeline",
        manual: .sample(
            "Small commands.", examples: [Example("The versions:", command: "oap --version")],
            seeAlso: "oap-documents(5), jq(1)"),
        date: "July 1, 2026",
        commands: [authurl, call, store, run, verify], options: [help, version],
        exitStatuses: [ExitStatus(0, "done", action: "Go on"), ExitStatus(70, "a defect in `oap`")],
        environment: [Definition("NO_COLOR", "Switches colour off.")],
        files: [Definition("~/.config/oap", "The profiles.")])

    /// A program without commands, which runs another one.
    static let runner = ProgramRecord(
        "oap-sandbox", summary: "a server for tests", manual: .sample("Serves."), date: "July 1, 2026",
        commands: [
            CommandRecord(
                "oap-sandbox", section: "", summary: "a server for tests", manual: [.sample("Serves.")],
                operands: [
                    Operand(
                        "COMMAND", isRequired: false, isRepeatable: true, completes: .program, summary: "what to run",
                        details: "What to run.")
                ],
                options: [par, folder], stopsAtFirstOperand: true)
        ],
        options: [help], exitStatuses: [ExitStatus(0, "done")])
}
