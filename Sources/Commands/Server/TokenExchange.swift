internal import OAuth
internal import System
internal import Wire

/// A request to the token endpoint. Whatever can fail beforehand is done beforehand: a code or a refresh token can be
/// used only once.
struct TokenExchange {
    private let server: AuthorizationServer
    private var request: TokenRequest
    private var idTokenCheck: IDTokenCheck?
    private let stake: Stake

    /// The outcome of a request.
    enum Outcome {
        /// A token that passed every check.
        case token(IssuedToken)
        /// An error response.
        case refused(OAuthError)
        /// A response that cannot be used. A refresh token in it replaces the one that was sent.
        case unusable(Failure, refreshToken: String?)
        /// No response.
        case lost(HTTPError)
    }

    /// Makes the request: checks the endpoint, finds the secret. Nothing is sent.
    ///
    /// - Throws: exit 2, 3, 9 or 11.
    init(_ grant: Grant, input: Input, over transport: Transport) throws(Failure) {
        stake = grant.kind.facts.isSpent ? .spends : .repeatable
        for secret in grant.secrets { transport.diagnostics.redactor.add(secret) }
        request = try lift(try TokenRequest(grant, of: input.document))
        server = try AuthorizationServer(of: input, over: transport)
        idTokenCheck = try IDTokenCheck(of: grant, input: input, server: server)
        request.expectation.verifiesIDToken = idTokenCheck != nil
    }

    /// Fetches the keys for an ID token, while the grant is still unused.
    ///
    /// - Throws: every failure to fetch them.
    mutating func prepare() throws(Failure) { try idTokenCheck?.prepare() }

    /// Sends the request once.
    ///
    /// - Throws: exit 2 or 11 for a transport that cannot be set up.
    func attempt() throws(Failure) -> Outcome {
        let start = Clock.now
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
            try server.diagnostics.warn(response.warnings)
            let claims = try idTokenCheck?.check(response, now: Clock.now)
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
    func token(of outcome: Outcome) throws(Failure) -> IssuedToken {
        switch outcome {
        case .token(let token): return token
        case .refused(let error): throw failure(error)
        case .lost(let error): throw Failure(error, stake: stake)
        case .unusable(var failure, let refreshToken):
            if refreshToken != nil, failure.hint == nil {
                failure.hint = "the response cannot be used, and the code or refresh token is used up: log in again"
            }
            throw failure
        }
    }

    /// What an error of the server means for the command.
    func failure(_ error: OAuthError) -> Failure { Failure(error, stake: stake) }
}
