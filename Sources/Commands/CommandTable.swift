internal import CommandSpec
internal import Shell
internal import Sessions

enum CommandTable {
    /// The commands in the order in which they are listed. Records are made when needed: making all of them would slow
    /// down the start.
    static let commands: [(name: String, make: @Sendable () -> Command)] = [
        ("login", { LoginCommand.command }),
        ("token", { TokenCommand.command }),
        ("call", { CallCommand.command }),
        ("run", { RunCommand.command }),
        ("proxy", { ProxyCommand.command }),
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
        ("ci-token", { CITokenCommand.command }),
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

    /// The program, by default with all of its commands.
    static func program(of names: [String] = commands.map(\.name)) -> ProgramRecord {
        ProgramRecord(
            "oap", summary: "OAuth 2.0 and OpenID Connect (OIDC) as a shell pipeline",
            manual: Manual.oap, date: Version.date,
            commands: names.compactMap { named($0)?.record }, options: [GeneralOption.help, GeneralOption.version],
            lastHeadings: OptionsPage.lastHeadings, optionsPageName: OptionsPage.name,
            foreignCommands: Dictionary(uniqueKeysWithValues: ForeignNames.hints("commands")),
            exitStatuses: Exit.records, environment: Manual.environment, files: Manual.oap.definitions(in: "FILES"),
            examplesNote: Manual.oap["EXAMPLES OF COMMANDS"],
            sections: [Manual.oap.section("DOCUMENTS"), Manual.oap.section("RETRIES")])
    }
}
