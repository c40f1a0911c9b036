internal import Wire
internal import Shell

/// What a JWT says, unchecked: header and claims. The signature is left out: what is printed
/// cannot be used as a token.
struct JWTView {
    let header: JSONObject
    /// The claims; nil for a JWT that is encrypted.
    let claims: JSONObject?

    init(_ text: String) throws(Failure) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            throw Failure(
                .badInput, .parse, "the token is opaque: only its server can say what it means",
                hint: "oap introspect asks the server about a token document, or about a stored token with -p NAME")
        }
        guard parts.count == 3 || parts.count == 5 else {
            throw Self.failure("it must have 3 parts, or 5 if it is encrypted, not \(parts.count)")
        }
        header = try Self.object(parts[0], "the header")
        claims = parts.count == 5 ? nil : try Self.object(parts[1], "the payload")
        guard parts.count == 3 else { return }
        _ = try Self.bytes(parts[2], "the signature")
    }

    /// What the JWT says, by the names of this program. No network, no keys: `signature` is `not checked`.
    ///
    /// - Parameter now: seconds since 1970.
    func summary(now: Int, signature: String = "not checked") -> JSONObject {
        var result: JSONObject = ["kind": .string(claims == nil ? "encrypted jwt" : "jwt")]
        for name in ["typ", "alg", "enc", "kid"] { result[name] = header[name] }
        guard let claims else { return result }
        result["signature"] = .string(header["alg"] == .string("none") ? "none" : signature)
        for name in ["iss", "sub", "client_id", "azp", "aud", "scope", "scp"] { result[name] = claims[name] }
        for (name, own) in [("iat", "issued_at"), ("nbf", "not_before"), ("exp", "expires_at")] {
            result[own] = claims[name]
        }
        if let end = claims["exp"]?.integer { result["seconds_left"] = .integer(end - now) }
        result["bound_to"] = binding.map { .object($0) }
        result["header"] = .object(header)
        result["claims"] = .object(claims)
        return result
    }

    /// The key that the token is bound to, its `cnf` (RFC 7800 §3): the thumbprint of a DPoP key as `jkt`, that of a
    /// certificate as `x5t#S256`; nil for a bearer token.
    var binding: JSONObject? { claims?["cnf"]?.object }

    private static func object(_ part: Substring.UTF8View, _ name: String) throws(Failure) -> JSONObject {
        let bytes = try bytes(part, name)
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: bytes, depth: JSON.maximumDepthOfPart - 2)
        } catch {
            throw failure("\(name) is not JSON: \(error)")
        }
        guard let object = value.object else { throw failure("\(name) is \(value.kindNoun), not an object") }
        return object
    }

    private static func bytes(_ part: Substring.UTF8View, _ name: String) throws(Failure) -> [UInt8] {
        if let place = part.firstIndex(where: { !($0.isASCIILetterOrDigit || $0 == 0x2D || $0 == 0x5F) }) {
            let number = part.distance(from: part.startIndex, to: place) + 1
            throw failure("\(name) is not base64url: character \(number) is not of its alphabet")
        }
        guard let bytes = Base64.decodeURL(Substring(part)) else {
            throw failure("\(name) is not base64url: it is cut off after character \(part.count)")
        }
        return bytes
    }

    private static func failure(_ reason: String) -> Failure { Failure(.badInput, .parse, "not a JWT: \(reason)") }
}
