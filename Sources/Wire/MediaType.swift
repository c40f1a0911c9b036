/// A media type as a `Content-Type` field gives it (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
    /// Type and subtype in lower case, without parameters: `application/json`.
    package let essence: String

    /// Reads the value of a `Content-Type` field.
    package init(_ text: String) {
        let beforeParameters = text.prefix { $0 != ";" }
        essence = String(beforeParameters.filter { $0 != " " && $0 != "\t" }).asciiLowercased
    }

    /// Whether it names JSON: `application/json` or any type with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    /// Whether it names `application/x-www-form-urlencoded`.
    package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    /// Whether it names a JWT: `application/jwt` or any type with the suffix `+jwt` (RFC 7519 §10.3.1, RFC 8417 §7.2).
    package var isJWT: Bool { essence == "application/jwt" || essence.hasSuffix("+jwt") }
}
