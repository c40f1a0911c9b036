internal import CommandSpec

enum CommandTable {
    /// The commands in the order in which they are listed. Records are made when needed: making all of them would slow
    /// down the start.
    static let commands: [(name: String, make: @Sendable () -> Command)] = [
        ("login", { LoginCommand.command }),
        ("token", { TokenCommand.command }),
        ("call", { CallCommand.command }),
        ("run", { RunCommand.command }),
        ("credential", { CredentialCommand.command }),
        ("whoami", { WhoamiCommand.command }),
        ("inspect", { InspectCommand.command }),
        ("userinfo", { UserinfoCommand.command }),
        ("store", { StoreCommand.command }),
        ("logout", { LogoutCommand.command }),
        ("authurl", { AuthurlCommand.command }),
        ("listen", { ListenCommand.command }),
        ("callback-parse", { CallbackParseCommand.command }),
        ("device", { DeviceCommand.command }),
        ("ciba", { CIBACommand.command }),
        ("exchange", { ExchangeCommand.command }),
        ("refresh", { RefreshCommand.command }),
        ("verify", { VerifyCommand.command }),
        ("introspect", { IntrospectCommand.command }),
        ("revoke", { RevokeCommand.command }),
        ("end-session", { EndSessionCommand.command }),
        ("discover", { DiscoverCommand.command }),
        ("register", { RegisterCommand.command }),
        ("provider", { ProviderCommand.command }),
        ("profile", { ProfileCommand.command }),
        ("jwk", { JWKCommand.command }),
        ("jwt", { JWTCommand.command }),
        ("scheme-handler", { SchemeHandlerCommand.command }),
        ("completion", { CompletionCommand.command }),
        ("help", { HelpCommand.command(of: commands.map(\.name)) }),
    ]

    static func named(_ name: String) -> Command? { commands.first { $0.name == name }?.make() }

    /// Commands of gh and of other programs, and what does the same here.
    private static let foreign = [
        "config": "oap profile show NAME prints a profile; oap profile set NAME changes it",
        "delete": "oap logout NAME revokes a token and deletes it; oap store delete NAME only deletes it",
        "get": "oap token NAME prints a token; oap store get NAME prints its document",
        "init": "oap login NAME --issuer URL logs in and writes a profile; oap help tutorial explains it",
        "list": "oap store list shows the stored tokens; oap profile list shows the profiles",
        "ls": "oap store list shows the stored tokens; oap profile list shows the profiles",
        "set": "oap profile set NAME writes a profile; oap store put NAME stores a token",
        "show": "oap inspect NAME shows a stored token; oap profile show NAME prints a profile",
        "status": "oap store list shows the stored tokens; oap inspect NAME shows one",
        "auth": "oap login NAME logs in, oap token NAME prints a token, oap store list shows the stored tokens",
        "auth login": "oap login NAME logs in", "auth logout": "oap logout NAME logs out",
        "auth refresh": "oap refresh NAME renews a token",
        "auth status": "oap store list shows the stored tokens; oap whoami NAME shows the user of one",
        "auth token": "oap token NAME prints a token", "api": "oap call NAME URL sends a request",
    ]

    /// The program, by default with all of its commands.
    static func program(of names: [String] = commands.map(\.name)) -> ProgramRecord {
        ProgramRecord(
            "oap", summary: "OAuth 2.0 and OpenID Connect (OIDC) as a shell pipeline",
            manual: Manual.oap, date: Version.date,
            commands: names.compactMap { named($0)?.record }, options: [GeneralOption.help, GeneralOption.version],
            lastHeadings: OptionsPage.lastHeadings, optionsPageName: OptionsPage.name,
            foreignCommands: foreign,
            exitStatuses: Exit.records, environment: Manual.environment, files: Manual.oap.definitions(in: "FILES"),
            examplesNote: Manual.oap["EXAMPLES OF COMMANDS"],
            sections: [Manual.oap.section("DOCUMENTS"), Manual.oap.section("RETRIES")])
    }
}
