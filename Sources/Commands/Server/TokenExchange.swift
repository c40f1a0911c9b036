internal import OAuth
internal import Wire

/// An exchange with the token endpoint, in which everything that could fail beforehand is done beforehand: the code or
/// the refresh token is spent last.
struct TokenExchange {
    private let server: AuthorizationServer
    private var request: TokenRequest
    private let document: Document
    private let session: Session
    private var idTokenCheck: IDTokenCheck?
    private let stake: Stake

    /// Makes the request: checks the endpoint, finds the secret. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    init(_ grant: Grant, input: Input, session: Session) throws(Failure) {
        document = input.document
        self.session = session
        stake = grant.kind.facts.isSpent ? .spends : .repeatable
        for secret in grant.secrets { session.redactor.add(secret) }
        request = try lift(
            try TokenRequest(grant, of: input.document))
        server = try AuthorizationServer(of: input, session: session)
        idTokenCheck = try IDTokenCheck(of: grant, input: input, server: server)
        request.expectation.verifiesIDToken = idTokenCheck != nil
    }

    /// Fetches the keys that an ID token will need, so that a failure to fetch them costs nothing.
    ///
    /// - Throws: every failure that leaves the grant unspent.
    mutating func prepare() throws(Failure) { try idTokenCheck?.prepare() }

    /// Sends the request, and checks what comes back. A grant that is polled for is sent until a person has decided.
    ///
    /// - Throws: every failure of the exchange; exit 12 where its outcome is unknown.
    func run() throws(Failure) -> IssuedToken {
        guard request.grant.kind.facts.isPolled else { return try token(of: try attempt()) }
        var poll = try DevicePoll(self, for: document, session: session)
        return try poll.token()
    }

    /// Sends the request once.
    ///
    /// - Throws: exit 2 or 11 for a transport that cannot be set up.
    func attempt() throws(Failure) -> TokenOutcome {
        let start = session.now
        let answer: EndpointResponse
        switch try server.attempt(request) {
        case .success(let response): answer = response
        case .failure(let error): return .lost(error)
        }
        let response: TokenResponse
        do throws(OAuthError) {
            response = try TokenResponse(answer, expecting: request.expectation)
        } catch {
            guard error.kind != .oauth, error.kind != .httpStatus else {
                return .refused(request.grant.explained(error))
            }
            let rotated = answer.rotatedRefreshToken(shape: request.expectation.shape)
            return .unusable(failure(error), refreshToken: rotated)
        }
        do throws(Failure) {
            try session.diagnostics.warn(response.warnings)
            let claims = try idTokenCheck?.check(response, session: session)
            return .token(
                IssuedToken(
                    response, for: request.grant.kind, by: server.authentication.method, start: start, claims: claims))
        } catch {
            return .unusable(error, refreshToken: response.refreshToken)
        }
    }

    /// The token of an outcome.
    ///
    /// - Throws: every other outcome.
    func token(of outcome: TokenOutcome) throws(Failure) -> IssuedToken {
        switch outcome {
        case .token(let token): return token
        case .refused(let error): throw failure(error)
        case .lost(let error): throw Failure(error, stake: stake)
        case .unusable(var failure, let refreshToken):
            if refreshToken != nil, failure.hint == nil {
                failure.hint = "the answer is lost, and what was sent for it is spent: log in again"
            }
            throw failure
        }
    }

    /// What an error of the server means for the command.
    func failure(_ error: OAuthError) -> Failure { Failure(error, stake: stake) }
}
