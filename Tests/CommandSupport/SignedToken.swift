import Glibc
import TestSupport
import Testing
import Wire

/// ID tokens that OpenSSL signs with HS256.
enum SignedToken {
    /// The client secret, which is the key.
    static let secret = "a-secret-of-more-than-32-characters!"

    /// A JWT over these claims.
    static func signed(_ claims: JSONObject) throws -> String {
        let parts = [#"{"alg":"HS256"}"#, JSON.object(claims).text].map { Base64.encodeURL(Array($0.utf8)) }
        let input = parts.joined(separator: ".")
        var program = Program(
            path: "/usr/bin/openssl",
            arguments: ["dgst", "-sha256", "-mac", "hmac", "-macopt", "key:\(secret)", "-binary"])
        program.input = .text(input)
        return "\(input).\(Base64.encodeURL(try program.run().expect(status: 0).output))"
    }

    /// Claims that fit the client `client` of `https://as.example` and the nonce `the-nonce`.
    static var claims: JSONObject {
        let now = Int(time(nil))
        return [
            "iss": "https://as.example", "aud": "client", "sub": "me", "nonce": "the-nonce", "iat": .integer(now),
            "exp": .integer(now + 60),
        ]
    }
}
