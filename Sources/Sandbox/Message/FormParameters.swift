internal import Wire

/// The parameters of a request to the authorization server (RFC 6749 §3.1, §3.2): without repetition; one without a
/// value counts as missing.
struct FormParameters {
    private(set) var pairs: [(name: String, value: String)] = []
    /// Whether the parameters are the claims of a request object (RFC 9101).
    private(set) var areInObject = false

    /// The parameters that may appear more than once (RFC 8707 §2, RFC 8693 §2.1).
    private static let repeatable: Set<String> = ["resource", "audience"]

    /// Reads a query or a form.
    init(_ text: String) throws(Refusal) {
        var seen: Set<String> = []
        for pair in try Self.decode(text) {
            guard seen.insert(pair.name).inserted || Self.repeatable.contains(pair.name) else {
                throw .invalidRequest("a parameter appears twice: \(pair.name.shown)")
            }
            if !pair.value.isEmpty { pairs.append(pair) }
        }
    }

    /// Reads the query of a request to the API, without the rules of OAuth.
    init(ofAPI text: String) throws(Refusal) { pairs = try Self.decode(text) }

    /// Takes the claims of a request object (RFC 9101 §4). A value that is not a string is its JSON, as `claims` has it
    /// (OpenID Connect Core §5.5); an array is a parameter that is repeated, if it may be.
    init(claims: JSONObject) {
        areInObject = true
        for member in claims.members {
            let repeated = Self.repeatable.contains(member.name) ? member.value.strings : nil
            let values = repeated ?? (member.value.isNull ? [] : [member.value.string ?? member.value.text])
            pairs += values.filter { !$0.isEmpty }.map { (member.name, $0) }
        }
    }

    private static func decode(_ text: String) throws(Refusal) -> [(name: String, value: String)] {
        do throws(FormEncodingError) {
            return try FormEncoding.parse(text)
        } catch {
            throw .invalidRequest("the parameters are not form-encoded UTF-8")
        }
    }

    subscript(name: String) -> String? { pairs.first { $0.name.isIdentical(to: name) }?.value }

    func values(_ name: String) -> [String] { pairs.filter { $0.name.isIdentical(to: name) }.map(\.value) }

    func required(_ name: String) throws(Refusal) -> String {
        guard let value = self[name] else { throw missing(name) }
        return value
    }

    func missing(_ name: String) -> Refusal {
        .invalidRequest(
            areInObject
                ? "\(name) is missing in the request object; no parameter outside of it counts (RFC 9101 section 6.3)"
                : "\(name) is missing")
    }

    /// The resource indicators (RFC 8707 §2).
    ///
    /// - Throws: `invalid_target` for one that is not absolute or has a fragment.
    func resources() throws(Refusal) -> [String] {
        let resources = values("resource")
        guard resources.allSatisfy({ WebURL($0).map { $0.fragment == nil } ?? false }) else {
            throw Refusal("invalid_target", "a resource is not an absolute URI without a fragment")
        }
        return resources
    }
}

extension String {
    /// The text for an error description: truncated, with only characters that RFC 6749 §5.2 allows.
    var shown: String { shown(upTo: 64) }

    /// The text for an error description, truncated after this many bytes.
    func shown(upTo limit: Int) -> String {
        let allowed = utf8.prefix(limit).map { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F }
        return String(decoding: allowed, as: UTF8.self)
    }
}
