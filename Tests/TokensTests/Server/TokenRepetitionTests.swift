import Calls
import Errands
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// What of a token request may be used up, and so is not sent again.
@Suite("Token requests that may be sent again")
struct TokenRepetitionTests {
    private static let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(inMemory: true) }

    private func exchange(_ grant: String, _ members: JSONObject) throws -> TokenExchange {
        let scene = try KeptScene([:])
        let client: JSONObject = ["client_id": "c", "token_endpoint": "https://as.example.com/token"]
        let input = try scene.session.inputs.input([], members: client.with(members), profile: nil)
        let made = try input.grant(Grant.Kind(named: grant), extra: [])
        return try TokenExchange(made, input: input, over: scene.session.transport)
    }

    /// Requests with an assertion that another run of a program may replace, and with none.
    private func repeated() throws -> (assertion: TokenExchange, client: TokenExchange) {
        let file = try folder.write("a.b.c\n", to: "assertion")
        return (
            try exchange(Self.bearer, ["assertion_file": .string(file)]),
            try exchange("client_credentials", ["client_secret": "s"])
        )
    }

    @Test("what is used up is sent once, and a password, for which the server counts")
    func kinds() throws {
        #expect(try exchange("password", ["username": "u", "password": "p"]).repetition == .unsent)
        #expect(try exchange(Self.bearer, ["assertion": "a.b.c"]).repetition == .unsent)
        #expect(try exchange("refresh_token", ["refresh_token": "r"]).repetition == .deferred)
        #expect(try exchange("urn:x:own", [:]).repetition == .deferred)
        let (assertion, client) = try repeated()
        #expect(assertion.repetition == .always)
        #expect(client.repetition == .always)
    }

    @Test("under a further claim an assertion that may have arrived is not sent again, and what did not arrive is")
    func further() throws {
        let (assertion, client) = try repeated()
        for (isSent, isOfAssertion) in [(true, false), (false, true)] {
            let lost = TokenExchange.Outcome.lost(
                .network(stage: .read, message: "connection reset", requestSent: isSent))
            #expect(assertion.mayRepeat(lost, as: .lasting) == isOfAssertion)
            #expect(client.mayRepeat(lost, as: .lasting))
            #expect(!client.mayRepeat(lost, as: .none))
        }
        let failed = TokenExchange.Outcome.refused(OAuthError(.httpStatus, "it failed", status: 503))
        #expect(!assertion.mayRepeat(failed, as: .lasting))
        #expect(client.mayRepeat(failed, as: .lasting))
    }

    @Test("a refresh token may be used up where its answer was lost, is of no use, or is that of a server that failed")
    func doubts() throws {
        let renewal = try exchange("refresh_token", ["refresh_token": "r"])
        let fault = ServerFault.refused(OAuthError(.invalidResponse, "it is no token", status: 200))
        for (outcome, isDoubtful) in [
            (.unusable(fault, refreshToken: nil, revocation: nil), true),
            (.unusable(fault, refreshToken: "new", revocation: nil), false),
            (.lost(.network(stage: .read, message: "", requestSent: true)), true),
            (.lost(.network(stage: .connect, message: "", requestSent: false)), false),
            (.refused(OAuthError(.oauth, "", status: 400)), false),
            (.refused(OAuthError(.httpStatus, "", status: 408)), true),
            (.refused(OAuthError(.httpStatus, "", status: 500)), true),
        ] as [(TokenExchange.Outcome, Bool)] {
            #expect(renewal.isDoubtful(outcome) == isDoubtful, "\(outcome)")
        }
    }
}
