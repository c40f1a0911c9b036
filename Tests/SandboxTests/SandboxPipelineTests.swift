import Foundation
import TestSupport
import Testing

@Suite("oap with oap-sandbox")
struct SandboxPipelineTests {
    /// Follows an authorization URL as a browser would, up to the redirect.
    private static let login = """
        set -euo pipefail; cd "$HOME"; export OAP_SANDBOX_FILE
        oap authurl "$@" < "$OAP_SANDBOX_FILE" > flow.json
        curl -sS -o /dev/null -w '%{redirect_url}' "$(jq -r .authorization_url flow.json)" > redirect.txt
        oap callback-parse --url-file redirect.txt < flow.json | oap exchange -o token.json

        """

    @Test("oap goes the whole way with oap-sandbox: authurl, callback-parse, exchange, call, refresh")
    func pipeline() throws {
        let result = try Program.runBesideSandbox(
            options: ["--rotate"],
            Self.login + """
                jq -r '.id_token_claims.sub, .scope' token.json
                oap call /user --jq .login -r < token.json
                oap call '/user/repos?per_page=100' --jq length < token.json
                oap refresh -o token2.json < token.json
                cmp -s token.json token2.json && echo same
                oap call /user --jq .id < token2.json
                oap refresh < token.json > error.json || echo "status $?"
                jq -r .error error.json
                oap call /user < token2.json || echo "status $?"
                """)
        result.expect(status: 0)
        #expect(
            result.text == "1815\nopenid profile email repo\nada\n100\n1815\nstatus 8\nrefresh_refused\nstatus 7\n")
    }

    @Test("oap login takes another client of oap-sandbox than the one that the variables describe")
    func otherClient() throws {
        let result = try Program.runBesideSandbox(
            options: ["--id-token-alg", "RS256"],
            """
            export OAP_ID_TOKEN_SIGNED_RESPONSE_ALG=ES256
            oap login other --issuer "$OAP_ISSUER" --client-id sandbox-public --open
            oap token other --document --jq '.client_id, .token_endpoint_auth_method' -r
            """)
        #expect(result.expect(status: 0).text == "sandbox-public\nnone\n")
    }

    /// A public client of the sandbox in a file, and no other in variables.
    private static let device = """
        set -euo pipefail; cd "$HOME"
        jq 'del(.client_secret) + {client_id: "sandbox-public", token_endpoint_auth_method: "none", scope: "openid repo"}' \
            "$OAP_SANDBOX_FILE" > client.json
        unset OAP_CLIENT_ID OAP_CLIENT_SECRET

        """

    @Test("oap logs in on another device, in one pipe: device, exchange, call")
    func devicePipe() throws {
        let result = try Program.runBesideSandbox(
            options: ["--interval", "1"],
            Self.device + """
                oap device < client.json | oap exchange -o token.json
                jq -r '.id_token_claims.sub, .scope, has("device_code")' token.json
                oap call /user --jq .login -r < token.json
                """
        ).expect(status: 0)
        #expect(result.text == "1815\nopenid repo\nfalse\nada\n")
    }

    @Test("oap is told when a device is refused, and that a token may be lost when an answer was")
    func refusedDevice() throws {
        let pipe = Self.device + "oap device < client.json | oap exchange | jq -r .error; exit ${PIPESTATUS[1]}"
        let script = pipe.replacingOccurrences(of: "set -euo pipefail", with: "set -u")
        let denied = try Program.runBesideSandbox(options: ["--interval", "1", "--consent", "deny"], script).expect(
            status: 4)
        #expect(denied.text == "access_denied\n")
        let unharmed = try Program.runBesideSandbox(options: ["--interval", "1", "--fault", "token:resetx1"], script)
            .expect(
                status: 0)
        #expect(unharmed.text == "null\n" && unharmed.errorText.contains("polling goes on every 2 s"))
        let lost = try Program.runBesideSandbox(
            options: ["--interval", "1", "--fault", "token:lostx1,after=1"], script
        ).expect(
            status: 12)
        #expect(lost.text == "invalid_grant\n")
    }

    @Test("two hundred processes at the moment of expiry make one token request, and all get the new token")
    func singleFlight() throws {
        // The login is the first request, the renewal the second; the fault is for whoever makes a third.
        let result = try Program.runBesideSandbox(
            options: ["--rotate", "--fault", "token:503,after=2"],
            Self.login + """
                mkdir -p "$XDG_CONFIG_HOME/oap/profiles" out
                cp "$OAP_SANDBOX_FILE" "$XDG_CONFIG_HOME/oap/profiles/work.json"
                jq '.expires_at = 1' token.json | oap store put work
                for i in {1..200}; do
                    case $((i % 3)) in
                    0) oap call -p work /user --jq .login -r ;;
                    1) oap refresh -p work --if-expired --jq .access_token -r ;;
                    2) oap token work ;;
                    esac > out/$i || echo "status $?" &
                done
                wait
                cat out/* | sort | uniq -c | sort -n | sed "s/$(oap token work)/the token/; s/^ *//"
                """
        ).expect(status: 0)
        #expect(result.text == "66 ada\n134 the token\n")
    }

    @Test("oap pushes its request where it must")
    func pushed() throws {
        let result = try Program.runBesideSandbox(
            options: ["--require-par"], Self.login + "jq -r .token_type token.json"
        )
        .expect(status: 0)
        #expect(result.text == "Bearer\n")
    }
}
