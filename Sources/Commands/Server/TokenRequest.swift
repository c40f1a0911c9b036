internal import HTTP
internal import OAuth
internal import Wire

/// One request to the token endpoint, with everything that could fail beforehand done beforehand: the code or the
/// refresh token is spent last.
struct TokenRequest {
    /// Who asks.
    let server: ServerRequest
    private let grant: Grant
    private let endpoint: Endpoint
    private let format: RequestFormat
    private var expectation: TokenResponse.Expectation
    private let document: Document
    private let stake: Stake
    private let idTokenCheck: IDTokenCheck?

    /// Makes the request ready: checks the endpoint, finds the secret, fetches the keys that an ID token will need.
    ///
    /// - Throws: every failure that leaves the grant unspent.
    init(grant: Grant, input: Input, session: Session) throws(Failure) {
        self.grant = grant
        document = input.document
        stake = grant.isSpent ? .spends : .repeatable
        (endpoint, format, expectation) = try Failure.lifting(input.document) { () throws(OAuthError) in
            try AuthorizationRequest.refuseDPoP(input.document)
            return (
                try grant.endpoint(of: input.document), try RequestFormat(ofTokenRequests: input.document),
                try TokenResponse.Expectation(grant, of: input.document)
            )
        }
        for secret in Member.masked.compactMap({ grant.parameters[$0] }) { session.redactor.add(secret) }
        server = try ServerRequest(of: input, session: session)
        idTokenCheck = try IDTokenCheck(for: grant, input: input, server: server)
        expectation.verifiesIDToken = idTokenCheck != nil
    }

    /// Sends the request, and checks what comes back.
    ///
    /// - Parameter rescue: takes the new refresh token of an answer that is refused for something else.
    /// - Throws: every failure of the exchange; exit 12 where its outcome is unknown.
    func send(
        _ session: Session, rescue: ((String) throws(Failure) -> Void)? = nil
    ) throws(Failure) -> IssuedToken {
        let start = session.now
        let answer = try server.send(grant.parameters, to: endpoint, as: format, stake: stake)
        return try issued(by: answer, start: start, session: session, rescue: rescue)
    }

    /// Checks an answer.
    ///
    /// - Parameters:
    ///   - start: when its request started, in seconds since 1970.
    ///   - rescue: as in `send`.
    /// - Throws: every failure of the exchange.
    func issued(
        by answer: HTTPResponse, start: Int, session: Session, rescue: ((String) throws(Failure) -> Void)? = nil
    ) throws(Failure) -> IssuedToken {
        do throws(Failure) {
            return try check(answer, start: start, session: session)
        } catch {
            guard let rotated = TokenResponse.refreshToken(inRefused: answer, shape: expectation.shape) else {
                throw error
            }
            guard let rescue else {
                var failure = error
                failure.hint = error.hint ?? "the answer is lost, and what was sent for it is spent: log in again"
                throw failure
            }
            try rescue(rotated)
            throw error
        }
    }

    /// Sends the request, for whom it matters why there is no answer.
    func answer() throws(HTTPError) -> HTTPResponse {
        try server.answer(to: grant.parameters, at: endpoint, as: format)
    }

    /// The server's no to the request; nil for a token, and for an answer that cannot be understood.
    func refusal(in answer: HTTPResponse) -> OAuthError? {
        do throws(OAuthError) {
            _ = try TokenResponse(answer, expecting: expectation)
            return nil
        } catch {
            return error.kind == .oauth || error.kind == .httpStatus ? error : nil
        }
    }

    private func check(_ answer: HTTPResponse, start: Int, session: Session) throws(Failure) -> IssuedToken {
        let response = try read(answer)
        try session.diagnostics.warn(response.warnings)
        let claims = try idTokenCheck?.check(response, session: session)
        return IssuedToken(response: response, start: start, claims: claims)
    }

    private func read(_ answer: HTTPResponse) throws(Failure) -> TokenResponse {
        do throws(OAuthError) {
            return try TokenResponse(answer, expecting: expectation)
        } catch {
            throw failure(error)
        }
    }

    /// What an error of the answer means for the command.
    func failure(_ error: OAuthError) -> Failure {
        Failure(explained(error), document: document, stake: stake)
    }

    /// The error with what it means for this grant: a refresh token that is refused needs a new login (RFC 6749 §5.2).
    private func explained(_ error: OAuthError) -> OAuthError {
        var error = error
        if error.kind == .oauth, error.code == "invalid_grant", grant.type == "refresh_token" {
            error.kind = .reauthRequired
            error.hint = "the refresh token is spent, revoked or expired; log in again"
        } else if error.kind == .oauth, error.code == "invalid_grant", grant.type == "authorization_code" {
            error.hint = "a code serves once and not for long; begin again with oap authurl"
        } else if error.kind == .oauth, error.code == "invalid_grant", grant.isDevice {
            error.hint = "a device code serves once; begin again for a new one"
        } else if error.code == "invalid_client" {
            error.hint = "check client_id, the secret and token_endpoint_auth_method"
        }
        return error
    }
}

/// A token that was issued and checked.
struct IssuedToken {
    /// The answer.
    let response: TokenResponse
    /// When the request started, in seconds since 1970.
    let start: Int
    /// The claims of the ID token, when one was checked.
    let claims: JSONObject?

    /// The token document with the claims of the ID token.
    func addingClaims(to document: JSONObject) -> JSONObject {
        guard let claims else { return document }
        var document = document
        document["id_token_claims"] = .object(claims)
        return document
    }
}
