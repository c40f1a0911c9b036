package import Errands
package import OAuth
package import TokenStore
package import Wire
package import Shell

/// The document of a token as it is kept, and its version.
package struct KeptDocument {
    var document: JSONObject
    let revision: Revision
}

/// A token that `oap` keeps and renews: in the store under a name, or in a file (oap-token(1)).
package struct ManagedToken {
    /// How requests to the authorization server are sent.
    package let transport: Transport
    package let store: any TokenStoring
    package let name: TokenName
    /// What the token is called in messages.
    private let label: String
    /// What is said where the token cannot be renewed.
    package private(set) var failures: RenewalFailure
    /// The other token of the login that is meant; nil for the login's own.
    package private(set) var part: DerivedToken?
    /// Whether renewals give up soon: a program waits for them, or they are tried again in any case.
    package private(set) var isBrief = false
    private var missing: Failure
    private let profile: JSONObject?
    package let inputs: InputReader
    package var world: World { inputs.world }
    /// Whether a profile names a client, so that a login may replace the token.
    var hasClient: Bool { profile?["client_id"]?.isNull == false }

    /// The token that `-p`, `--token-file` or `OAP_PROFILE` names; nil if the document is elsewhere.
    ///
    /// - Throws: exit 2 for both at once or a bad name, exit 3 or 11 for a profile or a path that cannot be read.
    package init?(_ inputs: InputReader, over transport: Transport) throws(Failure) {
        switch try inputs.source() {
        case .standardInput, .nothing, .file: return nil
        case .name(let name):
            // A token document works alone: the profile need not be there.
            try self.init(
                named: name, in: try inputs.store(), profile: try inputs.profiles.find(name), inputs, over: transport)
            missing = inputs.withHint(for: missing)
        case .tokenFile(let path): try self.init(inFile: try LinkedPath.resolved(path), inputs, over: transport)
        }
    }

    /// - Throws: with `--strict`, where others can read the file.
    private init(inFile path: String, _ inputs: InputReader, over transport: Transport) throws(Failure) {
        let file = SingleFileStore(path: path, sharing: inputs.sharing)
        (store, name, label, missing) = (file, SingleFileStore.name, path, .file("\(path) is missing"))
        (profile, self.inputs, self.transport) = (nil, inputs, transport)
        failures = RenewalFailure(
            subject: "the token in \(path)",
            advice: TokenAdvice(task: inputs.isRefresh ? nil : "renewing the token \(path)"), world: inputs.world)
        if file.isOpenToOthers {
            try inputs.diagnostics.warn([.other("other users can read \(path)")])
        }
    }

    /// - Throws: exit 2 for a bad name.
    package init(
        named text: String, in store: any TokenStoring, profile: JSONObject?, _ inputs: InputReader,
        over transport: Transport
    ) throws(Failure) {
        let name = try Failure.storing { () throws(StoreError) in try TokenName(text) }
        (self.name, self.store) = (name, store)
        label = "the stored token \(text)"
        failures = RenewalFailure(
            subject: "the token of \(text)",
            advice: TokenAdvice(
                task: inputs.isRefresh ? nil : "renewing the token \(text)", login: "oap login \(text)",
                client: profile.flatMap { ForgottenClient($0, named: text) },
                isPending: { [folders = inputs.environment.folders] in
                    (try? folders.logins()).map { LoginMark.isHeld(name, in: $0) } ?? false
                }), name: text, world: inputs.world)
        missing = Failure(
            .loginNeeded, .loginNeeded, "no token is stored as \(text)",
            hint: "log in with oap login \(text), or store a token with oap store put \(text) < token.json"
        ).unknown(text)
        (self.profile, self.inputs, self.transport) = (profile, inputs, transport.logging(as: text))
        isBrief = inputs.isHelper
    }

    /// The command that shows what the token says.
    package var inspection: String {
        let path = (store as? SingleFileStore)?.path
        return "oap inspect " + (path.map { "\(GeneralOption.tokenFile.name) \($0.shellWord)" } ?? name.text)
    }

    /// This token with renewals that give up soon.
    var brief: ManagedToken { changing(self) { $0.isBrief = true } }

    /// Another token of the same login; the same one for nil.
    package func deriving(_ part: DerivedToken?) -> ManagedToken {
        guard let part else { return self }
        return changing(self) {
            $0.part = part
            $0.failures.advice.task = "getting another token of \(name.text)"
            $0.failures.advice.isOfResource = !part.isExchange
        }
    }

    /// The token of the login that is exchanged for this one; nil for another.
    package var exchanged: ManagedToken? {
        part?.isExchange == true ? changing(self) { $0.part = nil } : nil
    }

    /// The token document of the token that is meant, from the document as it is kept.
    package func view(_ kept: JSONObject) -> JSONObject { part?.document(in: kept) ?? kept }

    /// The token document as it is kept: that of the login.
    ///
    /// - Parameter other: what is said without a stored token; nil for the usual.
    /// - Throws: exit 8 without a stored token, exit 11 if it cannot be read.
    package func load(orElse other: Failure? = nil) -> Attempt<JSONObject, Failure> {
        Failure.storing(store.load(name)).reading { (token) throws(Failure) in
            if token == nil, let other { throw other }
            return try kept(token).document
        }
    }

    /// The token document, while its lock is held.
    ///
    /// - Throws: as `load()`.
    package func load(_ held: any HeldToken) -> Attempt<KeptDocument, Failure> {
        Failure.storing(held.load()).reading(kept)
    }

    private func kept(_ token: StoredToken?) throws(Failure) -> KeptDocument {
        guard let token else { throw missingHere }
        let (document, foreign) = TokenEnd.normalized(
            try Input.object(in: token.bytes, name: label, exit: .fileFailed))
        try inputs.diagnostics.warn(foreign)
        return KeptDocument(document: document, revision: token.revision)
    }

    package var record: RenewalRecord { inputs.record(of: part == nil ? label : "\(label), derived") }

    /// The failure for a missing token, with a guess of the name that was meant.
    private var missingHere: Failure {
        failures.login == nil ? missing : failures.pending(missing.advising(nameHint(else: missing.hint)))
    }

    /// Does something with the token while no other process works on it.
    package func holding<Value>(
        _ body: @escaping (any HeldToken) throws(Failure) -> Attempt<Value, Failure>
    ) -> Attempt<Value, Failure> {
        Failure.holding(store.hold(name) { held in .done(.success(held)) }).onward { (held) throws(Failure) in
            try body(held).keeping(held)
        }
    }

    /// The document with the options and variables of the command.
    package func input(_ options: [MemberOption], members: JSONObject) throws(Failure) -> Input {
        var input = try inputs.input(options, members: members, profile: profile, isManaged: true)
        input.document.hintsForMissing += hintsForSecrets
        input.isOfFile = store is SingleFileStore
        guard let part else { return input }
        var placed = part.placed(input.document.members)
        // The user names this place for the token, as with `--allow-origin`.
        if let base = options.first(where: { $0.member == "api_base" }), inputs.settings.members.has(base) {
            placed["api_base"] = input.document.members["api_base"]
        }
        return input.with(placed)
    }

    /// What to do where a renewal lacks the client's secret: a login stores none of a variable.
    private var hintsForSecrets: [(name: String, hint: String)] {
        guard failures.login != nil else { return [] }
        return ClientCredential.allCases.compactMap { credential in
            let variable = Member.variable(for: credential.member)
            guard !inputs.environment.isSet(variable) else { return nil }
            let kept =
                profile == nil
                ? "oap login \(name.text) \(credential.option) PATH"
                : "oap profile show \(name.text) | oap profile set \(name.text) \(credential.option) PATH"
            return (credential.member, "export \(variable), or store the path of a file: \(kept)")
        }
    }

    /// The token document, renewed first if no more than these seconds are left of the token, or than the default for nil.
    ///
    /// - Throws: as `load()` and `renewed(because:after:)`.
    package func current(minimum: Int?) -> Attempt<JSONObject, Failure> {
        load().onward { (login) throws(Failure) in
            let kept = view(login)
            guard try isDue(kept, minimum: minimum) else {
                try warnOfRefusal(kept, minimum: minimum)
                return .done(.success(kept))
            }
            return renewed(because: .due(minimum: minimum, seen: kept["access_token"]?.string), after: login)
        }.onward(checked)
    }

    /// Warns if another token of the login is not what was asked for. It is held against that at each use: the token may be
    /// kept from a use at which a warning was enough.
    ///
    /// - Throws: with `--strict`.
    package func warnOfDeviations(_ document: JSONObject, in login: JSONObject) throws(Failure) {
        if let part { try inputs.diagnostics.warn(part.deviations(of: document, in: login)) }
    }

    /// A token that is used, after the warning; see ``warnOfDeviations(_:in:)``.
    ///
    /// - Throws: with `--strict`, and as `load()`.
    package func checked(_ document: JSONObject) throws(Failure) -> Attempt<JSONObject, Failure> {
        guard part != nil else { return .done(.success(document)) }
        return load().reading { (login) throws(Failure) in
            try warnOfDeviations(document, in: login)
            return document
        }
    }

    /// Warns of a token that has less left than was asked for, and that nothing renews.
    ///
    /// - Throws: with `--strict`.
    package func warnOfRefusal(_ kept: JSONObject, minimum: Int?) throws(Failure) {
        guard let minimum, !TokenDocument.isRenewable(renewable(kept), now: world.seconds),
            let left = kept["expires_at"]?.integer.map({ $0 - world.seconds }), left <= minimum
        else { return }
        try inputs.diagnostics.warn([failures.warning(of: failures.unrenewable(kept), left: left)])
    }

    /// - Throws: with `--strict`.
    package func warn(_ message: String) throws(Failure) { try inputs.diagnostics.warn([.other(message)]) }

    /// Whether no more than these seconds are left of a token, or than the default for nil, so that it is renewed as soon as
    /// its record allows that.
    package func isDue(_ kept: JSONObject, minimum: Int?) throws(Failure) -> Bool {
        try asFailure(RenewalReason.due(minimum: minimum, seen: nil).applies(to: renewable(kept), now: world.seconds))
    }

    /// A document that says what renews it; see ``JSONObject/adding(programsOf:)``.
    package func renewable(_ kept: JSONObject) -> JSONObject { kept.adding(programsOf: profile) }
}

extension Failure {
    /// An errand that holds a token: exit 6 where another process has its lock, which may wait for a slow server.
    package static func holding<Value>(_ errand: Attempt<Value, StoreError>) -> Attempt<Value, Failure> {
        errand.mapFailure { error in
            guard case .locked = error else { return Failure(error) }
            return Failure(.unavailable, .timeout, error.message, hint: error.hint)
        }
    }
}
