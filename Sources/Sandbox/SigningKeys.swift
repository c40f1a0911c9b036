internal import JOSE
internal import Wire

/// The keys that sign ID tokens, one for each algorithm that a client may register for.
struct SigningKeys: ~Copyable {
    private let es256: SigningKey
    private let rs256: SigningKey
    private let edDSA: SigningKey

    /// Makes new keys.
    ///
    /// - Throws: `JOSEError.library`.
    init() throws(JOSEError) {
        // All or none: a struct of values that cannot be copied must not be left half made.
        let es256 = try SigningKey(generatedFor: .es256)
        let rs256 = try SigningKey(generatedFor: .rs256)
        let edDSA = try SigningKey(generatedFor: .edDSA)
        self.es256 = es256
        self.rs256 = rs256
        self.edDSA = edDSA
    }

    /// The algorithms, the default of OpenID Connect Registration §2 first.
    static let algorithms = [SignatureAlgorithm.rs256, .es256, .edDSA]

    /// The JWK Set (RFC 7517 §5).
    var document: JSONObject { ["keys": .array(publicKeys.map { .object($0) })] }

    private var publicKeys: [JSONObject] { [rs256.publicKey, es256.publicKey, edDSA.publicKey].compactMap(\.self) }

    /// Signs a JWT.
    ///
    /// - Throws: `server_error`, also for an algorithm that no client can have registered.
    func sign(_ claims: JSONObject, algorithm: SignatureAlgorithm) throws(Refusal) -> String {
        do throws(JOSEError) {
            let payload = JSON.object(claims).bytes
            switch algorithm {
            case .es256: return try es256.sign(payload, header: ["typ": .string("JWT")])
            case .edDSA: return try edDSA.sign(payload, header: ["typ": .string("JWT")])
            default: return try rs256.sign(payload, header: ["typ": .string("JWT")])
            }
        } catch {
            throw .serverError("the ID token cannot be signed")
        }
    }

    /// Whom an ID token of this server speaks of, while it is good.
    func subject(ofIDToken text: String, issuer: String, now: Int) -> String? {
        guard let token = try? JSONWebSignature(parsing: text),
            let members = publicKeys.first(where: { $0["kid"]?.string == token.keyID }),
            let key = try? JSONWebKey(members),
            (try? token.verify(with: key, allowing: Set(Self.algorithms))) != nil,
            let claims = (try? JSON(parsing: token.payload))?.object, claims["iss"]?.string == issuer,
            let expiry = claims["exp"]?.integer, expiry > now
        else { return nil }
        return claims["sub"]?.string
    }
}
