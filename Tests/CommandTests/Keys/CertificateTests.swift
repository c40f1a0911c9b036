import Foundation
import TestSupport
import Testing
import Wire

@Suite("The client certificate")
struct CertificateTests {
    private let peer: TLSPeer

    init() throws { peer = try TLSPeer() }

    private var token: JSONObject {
        [
            "access_token": "at", "token_type": "Bearer", "api_base": .string(peer.url()),
            "token_endpoint": "https://as.example/token", "cacert_file": .string(peer.path("ca.pem")),
            "tls_client_certificate_file": .string(peer.path("client.pem")),
            "tls_client_key_file": .string(peer.path("client.key")),
        ]
    }

    private func shown(_ token: JSONObject, _ options: String...) throws -> JSON? {
        try Program.oap(["call", peer.url()] + options, input: token.input).run().expect(status: 0).object()["client"]
    }

    @Test("M-04 an API gets it if the token is bound to it, if it is the server's own, or if the caller names it")
    func places() throws {
        #expect(try shown(token) == .null)
        let part = { (text: String) in Base64.encodeURL(Array(text.utf8)) }
        let jwt = "\(part(#"{"alg":"ES256"}"#)).\(part(#"{"cnf":{"x5t#S256":"x"}}"#)).AA"
        for bound: JSONObject in [
            ["tls_client_certificate_bound_access_tokens": true], ["token_endpoint": .string(peer.url() + "token")],
            ["access_token": .string(jwt)],
        ] {
            #expect(try shown(token.with(bound)) == "the client")
        }
        let bare = token.with(["tls_client_certificate_file": .null, "tls_client_key_file": .null])
        #expect(try shown(bare, "--cert", peer.path("client.pem"), "--key", peer.path("client.key")) == "the client")
        let shown = try Program.oap(["call", peer.url(), "--dry-run"], input: token.input).run().expect(status: 0)
        #expect(!shown.text.contains("--cert "), "\(shown)")
    }

    @Test("M-04 the lines of a batch do as one call does, and userinfo elsewhere gets it for a bound token")
    func batch() throws {
        let folder = try TemporaryDirectory()
        try folder.write(JSON.object(token).text, to: "t.json")
        chmod(folder.path("t.json"), 0o600)
        let batch = Program.oap(
            ["call", "--batch", "--token-file", folder.path("t.json"), "--jq", ".body.client"],
            input: .text("{\"url\":\"/\"}\n{\"url\":\"/x\"}\n"))
        #expect(try batch.run().expect(status: 0).text == "null\nnull\n")
        let document = token.with(["userinfo_endpoint": .string(peer.url()), "id_token_claims": .null])
        for (bound, name) in [(true, "\"the client\""), (false, "null")] as [(Bool, String)] {
            let asked = document.with(["tls_client_certificate_bound_access_tokens": .bool(bound)])
            let answer = try Program.oap(["userinfo", "-vv"], input: asked.input).run()
            #expect(answer.errorText.contains("\"client\": \(name)"), "\(answer)")
        }
    }

    @Test("certificate and key from pipes serve every request of a process")
    func pipes() throws {
        let script = """
            oap call --batch -n --api-base '\(peer.url())' --cacert '\(peer.path("ca.pem"))' --cert <(cat '\(peer.path("client.pem"))') \
            --key <(cat '\(peer.path("client.key"))') --http1.1 --jq .body.client
            """
        let url = peer.url()
        let lines = String(repeating: "{\"url\":\"\(url)\"}\n", count: 3)
        var program = Program.shell(script, input: .text(lines))
        program.environment["OAP_ACCESS_TOKEN"] = "at"
        let result = try program.run().expect(status: 0)
        #expect(result.text.components(separatedBy: "the client").count == 4, "\(result)")
    }
}
