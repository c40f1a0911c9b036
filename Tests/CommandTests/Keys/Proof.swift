import TestSupport
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
