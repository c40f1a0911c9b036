import TestSupport
import Testing
import Wire

@Suite("A login whose answers are encrypted")
struct EncryptedLoginTests {
    @Test(
        "the response is signed, the ID token and userinfo are encrypted, and the details are granted",
        arguments: ["ECDH-ES", "RSA-OAEP-256"])
    func login(algorithm: String) throws {
        let folder = try TemporaryDirectory()
        let script = """
            set -e
            for alg in ES256 \(algorithm); do oap jwk new --alg $alg; done | jq -s '{keys: .}' > keys
            chmod 600 keys
            oap jwk public keys > set
            jq '{client_id: "c", token_endpoint_auth_method: "private_key_jwt", jwks: .,
                redirect_uris: ["http://127.0.0.1/callback"], id_token_signed_response_alg: "ES256",
                userinfo_signed_response_alg: "ES256", id_token_encrypted_response_alg: "\(algorithm)",
                userinfo_encrypted_response_alg: "\(algorithm)"}' set > client
            oap-sandbox --client client --run bash -ec '
                unset "${!OAP_C@}" OAP_TOKEN_ENDPOINT_AUTH_METHOD
                jq --slurpfile own client --arg key "$PWD/keys" \\
                    "del(.client_secret) + \\$own[0] + {client_key_file: \\$key}" "$OAP_SANDBOX_FILE" |
                    oap authurl --response-mode jwt --authorization-details "[{\\"type\\":\\"account_information\\"}]" > flow
                curl -s -o page -w "%{redirect_url}" "$(jq -r .authorization_url flow)" > url
                oap callback-parse --url-file url < flow | oap exchange > token
                oap userinfo < token --jq .email
                jq -c ".id_token_claims.sub, .authorization_details" token
                grep -c response= url'
            """
        var program = Program.shell(script)
        program.directory = folder.path
        let result = try program.run().expect(status: 0)
        #expect(
            result.text == """
                "ada@example.com"
                "1815"
                [{"type":"account_information"}]
                1

                """, "\(result)")
    }
}
