import CommandSpec

extension Sample {
    static let provider = Option(
        "provider", short: "P", argument: "PROVIDER", completes: .words(["keycloak", "auth0"]), section: "Client",
        summary: "the provider", details: "The provider.")

    /// A program whose completions depend on the value of an option.
    static let chooser = ProgramRecord(
        "oap-choose", summary: "choices", description: "Chooses.", date: "July 1, 2026",
        commands: [
            CommandRecord(
                "login", section: "S", summary: "log in", description: "Logs in.",
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
                options: [provider, nullInput, output])
        ],
        options: [help], exitStatuses: [ExitStatus(0, "done")])
}
