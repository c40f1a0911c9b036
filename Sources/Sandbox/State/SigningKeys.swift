internal import JOSE
internal import Wire

/// The keys that sign ID tokens: one for each algorithm that a client is registered for, made with the first such
/// client.
struct SigningKeys {
    private var signers: [SignatureAlgorithm: SigningKey] = [:]

    /// The algorithms that a client may register for, the default of OpenID Connect Registration §2 first.
    static let algorithms = [SignatureAlgorithm.rs256, .es256, .edDSA]

    /// Makes the key for an algorithm, if there is none yet.
    mutating func prepare(_ algorithm: SignatureAlgorithm) throws(Refusal) {
        guard signers[algorithm] == nil else { return }
        do throws(JOSEError) {
            signers[algorithm] = try SigningKey(generatedFor: algorithm)
        } catch {
            throw .serverError("no key can be made")
        }
    }

    /// The JWK Set (RFC 7517 §5).
    var document: JSONObject {
        ["keys": .array(Self.algorithms.compactMap { signers[$0]?.publicKey.map { .object($0) } })]
    }

    func sign(
        _ claims: JSONObject, algorithm: SignatureAlgorithm, type: String = "JWT"
    ) throws(Refusal) -> String {
        guard let signer = signers[algorithm] else {
            preconditionFailure("a client was registered without a key being made for it")
        }
        do throws(JOSEError) {
            return try signer.sign(JSON.object(claims).bytes, header: ["typ": .string(type)])
        } catch {
            throw .serverError("the token cannot be signed")
        }
    }

    /// The claims of an ID token of this server, if the token is valid.
    func claims(ofIDToken text: String, issuer: String, now: Int) -> JSONObject? {
        guard let token = try? JSONWebSignature(parsing: text), token.header["typ"]?.string == "JWT",
            let algorithm = try? token.algorithm(allowing: Set(signers.keys)),
            let key = try? JSONWebKey(signers[algorithm]?.publicKey ?? [:]),
            (try? token.verify(with: key, allowing: [algorithm])) != nil,
            let claims = (try? JSON(parsing: token.payload))?.object, claims["iss"]?.string == issuer,
            let expiry = claims["exp"]?.integer, expiry > now
        else { return nil }
        return claims
    }
}

/// A fetch of the keys of a client from its `jwks_uri` (RFC 7591 §2). The module does no I/O:
/// the program fetches the keys.
package struct KeyFetch: Hashable, Sendable {
    package let clientID: String
    /// The `jwks_uri` of the client: https, or http on loopback.
    package let url: String
    /// The most bytes that the document may have.
    package static let limit = 64 << 10
}
