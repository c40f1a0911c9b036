import CommandSpec

extension Sample {
    static let provider = Option(
        "provider", short: "P", argument: "PROVIDER", completes: .words(["keycloak", "auth0"]), section: "Client",
        summary: "the provider", details: "The provider.")

    static let data = Option(
        "data", short: "d", argument: "DATA", completes: .filesAfter(.at), section: "Body", summary: "the body",
        details: "The body.")
    static let encoded = Option(
        "encoded", argument: "DATA", completes: .filesAfter(.nameAt), section: "Body", summary: "the encoded body",
        details: "The body.")
    static let field = Option(
        "field", short: "F", argument: "NAME=VALUE", completes: .filesAfter(.nameIs), section: "Body",
        summary: "a field", details: "A field.")

    /// A program whose completions depend on the value of an option, and on what is typed before a file.
    static let chooser = ProgramRecord(
        "oap-choose", summary: "choices", manual: .sample("Chooses."), date: "July 1, 2026",
        commands: [
            CommandRecord(
                "login", section: "S", summary: "log in", manual: [.sample("Logs in.")],
                operands: [
                    Operand(
                        "NAME", isRequired: false, completes: .words(["home", "hotel"]), summary: "a name",
                        details: "A name."),
                    Operand(
                        "VAR=VALUE", isRequired: false, isRepeatable: true,
                        completes: .byOption(
                            provider.long,
                            [
                                .init(["keycloak", "kc"], .words(["host=", "realm="])),
                                .init(["auth0"], .words(["domain="])),
                            ]), summary: "a variable", details: "A variable."),
                ],
                options: [provider, nullInput, output]),
            CommandRecord(
                "send", section: "S", summary: "send", manual: [.sample("Sends.")],
                options: [data, encoded, field, nullInput, output]),
        ],
        options: [help], exitStatuses: [ExitStatus(0, "done")])
}
