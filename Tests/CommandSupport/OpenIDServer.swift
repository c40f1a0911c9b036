import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// A server that logs everybody in and says who it was, in ID tokens that it signs with RS512.
struct OpenIDServer {
    let responder: Responder

    /// - Parameters:
    ///   - claims: further claims of the ID token.
    ///   - metadata: further metadata.
    ///   - encrypting: what is done to an ID token that is signed.
    init(
        claims: JSONObject = [:], metadata: JSONObject = [:],
        encrypting: @escaping @Sendable (String) -> String = { $0 }
    ) throws {
        let key = try RSAKey()
        let nonce = Mutex("")
        responder = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                let text = """
                    {"issuer":"$","authorization_endpoint":"$/authorize","token_endpoint":"$/token","jwks_uri":"$/keys",\
                    "revocation_endpoint":"$/revoke","scopes_supported":["profile","openid"],\
                    "id_token_signing_alg_values_supported":["RS512"]}
                    """
                let object = (try? JSON(parsing: text.replacing("$", with: address)))?.object ?? [:]
                return .json(JSON.object(object.with(metadata)).text)
            case "/.well-known/oauth-authorization-server": return .text("", status: 404)
            case "/keys": return .json(key.set)
            case "/revoke": return .text("")
            case let target where target.hasPrefix("/authorize?"):
                let query = (try? FormEncoding.parse(String(target.dropFirst("/authorize?".count)))) ?? []
                nonce.withLock { $0 = query.first { $0.name == "nonce" }?.value ?? "" }
                return LoginHome.consent(to: request)
            default:
                let now = Int(Date().timeIntervalSince1970)
                let standard: JSONObject = [
                    "iss": .string(address), "aud": "c", "sub": "7", "iat": .integer(now), "exp": .integer(now + 60),
                    "nonce": .string(nonce.withLock { $0 }),
                ]
                let token = encrypting((try? key.signed(standard.with(claims))) ?? "")
                let tokens = #""access_token":"issued-access","refresh_token":"issued-refresh","expires_in":3600"#
                return .json(#"{\#(tokens),"token_type":"Bearer","id_token":"\#(token)"}"#)
            }
        }
    }

    /// The targets of the requests with this path, in order.
    func requests(to path: String) -> [Responder.Request] {
        responder.requests.filter { $0.target.split(separator: "?").first.map(String.init) == path }
    }
}
