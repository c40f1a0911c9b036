internal import Calls
package import CommandSpec
package import OAuth

/// What the command line says about the document or the token that a command is about.
package final class SubjectSettings {
    /// Whether nothing is read (`-n`).
    package let isAlone: Bool
    /// The name of a profile or a token, as the operand or with `-p`. An operand may also be a JWT.
    package let name: String?
    /// Whether the only operand of a call is a name, and no URL.
    package let isNamedAlone: Bool
    package let tokenFile: String?
    package let store: String?
    /// Whether the user answers for the locks of a network file system.
    package let trustsStore: Bool
    /// How long a store of several machines is asked again that does not answer.
    package let storePatience: Duration
    /// Whether standard input holds requests.
    package let isBatch: Bool
    /// Whether the document is a flow, which a pipe brings: `OAP_PROFILE` is not asked.
    package let readsFlow: Bool
    /// Whether the command destroys what the document names: `OAP_PROFILE` alone does not name it.
    package let destroys: Bool
    /// The operand that is a JWT or what one stands in, and the file of one.
    package let jwt, jwtFile: String?
    /// Whether an anonymous call needs nothing of a document: its URL is whole.
    package let isWhole: Bool
    /// The other token of the login that is meant; nil for the login's own.
    package let part: DerivedToken?
    /// The seconds that a token must have left; nil for the default.
    package let minimum: Int?
    /// Whether the client has a certificate (`--cert`).
    package let hasCertificate: Bool
    package let members: MemberValues
    /// The ways to name a document that the command has, for hints.
    package let (takesToken, takesNothing, takesNoToken): (Bool, Bool, Bool)

    /// Reads the options. `known` are the names of tokens and profiles.
    ///
    /// - Throws: exit 2 for two names, and for options that name no other token.
    package init(_ arguments: Arguments, known: (_ store: String?) -> [String]) throws(Failure) {
        let options = arguments.command?.options ?? []
        takesToken = options.contains(GeneralOption.store)
        takesNothing = options.contains(GeneralOption.nullInput)
        takesNoToken = options.contains(CallOption.anonymous)
        isAlone = arguments.has(GeneralOption.nullInput)
        let named = arguments.value(GeneralOption.profile)
        // The variables of a preset may come before the name.
        let takesVariables = arguments.command?.operands.contains { $0.name == "VAR=VALUE" } == true
        let text = arguments.operand(named: "JWT")
        jwtFile = arguments.value(GeneralOption.jwtFile)
        jwt = text.flatMap { Self.isCopied($0) ? $0 : nil }
        let operand =
            takesVariables
            ? arguments.operands.first { !Self.isVariable($0) }
            : arguments.operand(named: GeneralOption.nameOperand.name) ?? (jwt == nil ? text : nil)
        if let operand, let named, !operand.isIdentical(to: named) {
            throw .usage("the operand and -p give different names")
        }
        tokenFile = arguments.value(GeneralOption.tokenFile)
        store = arguments.value(GeneralOption.store)
        trustsStore = arguments.has(GeneralOption.storeTrust)
        let retries = RetryPolicy(arguments, over: .lasting) ?? .brief
        storePatience = retries.limit == 0 ? .zero : .seconds(min(retries.maximumTime, 86400))
        let target = takesNoToken && !isAlone && tokenFile == nil ? arguments.operand(named: "URL") : nil
        let isName = target.map { !$0.utf8.contains(UInt8(ascii: "/")) } == true && operand == nil && named == nil
        let names = isName ? known(arguments.value(GeneralOption.store)) : []
        isNamedAlone = target.map(names.contains) == true
        name = operand ?? named ?? (isNamedAlone ? target : nil)
        isBatch = arguments.has(BatchOption.batch)
        let command = arguments.command?.name
        let grant = arguments.value(GeneralOption.grant).map { Grant.Kind(named: $0) }
        readsFlow =
            ["listen", "callback-parse"].contains(command) || command == "exchange" && grant?.isOfPerson ?? true
        let deletes = arguments.occurrences.contains { $0.option.long == "delete" }
        destroys = command == "revoke" || command == "register" && deletes
        isWhole =
            arguments.has(CallOption.anonymous) && !isNamedAlone
            && arguments.operand(named: "URL")?.hasPrefix("/") == false
        part = try DerivedToken(arguments)
        minimum = arguments.number(GeneralOption.minimumTTL)
        hasCertificate = arguments.has(GeneralOption.certificate)
        members = MemberValues(arguments)
        let isElsewhere = isAlone || name != nil || tokenFile.map { !$0.isIdentical(to: "-") } ?? false
        let files = Member.files.map(Member.optionName)
        guard !isElsewhere || isBatch || arguments.has(GeneralOption.raw),
            let secret = arguments.occurrences.first(where: { $0.values == ["-"] && files.contains($0.option.long) })
        else { return }
        throw .usage(
            "\(secret.option.name) - is standard input, which the command reads for something else",
            hint: "name a profile, use -n or --token-file FILE; or take the secret elsewhere: <(COMMAND)")
    }

    /// Whether an operand is a JWT, alone or in a header field, or a URL: no name.
    private static func isCopied(_ text: String) -> Bool {
        guard !Callback.isURL(text), let token = AccessToken.copied(in: text) else { return Callback.isURL(text) }
        return token.utf8.count < text.utf8.count || token.hasPrefix("eyJ") && token.utf8.contains(UInt8(ascii: "."))
    }

    /// Whether an operand of `login` is a variable of a preset.
    package static func isVariable(_ operand: String) -> Bool { operand.utf8.contains(UInt8(ascii: "=")) }
}
