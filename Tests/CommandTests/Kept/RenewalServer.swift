import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// What comes of the first renewal of a token.
enum RenewalOutcome: CaseIterable {
    /// The server issues a token.
    case issued
    /// The server does not know the refresh token.
    case refused
    /// The server answers with 503.
    case unavailable
    /// The connection breaks before the answer.
    case lost
    /// The answer cannot be used.
    case unusable
    /// The same, with a refresh token that replaces the one that was sent.
    case unusableAndRotated
    /// The keys for the ID token cannot be fetched.
    case keysMissing
    /// The store has no room for another token.
    case storeFull
}

/// The authorization server and the API of one token. The first renewal comes out as a test wants it, the next ones bring
/// tokens; every refresh token serves once.
final class RenewalServer: Sendable {
    private struct State {
        var refreshToken = "rt-0"
        var tokenRequests: [ContinuousClock.Instant] = []
        var keyRequests: [ContinuousClock.Instant] = []
    }

    let responder: Responder
    private let log: Log

    init(_ outcome: RenewalOutcome) throws {
        let log = Log(outcome)
        self.log = log
        responder = try Responder { request in
            switch request.target {
            case "/token": log.token(for: request)
            case "/keys": log.keys()
            default:
                .json(
                    JSON.object([
                        "access_token": .string(
                            String((request.headers.first("Authorization") ?? "").dropFirst("Bearer ".count)))
                    ]).text)
            }
        }
    }

    /// The token requests so far.
    var tokenRequests: Int { log.state.withLock { $0.tokenRequests.count } }

    /// How much later than the first attempt to renew the token the second one began; nil without a second one.
    var pause: Duration? {
        let (tokens, keys) = log.state.withLock { ($0.tokenRequests, $0.keyRequests) }
        let attempts = log.outcome == .keysMissing ? keys : tokens
        return attempts.count < 2 ? nil : attempts[1] - attempts[0]
    }

    /// The members of the token document that name the server.
    var members: JSONObject {
        var members: JSONObject = [
            "token_endpoint": .string(responder.url("/token")), "api_base": .string(responder.url()),
            "refresh_token": "rt-0",
        ]
        guard log.outcome == .keysMissing else { return members }
        members["scope"] = "openid"
        members["id_token"] = "x"
        members["issuer"] = "https://as.example"
        members["jwks_uri"] = .string(responder.url("/keys"))
        return members
    }

    private final class Log: Sendable {
        let outcome: RenewalOutcome
        let state = Mutex(State())

        init(_ outcome: RenewalOutcome) { self.outcome = outcome }

        func token(for request: Responder.Request) -> Responder.Reply {
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            let sent = form.first { $0.name == "refresh_token" }?.value
            return state.withLock { state in
                state.tokenRequests.append(.now)
                let number = state.tokenRequests.count
                guard sent == state.refreshToken else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
                if number == 1, let reply = first(&state) { return reply }
                state.refreshToken = "rt-\(number)"
                let tokens = #""access_token":"at-\#(number)","refresh_token":"rt-\#(number)""#
                return .json(#"{\#(tokens),"token_type":"Bearer","expires_in":3600}"#)
            }
        }

        /// The reply to the first token request; nil for a token.
        private func first(_ state: inout State) -> Responder.Reply? {
            switch outcome {
            case .issued, .keysMissing, .storeFull: return nil
            case .refused:
                state.refreshToken = ""
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            case .unavailable: return .text("", status: 503)
            case .lost: return .reset
            case .unusable: return .json(#"{"access_token":"at-x","token_type":"mac"}"#)
            case .unusableAndRotated:
                state.refreshToken = "rt-rotated"
                return .json(#"{"access_token":"at-x","token_type":"mac","refresh_token":"rt-rotated"}"#)
            }
        }

        func keys() -> Responder.Reply {
            let count = state.withLock { state in
                state.keyRequests.append(.now)
                return state.keyRequests.count
            }
            return count == 1 && outcome == .keysMissing ? .text("", status: 404) : .json(#"{"keys":[]}"#)
        }
    }
}
