import JOSE
import Sandbox
import Testing
import Wire

/// A registered client with a key, and a secret if its authentication method needs one.
final class SigningClient {
    let scene: Scene
    let key: SigningKey
    let client: JSONObject

    init(_ scene: Scene, _ algorithm: SignatureAlgorithm = .es256, _ metadata: JSONObject = [:]) throws {
        self.scene = scene
        key = try SigningKey(generatedFor: algorithm)
        let publicKey = key.publicKey
        var asked: JSONObject = [
            "redirect_uris": .strings([Scene.redirectURI]), "id_token_signed_response_alg": .string("ES256"),
            "jwks": .object(["keys": .array([.object(try #require(publicKey))])]),
        ]
        for member in metadata.members { asked[member.name] = member.value }
        client = try scene.register(asked)
    }

    var id: String { get throws { try client.text("client_id") } }

    /// The claims of a good object; null takes one away.
    func claims(_ change: JSONObject = [:]) throws -> JSONObject {
        var claims: JSONObject = ["iss": .string(try id), "aud": .string(Scene.issuer)]
        for pair in Scene.authorization.pairs { claims[pair.name] = pair.value.map { .string($0) } }
        claims["client_id"] = .string(try id)
        for member in change.members { claims[member.name] = member.value.isNull ? nil : member.value }
        return claims
    }

    func sign(_ change: JSONObject = [:], type: String? = nil) throws -> String {
        try key.sign(JSON.object(claims(change)).bytes, header: type.map { ["typ": .string($0)] } ?? [:])
    }

    /// The request with the object alone, and perhaps parameters beside it.
    func request(_ object: String, beside other: Form = [:]) throws -> SandboxResponse {
        scene.get("/authorize", (["client_id": try id, "request": object] as Form).with(other))
    }

    func push(_ object: String, beside other: Form = [:]) throws -> SandboxResponse {
        let basic = try Scene.basic(id, client.text("client_secret"))
        return scene.post("/par", (["request": object] as Form).with(other), headers: [basic])
    }
}
