import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap with a bound token, at oap-sandbox and at an API that joserfc protects")
struct BoundPipelineTests {
    /// A login whose token is bound to a key, and a function that says with how many requests a command was done.
    private static let login = """
        set -euo pipefail; cd "$HOME"
        oap login d --issuer "$OAP_ISSUER" --client-id "${CLIENT:-sandbox-public}" --scope 'openid email repo' --dpop --open

        """

    private func beside(_ script: String, client: String = "sandbox-public") throws -> ProgramResult {
        try Program.runBesideSandbox(options: ["--dpop-nonce"], "CLIENT=\(client)\n" + Self.login + script)
    }

    @Test("a download, its rest, pages and a batch are bound, with the nonces that the sandbox wants")
    func calls() throws {
        let result = try beside(
            """
            oap call d /bytes/3000000 -o file; wc -c < file
            oap call d '/user/repos?per_page=100' --paginate --jq length
            seq 20 | jq -c '{url: "/echo", method: "POST", body: "line \\(.)"}' |
                oap call d --batch --retry 0 --jq .status | sort | uniq -c | tr -d ' '
            head -c 50000 /dev/zero | tr '\\0' x | oap call d /echo --data-binary @- --jq '.body | length'
            oap userinfo -p d --jq .sub -r
            """)
        #expect(result.expect(status: 0).text == "3000000\n100\n100\n100\n21\n20200\n50000\n1815\n", "\(result)")
    }

    @Test("a narrower and an exchanged token are bound to the same key, and are called with")
    func derived() throws {
        let result = try beside(
            """
            key="$(oap token d --document --jq .dpop_key -r | oap jwk thumbprint)"
            for part in '--scope repo' '--exchange' '--exchange --scope repo'; do
                oap token d $part --document --jq '.token_type, .scope' -r
                oap token d $part > token
                curl -sS -u "sandbox:$OAP_CLIENT_SECRET" --data-urlencode token@<(tr -d '\\n' < token) \
                    "$OAP_INTROSPECTION_ENDPOINT" | jq -r --arg key "$key" '.cnf.jkt == $key'
                oap call d $part '/user/repos?per_page=1' --jq length
            done
            oap refresh -p d; oap call d /user --jq .login -r
            """, client: "sandbox")
        let narrow = "DPoP\nrepo\ntrue\n1\n"
        let whole = "DPoP\nopenid email repo\ntrue\n1\n"
        #expect(result.expect(status: 0).text == narrow + whole + narrow + "ada\n", "\(result)")
    }

    @Test("a client that --fapi2 registers has a key of its own, and its login is held to the profile")
    func registered() throws {
        let result = try Program.runBesideSandbox(
            """
            set -euo pipefail; cd "$HOME"
            issuer=$OAP_ISSUER api=$OAP_API_BASE
            for variable in $(env | sed -n 's/^\\(OAP_[A-Z_]*\\)=.*/\\1/p'); do unset "$variable"; done
            oap login f --register --fapi2 --issuer "$issuer" --open
            oap token f --document --jq '.token_endpoint_auth_method, .profile, .token_type' -r
            oap profile show f --jq '(.client_key | fromjson | .alg), (.token_endpoint_auth_method)' -r
            oap refresh -p f
            oap call f "$api/user" --allow-origin "$api" --jq .login -r
            """)
        let client = "private_key_jwt\nfapi2\nDPoP\nES256\nprivate_key_jwt\n"
        #expect(result.expect(status: 0).text == client + "ada\n", "\(result)")
        #expect(!result.errorText.contains("warning"), "\(result)")
    }

    @Test("a program that asks for a bound token as a password gets it, and is told that it is worth nothing alone")
    func credential() throws {
        let result = try beside(
            """
            printf 'protocol=http\\nhost=%s\\n\\n' "${OAP_ISSUER#http://}" | oap credential git get -p d > answer
            sed -n 's/^password=//p' answer > token
            curl -sS -o /dev/null -w '%{http_code}\\n' -H "Authorization: Bearer $(cat token)" "$OAP_API_BASE/user"
            test "$(cat token)" = "$(oap token d 2> /dev/null)" && echo same
            """)
        #expect(result.expect(status: 0).text == "401\nsame\n", "\(result)")
        let warning = "the token is bound to a key (DPoP): a request that has no proof of the key is refused"
        #expect(result.errorText.contains(warning), "\(result)")
    }

    @Test(
        "DP-01 to DP-06, DPoP case 12: an API that joserfc protects takes every proof, though a nonce is good once there",
        arguments: ["any", "newest"])
    func judged(nonces: String) throws {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        let python = cache + "/oap-tests/clients/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python), "\(python) is not there: run Tests/Peers/install")
        let api = "\(Fixture.project)/Tests/SandboxTests/ClientLibraries/dpop_api.py"
        let script =
            Self.login + """
                call() { oap call d --api-base "$API" --retry 0 "$@"; }
                seq 60 | jq -c '{url: "/\\(.)"}' | call --batch --jq .status | sort | uniq -c | tr -d ' '
                call /list --paginate --jq '.[]'
                call /file -o whole; sha256sum < whole
                head -c 17000000 /dev/zero | call /upload -X POST -T -; echo
                head -c 3000 /dev/zero | call /upload --data-binary @-; echo
                """
        let result = try Program.sandbox(
            ["--run", python, "-B", api, nonces, "/bin/bash", "-c", script]
        ).run().expect(status: 0)
        let lines = result.text.split(separator: "\n").map(String.init)
        let file = (0..<2_008_000).map { UInt8($0 % 251) }
        let digests = try [file, Array(repeating: 0, count: 17_000_000), Array(repeating: 0, count: 3000)].map(digest)
        #expect(lines.dropLast() == ["60200", "1", "2", "3", "4", "5", "\(digests[0])  -", digests[1], digests[2]])
        let judged = try #require(JSON(parsing: lines.last ?? "").object)
        #expect(judged["accepted"] == 68 && judged["invalid_dpop_proof"] == 0 && judged["invalid_token"] == 0)
    }

    private func digest(_ bytes: [UInt8]) throws -> String {
        var program = Program(path: "/usr/bin/sha256sum", arguments: [])
        program.input = .bytes(bytes)
        return String(try program.run().expect(status: 0).text.prefix(64))
    }
}
