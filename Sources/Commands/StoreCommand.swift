internal import CommandSpec
internal import JOSE
internal import OAuth
internal import System
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap store`: lists, reads, writes and deletes stored tokens.
enum StoreCommand {
    enum Action: String, CaseIterable {
        case put, get, list, delete, rename, key, reseal, flows
        case forgetFlows = "forget-flows"
    }

    private static func action(_ actions: Action...) -> OptionRule.Word {
        .operand("ACTION", values: actions.map(\.rawValue))
    }

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        guard let action = Action(rawValue: arguments.operand(0) ?? "") else {
            preconditionFailure("the parser lets no other action through than those of its record")
        }
        switch action {
        case .put where arguments.has(ifNewer): return try offer(try name(session), session)
        case .put: return try put(try name(session), isRaw: arguments.has(raw), session)
        case .get: return try get(try name(session), session)
        case .delete: return try delete(try name(session), session)
        case .rename:
            guard let old = arguments.operand(named: "NAME"), let new = arguments.operand(named: "NEW") else {
                throw .usage("rename needs two names", hint: "oap store rename NAME NEW")
            }
            try StoreRename(from: old, to: new, session).run()
            return .done
        case .list: return try StoreList(session: session).list()
        case .key:
            return try key(session)
        case .reseal: return try StoreReseal.run(session, by: arguments.value(StoreReseal.oldKey))
        case .flows:
            return try flows(session)
        case .forgetFlows:
            try RememberedFlow.forget(session)
            return .done
        }
    }

    private static func name(_ session: Session) throws(Failure) -> TokenName {
        let text = try session.inputs.name()
        return try Failure.storing(try TokenName(text))
    }

    private static let raw = Option(
        "raw", section: "Input", wording: GeneralOption.raw, summary: "standard input holds only a token",
        details: Manual.named("store")["--raw (put)"])

    private static let ifNewer = Option(
        "if-newer", section: "Input", summary: "standard input is a .late file of another machine")

    /// Puts what another machine received into the store, unless that has a newer token.
    private static func offer(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        guard let store = try session.inputs.store() as? SharedStore else {
            throw .usage("\(ifNewer.name) is for a store of several machines", hint: "oap help store")
        }
        let bytes = try Input.standardInputBytes(hint: "give the file: oap store put NAME \(ifNewer.name) < FILE")
        try session.engine.run(Failure.storing(store.offer(bytes, to: name)))
        return .done
    }

    /// The members of a token that its options set.
    private static let members = MemberOption.of("api_base", "authorization_scheme", "resource", "scope")

    private static func put(_ name: TokenName, isRaw: Bool, _ session: Session) throws(Failure) -> Exit {
        let hint = "to store a token that is no document, add \(raw.name)"
        let read: JSONObject
        if isRaw {
            read = ["access_token": .string(try session.inputs.bareToken()), "token_type": .string("Bearer")]
        } else {
            read = try Input.readStandardInput(hint: "pipe a token document in", hintForOther: hint)
        }
        var document = Document(try session.inputs.settings.members.merging(members, into: read))
        _ = try Input.resolveFiles(in: &document)
        session.inputs.register(document.members)
        let token = document.members["access_token"] ?? document.members["access_token_file"]
        guard token?.string?.isEmpty == false else {
            let hint =
                document.members.holds("refresh_token")
                ? "oap refresh < FILE | oap store put \(name.text) gets an access token, and stores both"
                : "pipe in the token document that oap exchange printed"
            throw Failure(.badInput, .metadataMissing, "access_token is missing", hint: hint)
        }
        let (normalized, warnings) = TokenEnd.normalized(document.members)
        try session.diagnostics.warn(warnings)
        document.members = normalized
        _ = try asFailure(RefreshDecision(of: document))
        _ = try asFailure(document.authorizationField())
        // A response that somebody else received does not say when.
        let lifetime = document.members["expires_at"]?.isNull ?? true ? TokenEnd.lifetime(of: document.members) : nil
        if let lifetime { document.members["expires_at"] = .integer(Clock.now + lifetime) }
        let bytes = JSON.object(document.members).bytes + [0x0A]
        try session.engine.run(
            Failure.holding(try session.inputs.store().hold(name) { held in held.save(bytes, over: nil) }))
        if let lifetime { session.diagnostics.tell("the token counts as new: it expires in \(lifetime) s") }
        try warn(ofSecretFor: document.members, name, session)
        return .done
    }

    /// Warns if a renewal of the token will not find the client's secret in the document or in the profile of the name.
    private static func warn(
        ofSecretFor token: JSONObject, _ name: TokenName, _ session: Session
    ) throws(Failure) {
        guard TokenDocument.isRenewable(token, now: Clock.now),
            let credential = ClientCredential(method: token["token_endpoint_auth_method"]?.string)
        else { return }
        // The token is stored already: a profile that cannot be read is a matter for the command that needs it.
        let profile = (try? session.inputs.profiles.find(name.text)) ?? [:]
        guard !token.holds(credential.member), !profile.holds(credential.member) else { return }
        session.diagnostics.tell("warning: the document has no \(credential.member), and each renewal needs it")
        session.diagnostics.hint(
            #"add the member "\#(credential.fileMember)", with the path of a file, to the document"#)
    }

    private static func get(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        let managed = try session.stored(name.text)
        let token = try session.engine.run(managed.load())
        // The message of a filter that fails repeats its input.
        session.inputs.register(token)
        managed.transport.note()
        return try output.finish(token)
    }

    private static func delete(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        let managed = try session.stored(name.text)
        try session.engine.run(managed.requireStored())
        try session.engine.run(managed.forget())
        return .done
    }

    /// The flows that wait for their redirect, a line of JSON for each.
    private static func flows(_ session: Session) throws(Failure) -> Exit {
        var output = try session.output()
        for flow in try RememberedFlow.list(session) { try output.write(.object(flow)) }
        return try output.end()
    }

    /// A new key. An existing file is not overwritten: it may be a key that stored tokens need.
    private static func key(_ session: Session) throws(Failure) -> Exit {
        try session.form.checkHidesKey("store-key.json")
        let output = try session.output(replaces: false)
        return try output.finish(try Failure.jose(try SymmetricKey()).members)
    }

    static let command = Command(
        "store", section: "Log in and use a token", summary: "list, read, write and delete stored tokens",
        operands: [
            Operand("ACTION", choices: Action.allCases.map(\.rawValue), summary: "what to do"),
            Operand(
                "NAME", isRequired: false,
                completes: .byFirst([
                    .init(["get", "delete", "rename"], StoredNames.tokens.completion),
                    .init(["put"], StoredNames.both.completion),
                ]), summary: "the token's name"),
            Operand("NEW", isRequired: false, summary: "its new name, for rename"),
        ],
        options: [GeneralOption.named] + GeneralOption.stores + [raw, ifNewer, StoreReseal.oldKey]
            + members.map(\.option.withoutVariable)
            + OutputOption.all,
        rules: [
            .apart([
                [action(.list, .key, .reseal, .flows, .forgetFlows)], [.operand("NAME"), .option(GeneralOption.named)],
            ]),
            .apart(OutputOption.all, from: action(.put, .delete, .rename, .reseal, .forgetFlows)),
            .apart(
                [raw, ifNewer] + members.map(\.option),
                from: action(.get, .list, .delete, .rename, .key, .reseal, .flows, .forgetFlows)),
            .apart(
                [StoreReseal.oldKey], from: action(.put, .get, .list, .delete, .rename, .key, .flows, .forgetFlows)),
            .apart([
                [action(.put, .get, .list, .delete, .key, .reseal, .flows, .forgetFlows)], [.operand("NEW")],
            ]),
            .apart([GeneralOption.named], from: action(.rename)),
            .apart([ifNewer], from: [raw] + members.map(\.option)),
        ],
        writesErrorDocuments: false, run: run)
}
