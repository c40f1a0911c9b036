internal import CommandSpec
internal import OAuth

/// A command: its record and what it does.
struct Command: Sendable {
    /// What its manual, its help and its parser say.
    let record: CommandRecord
    /// Whether its failures become error documents on standard output (oap-documents(5)).
    let writesErrorDocuments: Bool
    /// Does the work.
    let run: @Sendable (Session) throws(Failure) -> Exit

    /// The names of the commands in the order in which they are listed.
    static let names = [
        "authurl", "listen", "callback-parse", "device", "exchange", "refresh", "call", "revoke", "provider", "token",
        "login", "logout", "store", "help", "completion",
    ]

    /// The command of a name. No other command's records are made for it: at the start of a program that shows.
    static func named(_ name: String) -> Command? {
        switch name {
        case "authurl": authurl
        case "listen": listen
        case "callback-parse": callbackParse
        case "device": device
        case "exchange": exchange
        case "refresh": refresh
        case "call": call
        case "revoke": revoke
        case "provider": provider
        case "token": token
        case "login": login
        case "logout": logout
        case "store": store
        case "help": help
        case "completion": completion
        default: nil
        }
    }

    /// The program with some of its commands: with all of them its manual and its help show it.
    static func program(of names: [String] = names) -> ProgramRecord {
        ProgramRecord(
            "oap", summary: "OAuth 2.0 as a shell pipeline", description: ManualText.description, date: Version.date,
            commands: names.compactMap { named($0)?.record }, options: [GeneralOption.help, GeneralOption.version],
            exitStatuses: Exit.records, environment: ManualText.environment, files: ManualText.files,
            examples: ManualText.examples, examplesNote: ManualText.examplesNote, sections: ManualText.sections,
            seeAlso: [
                ManualReference("oap-documents", 5), ManualReference("oap-providers", 7),
                ManualReference("oap-sandbox", 1), ManualReference("curl", 1), ManualReference("jq", 1),
            ])
    }
}

extension Command {
    private static let output = OutputOption.all + [OutputOption.strict]

    static let authurl = Command(
        record: CommandRecord(
            "authurl", section: "Pipeline", summary: "make the request that sends a person to log in",
            description: ManualText.authurl,
            options: MemberOption.identity.map(\.option) + MemberOption.requestMembers.map(\.option) + [
                GeneralOption.parameter, AuthurlCommand.noPKCE, AuthurlCommand.challengeMethod, AuthurlCommand.push,
                AuthurlCommand.remember,
                ListenOption.open, ListenOption.ephemeral, GeneralOption.nullInput, GeneralOption.profile,
            ] + output + GeneralOption.transport, refused: GeneralOption.refused,
            examples: ManualText.authurlExamples,
            seeAlso: [ManualReference("oap-listen", 1), ManualReference("oap-callback-parse", 1)]),
        writesErrorDocuments: true, run: AuthurlCommand.run)

    static let listen = Command(
        record: CommandRecord(
            "listen", section: "Pipeline", summary: "receive the redirect of a browser on this machine",
            description: ManualText.listen,
            options: ListenOption.all + ListenCommand.members.map(\.option) + [
                GeneralOption.nullInput, GeneralOption.profile,
            ] + output,
            refused: GeneralOption.refused, examples: ManualText.listenExamples,
            seeAlso: [ManualReference("oap-authurl", 1), ManualReference("oap-callback-parse", 1)]),
        writesErrorDocuments: true, run: ListenCommand.run)

    static let callbackParse = Command(
        record: CommandRecord(
            "callback-parse", section: "Pipeline", summary: "check the redirect and take the code from it",
            description: ManualText.callbackParse,
            operands: [
                Operand(
                    "URL", isRequired: false, summary: "the redirected URL",
                    details: """
                        What the browser was redirected to: the whole URL, or its query or fragment. Other processes can \
                        read it in the argument list, so a script rather uses `--url-file` or `callback_url`.
                        """)
            ],
            options: CallbackParseCommand.members.map(\.option) + [
                CallbackParseCommand.urlFile, GeneralOption.nullInput, GeneralOption.profile,
            ] + output, refused: GeneralOption.refused, examples: ManualText.callbackParseExamples,
            seeAlso: [ManualReference("oap-authurl", 1), ManualReference("oap-exchange", 1)]),
        writesErrorDocuments: true, run: CallbackParseCommand.run)

    static let exchange = Command(
        record: CommandRecord(
            "exchange", section: "Pipeline", summary: "trade a code or a credential for a token",
            description: ManualText.exchange,
            options: [ExchangeCommand.grant] + MemberOption.identity.map(\.option) + [
                MemberOption.resource.option, GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile,
            ] + output + GeneralOption.transport, refused: GeneralOption.refused,
            examples: ManualText.exchangeExamples,
            seeAlso: [ManualReference("oap-refresh", 1), ManualReference("oap-call", 1)]),
        writesErrorDocuments: true, run: ExchangeCommand.run)

    static let refresh = Command(
        record: CommandRecord(
            "refresh", section: "Pipeline", summary: "renew a token",
            description: ManualText.refresh,
            options: [RefreshCommand.scope, RefreshCommand.ifExpired, RefreshCommand.minimumTTL]
                + RefreshCommand.members.map(\.option) + [
                    GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile, GeneralOption.tokenFile,
                    GeneralOption.store,
                ]
                + output + GeneralOption.transport, refused: GeneralOption.refused,
            examples: ManualText.refreshExamples,
            seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-call", 1)]),
        writesErrorDocuments: true, run: RefreshCommand.run)

    static let call = Command(
        record: CommandRecord(
            "call", section: "Pipeline", summary: "call an API with the token",
            description: ManualText.call,
            operands: [
                Operand(
                    "URL", summary: "what to ask",
                    details:
                        "An absolute URL, or a path that begins with `/` and is relative to the document's `api_base`.")
            ],
            options: CallOption.all + CallCommand.members.map(\.option) + [
                MemberOption.clientSecretFile.option,
                RefreshCommand.minimumTTL, GeneralOption.nullInput, GeneralOption.profile, GeneralOption.tokenFile,
                GeneralOption.store,
            ] + OutputOption.all
                + GeneralOption.transport, refused: GeneralOption.refused, examples: ManualText.callExamples,
            seeAlso: [
                ManualReference("oap-exchange", 1), ManualReference("oap-refresh", 1), ManualReference("curl", 1),
            ]),
        writesErrorDocuments: false, run: CallCommand.run)

    static let provider = Command(
        record: CommandRecord(
            "provider", section: "Clients", summary: "print what is known of a provider",
            description: ProviderManual.command,
            operands: [
                Operand(
                    "NAME", isRequired: false, completes: .words(Preset.builtIn.map(\.name)),
                    summary: "the provider", details: "The name of a preset. Without one, all are listed."),
                Operand(
                    "VAR=VALUE", isRequired: false, isRepeatable: true, summary: "fill a place of the preset",
                    details: "What stands for a place of the preset, such as the tenant or the host of a server."),
            ],
            options: OutputOption.all, examples: ProviderManual.examples,
            sections: ProviderManual.commandSections,
            seeAlso: [ManualReference("oap-providers", 7), ManualReference("oap-authurl", 1)]),
        writesErrorDocuments: true, run: ProviderCommand.run)

    static let token = Command(
        record: CommandRecord(
            "token", section: "Managed", summary: "print a stored token that is valid",
            description: ManualText.token,
            operands: [
                Operand("NAME", summary: "the token's name", details: "The name that the token is stored under.")
            ],
            options: [
                GeneralOption.store, RefreshCommand.minimumTTL, TokenCommand.header, TokenCommand.document,
                MemberOption.clientSecretFile.option,
            ]
                + OutputOption.all
                + [OutputOption.strict] + GeneralOption.transport, refused: GeneralOption.refused,
            examples: ManualText.tokenExamples,
            seeAlso: [ManualReference("oap-call", 1), ManualReference("oap-store", 1)]),
        writesErrorDocuments: false, run: TokenCommand.run)

    static let help = Command(
        record: CommandRecord(
            "help", section: "Support", summary: "show everything about a command",
            description: ManualText.help,
            operands: [
                Operand(
                    "COMMAND", isRequired: false, summary: "the command",
                    details: """
                        Without one, the program is shown. `documents` shows every member of every document, and \
                        `providers` the presets.
                        """)
            ],
            options: [HelpCommand.manualPages], examples: ManualText.helpExamples, seeAlso: [ManualReference("oap", 1)]),
        writesErrorDocuments: false, run: HelpCommand.run)

    static let completion = Command(
        record: CommandRecord(
            "completion", section: "Support", summary: "print a completion script for a shell",
            description: ManualText.completion,
            operands: [
                Operand(
                    "SHELL", choices: ["bash", "zsh", "fish"], summary: "the shell",
                    details: "The shell that will read the script.")
            ],
            examples: ManualText.completionExamples, seeAlso: [ManualReference("oap", 1)]),
        writesErrorDocuments: false, run: CompletionCommand.run)
}
