internal import Engine
internal import Errands
internal import OAuth
internal import System
internal import Wire

/// The claims of the userinfo endpoint about the user of a token (OpenID Connect Core §5.3).
struct UserinfoFetch {
    private let managed: ManagedToken?
    private let members: [MemberOption]
    private let transport: Transport
    private let engine: Engine
    private let login: String?
    private let minimum: Int?
    /// The token document, with the options and variables of the command.
    private(set) var input: Input

    /// Reads the token document. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 8 or 11; the failure of an earlier stage, to be passed on.
    init(_ session: Session, members: [MemberOption]) throws(Failure) {
        let inputs = session.inputs
        (self.members, transport, engine) = (members, session.transport, session.engine)
        managed = try ManagedToken(inputs, over: transport)
        login = if case .name(let name) = try inputs.source() { "oap login \(name)" } else { nil }
        minimum = inputs.settings.minimum
        if let managed {
            input = try engine.run(
                try managed.input(members, members: try engine.run(managed.load())).with(secrets: ["access_token"]))
        } else {
            input = try engine.run(try inputs.read(members).with(secrets: ["access_token"]))
        }
    }

    /// Asks the endpoint. A stored token is renewed first if it is due, and once if the endpoint refuses it.
    ///
    /// - Parameter checksSubject: whether the answer must have the `sub` of the ID token, as OpenID Connect demands.
    /// - Throws: exit 2 to 11.
    mutating func claims(checksSubject: Bool = true) throws(ServerFault) -> JSONObject {
        if let managed, !transport.isDryRun {
            try ServerFault.doing(try use(managed.current(minimum: minimum), of: managed))
        }
        let refusal: OAuthError
        do throws(ServerFault) {
            return try answer(checksSubject)
        } catch {
            guard case .refused(let said) = error, said.code == "invalid_token" else { throw error }
            refusal = said
        }
        guard let managed, let refused = try ServerFault.doing(try input.secret("access_token")) else {
            throw .refused(unmanaged(refusal))
        }
        do throws(Failure) {
            try use(managed.renewed(because: .refused(refused)), of: managed)
        } catch {
            guard error.kind.needsLogin else { throw .own(error) }
            var failure = error.prefixed("\(refusal.message), and the token cannot be renewed: ")
            failure.httpStatus = refusal.status
            throw .own(failure)
        }
        do throws(ServerFault) {
            return try answer(checksSubject)
        } catch {
            guard case .refused(var again) = error, again.code == "invalid_token" else { throw error }
            again.hint = "the renewed token is refused too: \(login ?? "log in again")"
            throw .refused(again)
        }
    }

    private mutating func use(_ token: Attempt<JSONObject, Failure>, of managed: ManagedToken) throws(Failure) {
        let document = try engine.run(token)
        input = try engine.run(try managed.input(members, members: document).with(secrets: ["access_token"]))
    }

    /// The error for a token of the caller's that is refused.
    private func unmanaged(_ refusal: OAuthError) -> OAuthError {
        var error = refusal
        error.hint =
            input.names("refresh_token") ? "the token may have expired: oap refresh renews it" : "log in again"
        return error
    }

    private mutating func answer(_ checksSubject: Bool) throws(ServerFault) -> JSONObject {
        input = try engine.run(input.completing(needing: ["userinfo_endpoint"], over: transport))
        guard let text = try ServerFault.doing(try input.secret("access_token")) else {
            throw .refused(input.document.missing("access_token"))
        }
        let document = input.document
        let userinfo = try ServerFault.reading(try Userinfo(of: document))
        let token = try ServerFault.reading(try AccessToken(text, of: document))
        let request = userinfo.asked(with: token, of: document)
        let response = try engine.run(transport.answer(to: request, from: userinfo.endpoint))
        let (claims, warnings) =
            switch try ServerFault.reading(try userinfo.answer(response, scheme: token.scheme)) {
            case .claims(let claims, let warnings): (claims, warnings)
            case .signed(let signed): try claims(of: signed, userinfo)
            }
        try ServerFault.doing(try transport.diagnostics.warn(warnings))
        if checksSubject || claims["sub"] != nil {
            let warnings = try ServerFault.reading(try userinfo.checkSubject(of: claims))
            try ServerFault.doing(try transport.diagnostics.warn(warnings))
        }
        return claims
    }

    private func claims(
        of token: JSONWebToken, _ userinfo: Userinfo
    ) throws(ServerFault) -> (JSONObject, [OAuthWarning]) {
        let fetched = input.keys(for: token, fetches: userinfo.needsKeys(for: token), over: transport)
        let (keys, secret) = try ServerFault.doing(try engine.run(fetched))
        return try ServerFault.reading(try userinfo.claims(of: token, with: keys, now: Clock.now, secret: secret))
    }
}

extension Userinfo {
    /// The request with a token of a document. The client certificate is for the authorization server: a userinfo endpoint
    /// elsewhere gets the token alone.
    func asked(with token: AccessToken, of document: Document) -> ServerRequest {
        let server = try? Endpoint("token_endpoint", in: document)
        return ServerRequest(
            message: request(with: token), withCertificate: endpoint.url.origin == server?.url.origin)
    }
}
