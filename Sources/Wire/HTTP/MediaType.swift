/// A media type as a `Content-Type` field gives it (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
    /// Type and subtype in lower case, without parameters: `application/json`.
    package let essence: String

    package init(_ text: String) {
        let beforeParameters = text.prefix { $0 != ";" }
        essence = String(beforeParameters.filter { $0 != " " && $0 != "\t" }).asciiLowercased
    }

    /// Whether the type names JSON: `application/json` or any type with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    /// Whether the type names an event stream (WHATWG HTML, section 9.2).
    package var isEventStream: Bool { essence == "text/event-stream" }

    /// How the JSON texts follow each other that it names: NDJSON by any of its names, such as `application/x-ndjson`,
    /// `application/jsonl` and `application/vnd.elasticsearch+x-ndjson`, or a JSON text sequence (RFC 7464 §4, RFC 8091).
    package var framing: JSONTexts.Framing? {
        guard essence.hasPrefix("application/") else { return nil }
        let name = essence.split { $0 == "/" || $0 == "+" }.last ?? ""
        switch name.hasPrefix("x-") ? name.dropFirst(2) : name {
        case "ndjson", "jsonl", "jsonlines", "json-lines": return .lines
        case "json-seq": return .sequence
        default: return nil
        }
    }

    /// Whether the type names a text of items that come one after the other.
    package var isStream: Bool { isEventStream || framing != nil }

    package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    /// Whether the type names a JWT: `application/jwt` or any with the suffix `+jwt` (RFC 7519 §10.3.1, RFC 8417 §7.2).
    package var isJWT: Bool { essence == "application/jwt" || essence.hasSuffix("+jwt") }
}
