import Foundation
import TestSupport
import Testing
import Wire

/// What a proof says.
struct Proof {
    let header, claims: JSONObject

    init?(_ request: Responder.Request) {
        let parts = request.headers.values(of: "DPoP").first?.split(separator: ".").map(String.init) ?? []
        guard parts.count == 3, let header = Base64.decodeURL(parts[0]), let claims = Base64.decodeURL(parts[1]),
            let first = (try? JSON(parsing: header))?.object, let second = (try? JSON(parsing: claims))?.object
        else { return nil }
        (self.header, self.claims) = (first, second)
    }

    var nonce: String? { claims["nonce"]?.string }
    var id: String? { claims["jti"]?.string }
}

extension ManagedHome {
    /// A home whose token `work` is bound to a key.
    static func bound() throws -> ManagedHome {
        let managed = try ManagedHome(expiresIn: 3600)
        let key = try Program.oap(["jwk", "new", "-c"]).run().expect(status: 0).text
        try managed.put(
            managed.stored().with([
                "token_type": "DPoP", "dpop_key": .string(key.trimmingCharacters(in: .newlines)),
                "dpop_bound_access_tokens": true,
            ]))
        return managed
    }
}
