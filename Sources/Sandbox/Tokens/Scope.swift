/// A set of scope values in the order in which they were asked for (RFC 6749 §3.3).
struct Scope: Equatable {
    /// The values.
    let values: [String]

    /// All that the server knows.
    static let supported = Scope(["openid", "profile", "email", "offline_access", "user", "repo", "gist"])

    /// Makes a scope of values that are known to be good.
    init(_ values: [String]) { self.values = values }

    /// Reads a `scope` parameter.
    ///
    /// - Throws: `invalid_scope` for characters that no scope has.
    init(parsing text: String) throws(Refusal) {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw .invalidScope("the scope has characters that no scope has")
        }
        var values: [String] = []
        for value in text.split(separator: " ").map(String.init) where !values.contains(value) { values.append(value) }
        self.init(values)
    }

    /// The `scope` as parameters and answers have it.
    var text: String { values.joined(separator: " ") }

    /// Whether a value is in it.
    func contains(_ value: String) -> Bool { values.contains(value) }

    /// The values that are in another scope, too.
    func within(_ other: Scope) -> Scope { Scope(values.filter(other.contains)) }

    /// What is asked for, when all of it may be; everything where nothing is named.
    ///
    /// - Throws: `invalid_scope` for a value that is not in this scope, and where nothing would be granted.
    func granting(_ asked: String?) throws(Refusal) -> Scope {
        let scope = if let asked { try Scope(parsing: asked) } else { self }
        if let foreign = scope.values.first(where: { !contains($0) }) {
            throw .invalidScope("the scope is unknown or not for this client: \(foreign.shown)")
        }
        guard !scope.values.isEmpty else { throw .invalidScope("there is no scope value to grant") }
        return scope
    }
}
