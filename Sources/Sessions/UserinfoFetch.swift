package import Engine
package import Errands
package import OAuth
package import Wire
package import Shell
package import Tokens

/// The claims of the userinfo endpoint about the user of a token (OpenID Connect Core §5.3).
package struct UserinfoFetch {
    private let managed: ManagedToken?
    private let members: [MemberOption]
    private let session: Session
    /// The token document, with the options and variables of the command.
    package private(set) var input: Input

    /// Reads the token document. Nothing is sent.
    ///
    /// - Parameter isRaw: whether standard input holds only the token.
    /// - Throws: exit 2, 3, 8 or 11; the failure of an earlier stage, to be passed on.
    package init(_ session: Session, members: [MemberOption], isRaw: Bool = false) throws(Failure) {
        (self.members, self.session) = (members, session)
        guard !isRaw else {
            managed = nil
            input = try session.inputs.read(members)
            input.document.members.remove(Member.ofAll(but: .scope))
            input = input.adding(["access_token": .string(try session.inputs.bareToken())])
            return
        }
        let subject = try Subject(of: session, members)
        (managed, input) = (subject.token, subject.input)
    }

    /// Asks the endpoint. A stored token is renewed first if it is due, and once if the endpoint refuses it.
    ///
    /// - Parameter checksSubject: whether the answer must have the `sub` of the ID token, as OpenID Connect demands.
    /// - Throws: exit 2 to 11.
    package mutating func claims(checksSubject: Bool = true) throws(ServerFault) -> JSONObject {
        let (transport, engine) = (session.transport, session.engine)
        if let managed, !transport.isDryRun {
            let current = managed.current(minimum: session.inputs.settings.minimum)
                .reading { [members] (document) throws(Failure) in try managed.input(members, members: document) }
            input = try ServerFault.doing(engine.run(current))
        }
        input = try ServerFault.doing(engine.run(input.withToken()))
        input = try engine.run(input.completing(needing: ["userinfo_endpoint"], over: transport))
        guard let text = try ServerFault.doing(input.secret("access_token")) else {
            throw .refused(input.document.missing("access_token"))
        }
        let userinfo = try ServerFault.reading(Userinfo(of: input.document))
        let binding = try ServerFault.doing(input.binding())
        let token = try ServerFault.reading(AccessToken(text, of: input.document, binding: binding))
        defer { engine.run(managed?.keepNonces(of: token.binding) ?? .done(())) }
        let claims = try engine.run(input.members(of: try answer(userinfo, token), over: transport))
        if checksSubject || claims["sub"] != nil {
            let warnings = try ServerFault.reading(userinfo.checkSubject(of: claims))
            try ServerFault.doing(transport.diagnostics.warn(warnings))
        }
        return claims
    }

    private func answer(_ userinfo: Userinfo, _ token: AccessToken) throws(ServerFault) -> SignedAnswer {
        var renewal: Result<HandedToken, Failure>?
        let renew = managed.map { [members] managed in
            { (refused: AccessToken) -> Errand<AccessToken?> in
                managed.renewed(because: .refused(refused.token)).onward { (document) throws(Failure) in
                    try managed.handed(of: document, options: members)
                }.then { (result: Result<HandedToken, Failure>) in
                    renewal = result
                    return .done((try? result.get())?.access)
                }
            }
        }
        let decryption = try ServerFault.doing(input.decryption(for: .userinfo))
        do throws(ServerFault) {
            return try userinfo.answer(
                to: token, of: input.document, decryption, over: session.transport, session.engine, renew: renew)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == "invalid_token" else { throw error }
            throw fault(of: refusal, after: renewal)
        }
    }

    /// The fault of a refused token, after a renewal that failed or did not help.
    private func fault(of refusal: OAuthError, after renewal: Result<HandedToken, Failure>?) -> ServerFault {
        var refusal = refusal
        switch renewal {
        case .failure(var failure):
            guard failure.kind.needsLogin else { return .own(failure) }
            failure = failure.prefixed("\(refusal.message), and the token cannot be renewed: ")
            failure.httpStatus = refusal.status
            return .own(failure)
        case .success:
            refusal.hint = "the renewed token is refused too: \(managed?.failures.login ?? "log in again")"
        case nil where managed == nil:
            refusal.hint =
                input.names("refresh_token") ? "the token may have expired: oap refresh renews it" : "log in again"
        case nil: break
        }
        return .refused(refusal)
    }
}

extension Userinfo {
    /// Asks the endpoint. The redactor takes note of the secrets in the answer.
    ///
    /// - Parameters:
    ///   - seconds: how long it may take; nil for the limit of the transport.
    ///   - renew: see ``Transport/asked(_:with:for:pausing:remake:renew:)``.
    package func answer(
        to token: AccessToken, of document: Document, _ decryption: JWTDecryption, over transport: Transport,
        _ engine: Engine, within seconds: Double? = nil, renew: ((AccessToken) -> Errand<AccessToken?>)? = nil
    ) throws(ServerFault) -> SignedAnswer {
        var asked = ServerRequest(
            message: request, withCertificate: document.sendsCertificate(to: endpoint.url, with: token.token))
        asked.maximumTime = seconds
        let call = try ServerFault.doing(transport.serving(document).asked(asked, with: token, renew: renew))
        let result: ServerRequest.Result = engine.run(call)
        switch result {
        case .success(let response):
            let response = transport.diagnostics.redactor.learn(response)
            return try ServerFault.reading(answer(response, scheme: token.scheme, decryption: decryption))
        case .failure(let error): throw .lost(error, from: endpoint)
        }
    }
}
