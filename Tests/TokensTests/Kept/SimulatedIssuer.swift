import OAuth
import Wire

/// An authorization server that rotates refresh tokens, as far as a claim is concerned: the tokens are numbers.
struct SimulatedIssuer {
    enum Manner: CaseIterable {
        /// It refuses an old token, and ends the new one too.
        case punishing
        /// It only refuses an old token.
        case strict
        /// It takes the token before the last one as well.
        case lenient
    }

    let manner: Manner
    /// The newest token.
    private(set) var current = 1
    private(set) var isAlive = true
    /// How often each token was sent.
    private(set) var sent: [Int: Int] = [:]

    init(_ manner: Manner) { self.manner = manner }

    /// A request with a token leaves a machine.
    ///
    /// - Returns: how many left before it.
    mutating func send(_ token: Int) -> Int {
        defer { sent[token, default: 0] += 1 }
        return sent[token] ?? 0
    }

    /// A request was answered with an error that surely changed nothing: it counts for none.
    mutating func forget(_ token: Int) { sent[token, default: 1] -= 1 }

    func takes(_ token: Int) -> Bool { token == current || manner == .lenient && token == current - 1 }

    /// A request arrives.
    ///
    /// - Returns: the new token; nil for a refusal.
    mutating func take(_ token: Int) -> Int? {
        guard isAlive else { return nil }
        guard takes(token) else {
            if manner == .punishing { isAlive = false }
            return nil
        }
        current += 1
        return current
    }
}

/// The token documents of a simulated issuer: `at-3` and `rt-3`.
enum NumberedToken {
    /// Seconds.
    static let lifetime = 3600

    /// - Parameter end: of the access token, in seconds since 1970.
    static func document(_ number: Int, until end: Int) -> JSONObject {
        [
            "client_id": "c", "issuer": "https://as.example.com", "token_endpoint": "https://as.example.com/token",
            "token_type": "Bearer", "access_token": .string("at-\(number)"),
            "refresh_token": .string("rt-\(number)"), "expires_in": .integer(lifetime), "expires_at": .integer(end),
        ]
    }

    static func answer(_ number: Int, type: String = "Bearer") -> String {
        #"{"access_token":"at-\#(number)","token_type":"\#(type)","expires_in":\#(lifetime),"#
            + #""refresh_token":"rt-\#(number)"}"#
    }

    /// The refresh token that a document has, or had when it was refused.
    static func number(of document: JSONObject) -> Int? {
        if let token = document["refresh_token"]?.string { return Int(token.dropFirst("rt-".count)) }
        return document[SpentToken.member]?.string.flatMap { numbers[$0] }
    }

    static func number(ofAccess document: JSONObject) -> Int? {
        document["access_token"]?.string.flatMap { Int($0.dropFirst("at-".count)) }
    }

    /// The refresh token that a request sends.
    static func number(in request: HTTPRequest) -> Int? {
        String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&").lazy
            .filter { $0.hasPrefix("refresh_token=rt-") }.compactMap { Int($0.dropFirst("refresh_token=rt-".count)) }
            .first
    }

    private static let numbers = Dictionary(uniqueKeysWithValues: (1...100).map { (SpentToken.hash("rt-\($0)"), $0) })
}
