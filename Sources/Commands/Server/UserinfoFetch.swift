internal import OAuth
internal import System
internal import Wire

/// The claims of the userinfo endpoint about the user of a token (OpenID Connect Core §5.3).
struct UserinfoFetch {
    private let managed: ManagedToken?
    private let members: [MemberOption]
    private let transport: Transport
    private let login: String?
    private(set) var input: Input

    /// Reads the token document. A stored token is renewed first if it is due.
    ///
    /// - Throws: exit 2, 3, 6, 8 or 11; the failure of an earlier stage, to be passed on.
    init(_ inputs: InputReader, over transport: Transport, members: [MemberOption]) throws(Failure) {
        (self.members, self.transport) = (members, transport)
        managed = try ManagedToken(inputs, over: transport)
        login = if case .name(let name) = try inputs.source() { "oap login \(name)" } else { nil }
        if let managed {
            let token = try managed.current(minimum: try MinimumTTL.seconds(of: inputs.arguments))
            input = try managed.input(members, members: token)
        } else {
            input = try inputs.read(members)
        }
    }

    /// Asks the endpoint. A stored token that it refuses is renewed, once.
    ///
    /// - Parameter checksSubject: whether the answer must have the `sub` of the ID token, as OpenID Connect demands.
    /// - Throws: exit 2 to 11.
    mutating func claims(checksSubject: Bool = true) throws(Failure) -> JSONObject {
        let refusal: Failure
        do throws(Failure) {
            return try answer(checksSubject)
        } catch {
            guard error.code == "invalid_token" else { throw error }
            refusal = error
        }
        let isRenewable = TokenDocument.isRenewable(input.document.members)
        guard let managed, isRenewable, let refused = try input.secret("access_token") else {
            throw unrenewed(refusal, isRenewable: isRenewable)
        }
        input = try managed.input(members, members: try managed.renewed(because: .refused(refused)))
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

    /// The failure for a token that is refused, and not renewed here.
    private func unrenewed(_ refusal: Failure, isRenewable: Bool) -> Failure {
        var failure = refusal
        failure.hint = isRenewable ? "the token may have expired: oap refresh renews it" : login ?? "log in again"
        guard managed != nil else { return failure }
        (failure.exit, failure.kind, failure.code) = (.loginNeeded, .reauthRequired, nil)
        failure.message += ", and nothing can renew it"
        return failure
    }

    private mutating func answer(_ checksSubject: Bool) throws(Failure) -> JSONObject {
        input = try input.completed(needing: ["userinfo_endpoint"], over: transport)
        guard let text = try input.secret("access_token") else { throw Failure(input.document.missing("access_token")) }
        let (document, userinfo) = (input.document, try lift(try Userinfo(of: input.document)))
        let token = try lift(try AccessToken(text, of: document))
        // The client certificate is for the authorization server. A userinfo endpoint elsewhere gets the token alone.
        let server = try? Endpoint("token_endpoint", in: document)
        let response = try transport.ask(
            userinfo.request(with: token), at: userinfo.endpoint,
            withCertificate: userinfo.endpoint.url.origin == server?.url.origin)
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
        let (keys, secret) = try input.keys(for: token, fetches: userinfo.needsKeys(for: token), over: transport)
        return try lift(try userinfo.claims(of: token, with: keys, now: Clock.now, secret: secret))
    }
}
