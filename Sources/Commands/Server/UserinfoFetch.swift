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
        minimum = try MinimumTTL.seconds(of: inputs.arguments)
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
    mutating func claims(checksSubject: Bool = true) throws(Failure) -> JSONObject {
        if let managed, !transport.isDryRun {
            let current = try engine.run(managed.current(minimum: minimum))
            input = try engine.run(try managed.input(members, members: current).with(secrets: ["access_token"]))
        }
        let refusal: Failure
        do throws(Failure) {
            return try answer(checksSubject)
        } catch {
            guard error.code == "invalid_token" else { throw error }
            refusal = error
        }
        guard let managed, let refused = try input.secret("access_token") else { throw unmanaged(refusal) }
        do throws(Failure) {
            let renewed = try engine.run(managed.renewed(because: .refused(refused)))
            input = try engine.run(try managed.input(members, members: renewed).with(secrets: ["access_token"]))
        } catch {
            guard error.kind.needsLogin else { throw error }
            var failure = error
            failure.message = "\(refusal.message), and the token cannot be renewed: \(error.message)"
            failure.httpStatus = refusal.httpStatus
            throw failure
        }
        do throws(Failure) {
            return try answer(checksSubject)
        } catch {
            var failure = error
            if failure.code == "invalid_token" {
                failure.hint = "the renewed token is refused too: \(login ?? "log in again")"
            }
            throw failure
        }
    }

    /// The failure for a token of the caller's that is refused.
    private func unmanaged(_ refusal: Failure) -> Failure {
        var failure = refusal
        failure.hint =
            input.names("refresh_token") ? "the token may have expired: oap refresh renews it" : "log in again"
        return failure
    }

    private mutating func answer(_ checksSubject: Bool) throws(Failure) -> JSONObject {
        input = try engine.run(input.completed(needing: ["userinfo_endpoint"], over: transport))
        guard let text = try input.secret("access_token") else { throw Failure(input.document.missing("access_token")) }
        let (document, userinfo) = (input.document, try lift(try Userinfo(of: input.document)))
        let token = try lift(try AccessToken(text, of: document))
        // The client certificate is for the authorization server. A userinfo endpoint elsewhere gets the token alone.
        let server = try? Endpoint("token_endpoint", in: document)
        let request = ServerRequest(
            message: userinfo.request(with: token),
            withCertificate: userinfo.endpoint.url.origin == server?.url.origin)
        let response = try engine.run(transport.answer(to: request, from: userinfo.endpoint))
        let (claims, warnings) =
            switch try lift(try userinfo.answer(response, scheme: token.scheme)) {
            case .claims(let claims, let warnings): (claims, warnings)
            case .signed(let signed): try claims(of: signed, userinfo)
            }
        try transport.diagnostics.warn(warnings)
        if checksSubject || claims["sub"] != nil {
            try transport.diagnostics.warn(try lift(try userinfo.checkSubject(of: claims)))
        }
        return claims
    }

    private func claims(of token: JSONWebToken, _ userinfo: Userinfo) throws(Failure) -> (JSONObject, [OAuthWarning]) {
        let (keys, secret) = try engine.run(
            input.keys(for: token, fetches: userinfo.needsKeys(for: token), over: transport))
        return try lift(try userinfo.claims(of: token, with: keys, now: Clock.now, secret: secret))
    }
}
