import Foundation
import TestSupport
import Testing

@Suite("The port of the sandbox that asks for client certificates") struct MutualTLSTests {
    /// Makes, in the current folder, a certificate for the sandbox, one of the client `ci` with its issuer, a self-signed
    /// one, and the metadata of three clients.
    private static let files = #"""
        set -e
        new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        {
            $new -x509 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout server.key -out server.pem
            $new -x509 -subj /CN=authority -keyout ca.key -out ca.pem
            $new -subj /O=Example/CN=ci -addext subjectAltName=DNS:ci.test,IP:::1 -keyout ci.key -out ci.csr
            openssl x509 -req -in ci.csr -CA ca.pem -CAkey ca.key -days 2 -copy_extensions copy -out ci.pem
            $new -x509 -subj /CN=own -keyout own.key -out own.pem
        } 2> /dev/null
        x5c=$(openssl x509 -in own.pem -outform der | base64 -w 0)
        coordinates() {
            openssl pkey -in own.key -pubout -outform der | tail -c 64 | "$@" | base64 -w 0 | tr +/ -_ | tr -d =
        }
        common='"grant_types": ["client_credentials"], "tls_client_certificate_bound_access_tokens": true'
        for name in subject_dn:CN=ci,O=Example san_dns:ci.test san_ip:::1; do
            cat > "${name%%:*}.json" <<END
        {"client_id": "${name%%:*}", "token_endpoint_auth_method": "tls_client_auth",
         "tls_client_auth_${name%%:*}": "${name#*:}", $common}
        END
        done
        cat > own.json <<END
        {"client_id": "own", "token_endpoint_auth_method": "self_signed_tls_client_auth", $common,
         "jwks": {"keys": [{"kty": "EC", "crv": "P-256", "x": "$(coordinates head -c 32)",
                            "y": "$(coordinates tail -c 32)", "x5c": ["$x5c"]}]}}
        END
        sandbox() {
            oap-sandbox --tls-certificate-file server.pem --tls-key-file server.key --mtls-port 0 --mtls-ca-file ca.pem \
                --client subject_dn.json --client san_dns.json --client san_ip.json --client own.json \
                --run /bin/bash -c 'alias=$(jq -r .mtls_endpoint_aliases.token_endpoint "$OAP_SANDBOX_FILE")
                    api=${alias%/token}/user
                    '"$1"
        }
        export SSL_CERT_FILE=$PWD/server.pem
        """#

    /// Runs a script beside such a sandbox, which has the token endpoint of the port as `alias`, and the API as `api`.
    private static func run(_ script: String) throws -> ProgramResult {
        let folder = try TemporaryDirectory()
        var program = Program.shell(files + "\nsandbox '\(script)'")
        program.directory = folder.path
        return try program.run().expect(status: 0)
    }

    @Test("curl gets a token with a certificate that an authority issued, by subject, name and address, and uses it")
    func issued() throws {
        let result = try Self.run(
            """
            for client in subject_dn san_dns san_ip; do
                token=$(curl -s --cacert server.pem --cert ci.pem --key ci.key -d grant_type=client_credentials \
                    -d client_id=$client "$alias" | jq -r .access_token)
                for certificate in "--cert ci.pem --key ci.key" "--cert own.pem --key own.key" ""; do
                    curl -s -o /dev/null -w "%{http_code} " --cacert server.pem $certificate \
                        -H "Authorization: Bearer $token" "$api"
                done
            done
            for certificate in "--cert own.pem --key own.key" ""; do
                curl -s --cacert server.pem $certificate -d grant_type=client_credentials -d client_id=san_dns "$alias" |
                    jq -r .error
            done
            """)
        #expect(result.text == "200 401 401 200 401 401 200 401 401 invalid_client\ninvalid_client\n")
    }

    @Test("oap gets a token with a self-signed certificate, uses it, and is refused at the other port")
    func selfSigned() throws {
        let result = try Self.run(
            """
            unset OAP_CLIENT_SECRET
            options="--grant client_credentials --client-id own --token-endpoint-auth-method none"
            oap exchange -n $options --token-endpoint "$alias" --cert own.pem --key own.key -o token.json
            oap call "$api" --allow-origin "${alias%/token}" --jq .login -r < token.json ||
                echo "status $?"
            jq "del(.tls_client_certificate_file, .tls_client_key_file)" token.json > bare.json
            oap call /user --token-file bare.json 2> /dev/null || echo "status $?"
            oap exchange -n $options --cert own.pem --key own.key 2> /dev/null | jq -r .error_description
            """)
        // Without the certificate the API refuses the token, and the server the new one.
        let refused = "this client must present its certificate, at an endpoint of mtls_endpoint_aliases"
        #expect(result.text == "ada\nstatus 4\n\(refused)\n", "\(result.errorText)")
    }

    @Test("oap goes to that port by itself with a certificate, and not without one")
    func discovered() throws {
        let result = try Self.run(
            """
            unset OAP_CLIENT_SECRET OAP_TOKEN_ENDPOINT
            options="--grant client_credentials --client-id own --token-endpoint-auth-method none"
            oap exchange -n $options --cert own.pem --key own.key | jq -r .token_type
            oap exchange -n $options 2> /dev/null | jq -r .error_description
            """)
        let refused = "this client must present its certificate, at an endpoint of mtls_endpoint_aliases"
        #expect(result.text == "Bearer\n\(refused)\n", "\(result.errorText)")
    }

    @Test("a login registers the certificate of the client, and its tokens are bound to a key or to that")
    func registered() throws {
        let result = try Self.run(
            """
            issuer=$OAP_ISSUER base=$OAP_API_BASE
            unset $(env | sed -n "s/^\\(OAP_[A-Z_]*\\)=.*/\\1/p")
            for bound in "" --cert-bound; do
                oap login work$bound --save-profile --issuer "$issuer" --register --open --fapi2 $bound --scope openid \
                    --token-endpoint-auth-method self_signed_tls_client_auth --cert own.pem --key own.key
                oap call work$bound "$base/user" --jq .login -r
                oap refresh work$bound
                oap token work$bound --document --jq ".token_type" -r
                oap login work$bound --if-needed --cert-bound --open 2>&1 | grep -c "logged in" || true
            done
            """)
        // A login for a token that is bound to the certificate is needed where it is bound to a key alone.
        #expect(result.text == "ada\nDPoP\n1\nada\nBearer\n0\n", "\(result.errorText)")
    }

    @Test("the options of client certificates need each other, and a file that is no certificate is refused")
    func options() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("none", to: "ca.pem")
        let portOnly = try Program.sandbox(["--mtls-port", "0"]).run().expect(status: 2)
        #expect(portOnly.errorText.contains("--mtls-port needs --tls-certificate-file"))
        let fileOnly = try Program.sandbox(["--mtls-ca-file", file]).run().expect(status: 2)
        #expect(fileOnly.errorText.contains("--mtls-ca-file needs --mtls-port"))
        var program = Program.shell(
            Self.files
                + """

                echo none > broken.pem
                oap-sandbox --tls-certificate-file server.pem --tls-key-file server.key --mtls-port 0 \
                    --mtls-ca-file broken.pem
                """)
        program.directory = folder.path
        let broken = try program.run().expect(status: 11)
        #expect(broken.errorText.contains("it has no certificate in PEM"), "\(broken.errorText)")
    }
}
