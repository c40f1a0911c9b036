import Synchronization
import TestSupport
import Testing
import Wire

/// Tests of a login beside whose token others are kept.
protocol DerivedTokens {
    var managed: ManagedHome { get }
    var server: Responder { get }
}

extension DerivedTokens {
    /// An authorization server that issues `new-1`, `new-2` and so on, and refuses two resources.
    static func tokenServer() throws -> Responder {
        let issued = Mutex(0)
        return try Responder { request in
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            if form.contains(where: { $0 == ("resource", "https://refused.example") }) {
                return .json(#"{"error":"invalid_target"}"#, status: 400)
            }
            if form.contains(where: { $0 == ("resource", "https://ended.example") }) {
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
            let number = issued.withLock {
                $0 += 1
                return $0
            }
            let isRefresh = form.contains { $0 == ("grant_type", "refresh_token") }
            return .json(
                JSON.object([
                    "access_token": .string("new-\(number)"), "token_type": "Bearer", "expires_in": .integer(3600),
                    "refresh_token": isRefresh ? .string("rt-\(number)") : .null,
                ]).text)
        }
    }

    func token(_ options: String...) throws -> String {
        try String(managed.oap(["token", "work"] + options).run().expect(status: 0).text.dropLast())
    }

    /// The parameters of a request, in order.
    func form(_ number: Int) throws -> [String] {
        try FormEncoding.parse(server.requests[number].bodyText).map { "\($0.name)=\($0.value)" }
    }

    func put(_ members: [String: JSON?]) throws {
        var token = try managed.stored()
        for (name, value) in members { token[name] = value }
        try managed.put(token)
    }

    /// Lets the tokens that are kept beside the login's expire.
    func expireOthers() throws {
        let others = try managed.stored()["derived_tokens"]?.array?.compactMap(\.object) ?? []
        try put(["derived_tokens": .array(others.map { .object($0.with(["expires_at": .integer(1)])) })])
    }
}
