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
    /// There is no metadata that names the token endpoint.
    case metadataMissing
    /// The store has no room for another token.
    case storeFull
}

/// The authorization server and the API of one token. The first renewal comes out as a test wants it, the next ones bring
/// tokens; every refresh token serves once.
final class RenewalServer: Sendable {
    private struct State {
        var refreshToken = "rt-0"
        var tokenRequests: [ContinuousClock.Instant] = []
        var metadataRequests: [String: [ContinuousClock.Instant]] = [:]
    }

    let responder: Responder
    private let log: Log

    init(_ outcome: RenewalOutcome) throws {
        let log = Log(outcome)
        self.log = log
        responder = try Responder { request in
            switch request.target {
            case "/token": log.token(for: request)
            case let target where target.hasPrefix("/.well-known/"): log.metadata(for: request)
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
        let (tokens, metadata) = log.state.withLock { ($0.tokenRequests, $0.metadataRequests.values) }
        let attempts = log.outcome == .metadataMissing ? metadata.max { $0.count < $1.count } ?? [] : tokens
        return attempts.count < 2 ? nil : attempts[1] - attempts[0]
    }

    /// The members of the token document that name the server.
    var members: JSONObject {
        var members: JSONObject = [
            "token_endpoint": .string(responder.url("/token")), "api_base": .string(responder.url()),
            "refresh_token": "rt-0",
        ]
        guard log.outcome == .metadataMissing else { return members }
        members["token_endpoint"] = .null
        members["issuer"] = .string(responder.url())
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
            case .issued, .metadataMissing, .storeFull: return nil
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

        func metadata(for request: Responder.Request) -> Responder.Reply {
            let count = state.withLock { state in
                state.metadataRequests[request.target, default: []].append(.now)
                return state.metadataRequests[request.target]?.count
            }
            guard count != 1 || outcome != .metadataMissing else { return .text("", status: 404) }
            let address = "http://" + (request.headers.first("Host") ?? "")
            return .json(#"{"issuer":"\#(address)","token_endpoint":"\#(address)/token"}"#)
        }
    }
}
