import TestSupport
import Testing
import Wire

@Suite("A login whose answers are encrypted")
struct EncryptedLoginTests {
    @Test("a login with a secret and a key that only decrypts; what cannot be read is said before it, by name")
    func secretAndKey() throws {
        let folder = try TemporaryDirectory()
        let script = """
            oap jwk new --alg RSA-OAEP-256 -o enc.jwk
            oap jwk public enc.jwk | jq '{client_id: "c", client_secret: "s", jwks: {keys: [.keys[0] // .]},
                redirect_uris: ["http://127.0.0.1/callback"], token_endpoint_auth_method: "client_secret_basic",
                id_token_encrypted_response_alg: "RSA-OAEP-256", id_token_signed_response_alg: "ES256",
                id_token_encrypted_response_enc: "A256CBC-HS512"}' > client
            printf s > sec; chmod 600 sec
            oap-sandbox --client client --run bash -c '
                unset "${!OAP_C@}" OAP_TOKEN_ENDPOINT_AUTH_METHOD
                oap login k --issuer $OAP_ISSUER --client-id c --client-secret-file sec --client-key-file enc.jwk \
                    --open --scope openid
                oap token k --document --jq .id_token_claims.sub
                jq -n --arg issuer $OAP_ISSUER "{client_id: \\"c\\", issuer: \\$issuer, scope: \\"openid\\",
                    authorization_endpoint: \\$issuer,
                    id_token_encrypted_response_alg: \\"RSA-OAEP\\", id_token_encrypted_response_enc: \\"A256CTR\\"}" > bad
                oap authurl < bad > error
                echo $?
                oap profile set bad < bad
                oap login bad --open
                echo $?'
            """
        var program = Program.shell(script)
        program.directory = folder.path
        let result = try program.run().expect(status: 0)
        #expect(result.text == "\"1815\"\n3\n3\n", "\(result)")
        let lines = result.errorText.split(separator: "\n")
        for command in ["authurl", "login"] {
            let message = "oap: \(command): id_token_encrypted_response_enc A256CTR is not supported"
            #expect(lines.contains { $0 == message }, "\(result)")
        }
    }

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
