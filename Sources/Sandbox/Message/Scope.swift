/// A set of scope values in the requested order (RFC 6749 §3.3).
struct Scope: Equatable {
    let values: [String]

    /// The values that every sandbox has.
    static let standard = Scope(["openid", "profile", "email", "offline_access", "user", "repo", "gist"])

    /// Makes a scope of valid values.
    init(_ values: [String]) { self.values = values }

    /// Reads a `scope` parameter.
    init(parsing text: String) throws(Refusal) {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw .invalidScope("the scope has characters that are not allowed in a scope")
        }
        var values: [String] = []
        for value in text.split(separator: " ").map(String.init) where !values.contains(value) { values.append(value) }
        self.init(values)
    }

    var text: String { values.joined(separator: " ") }

    func contains(_ value: String) -> Bool { values.contains(value) }

    func within(_ other: Scope) -> Scope { Scope(values.filter(other.contains)) }

    /// The requested scope, if it is a subset of this one; all of this one if none is requested.
    ///
    /// - Parameter known: the values of the server, if others are to be ignored beside `openid` (OpenID Connect Core
    ///   §3.1.2.1).
    /// - Throws: `invalid_scope` for a value that is not in this scope, and for an empty result.
    func granting(_ asked: String?, ignoringAllBut known: Scope? = nil) throws(Refusal) -> Scope {
        var scope = if let asked { try Scope(parsing: asked) } else { self }
        if let known, scope.contains("openid") { scope = scope.within(known) }
        if let foreign = scope.values.first(where: { !contains($0) }) {
            throw .invalidScope("the scope value \(foreign.shown) is unknown, or not available to this client")
        }
        guard !scope.values.isEmpty else { throw .invalidScope("there is no scope value to grant") }
        return scope
    }

    /// Grants as ``granting(_:ignoringAllBut:)`` within a scope that was granted before (RFC 6749 §6, RFC 8693 §2.1).
    ///
    /// - Parameters:
    ///   - available: the scope of the client.
    ///   - limit: the name of the granted scope, for the description.
    /// - Throws: `invalid_scope`; for a value that is available to the client, the description names the limit.
    func narrowed(to asked: String?, available: Scope, limit: String) throws(Refusal) -> Scope {
        let values = try asked.map(Scope.init(parsing:))?.values ?? []
        if let excess = values.first(where: { !contains($0) && available.contains($0) }) {
            throw .invalidScope("the scope value \(excess.shown) exceeds \(limit)")
        }
        return try granting(asked)
    }
}
