import TestSupport
import Testing
import Wire

@Suite("The way to the server")
struct TransportTests {
    private static let token = Program.Input.text(#"{"access_token":"old-access"}"#)

    @Test(
        "T-13 a request goes through https_proxy, whose refusal is told, and which sees no token",
        arguments: [false, true])
    func proxy(byOption: Bool) throws {
        let proxy = try Responder(.text("no", status: 407))
        let result = try Program.oap(
            ["call", "https://api.example:8443/x"] + (byOption ? ["--proxy", proxy.url()] : []), input: Self.token,
            environment: ["https_proxy": byOption ? "http://127.0.0.1:1" : proxy.url()]
        ).run().expect(status: 11)
        #expect(result.errorText.contains("407"), "\(result)")
        let request = try #require(proxy.requests.first)
        #expect(request.head.hasPrefix("CONNECT api.example:8443 HTTP/1.1\r\n"))
        #expect(!request.head.contains("Authorization"))
    }

    @Test("T-13 a request goes past the proxy to loopback, and to what no_proxy names")
    func direct() throws {
        let responder = try Responder(.text("ok"), .text("ok"))
        let proxy = try Responder()
        let environment = ["https_proxy": proxy.url(), "http_proxy": proxy.url(), "all_proxy": proxy.url()]
        try Program.oap(["call", "/x"], input: responder.token.input, environment: environment).run().expect(status: 0)
        try Program.oap(["call", "/x", "--proxy", proxy.url()], input: responder.token.input).run().expect(status: 0)
        for (options, more) in [(["--noproxy", "*"], [:]), ([], ["no_proxy": "invalid"])] {
            // No name of the domain `invalid` is ever found (RFC 6761 section 6.4).
            try Program.oap(
                ["call", "https://api.invalid/"] + options, input: Self.token,
                environment: environment.merging(more) { $1 }
            ).run().expect(status: 6)
        }
        #expect(proxy.connectionCount == 0)
    }

    @Test("T-03 a certificate is checked against --cacert, CURL_CA_BUNDLE or SSL_CERT_FILE, and refused without")
    func certificates() throws {
        let folder = try TemporaryDirectory()
        let certificate = folder.path("cert.pem")
        try Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \\
                -addext subjectAltName=IP:127.0.0.1 -keyout "$D/key.pem" -out "$D/cert.pem"
            """, environment: ["D": folder.path]
        ).run().expect(status: 0)
        var program = Program.shell(
            "cd \"$D\" && openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www | sed -un 's/^ACCEPT .*://p'",
            environment: ["D": folder.path])
        program.input = .open
        let server = try program.start()
        let url = "https://127.0.0.1:\(try server.firstLine())/"
        let ways: [([String], [String: String])] = [
            (["--cacert", certificate], [:]), ([], ["CURL_CA_BUNDLE": certificate]),
            ([], ["SSL_CERT_FILE": certificate]),
        ]
        for (options, environment) in ways {
            let result = try Program.oap(["call", url] + options, input: Self.token, environment: environment).run()
            #expect(result.expect(status: 0).text.contains("s_server"), "\(result)")
        }
        let refused = try Program.oap(["call", url], input: Self.token).run().expect(status: 9)
        #expect(refused.errorText.contains("certificate of host 127.0.0.1 is not trusted"), "\(refused)")
        refused.expect(errorLine: "oap: hint: to trust a certificate authority of your own, use --cacert FILE")
        withExtendedLifetime(server) {}
    }

    @Test("a client certificate is not taken with an encrypted key, and no password is asked for on the terminal")
    func encryptedKey() throws {
        let peer = try TLSPeer()
        try peer.openssl(["ec", "-in", "client.key", "-aes128", "-passout", "pass:secret", "-out", "encrypted.key"])
        var program = Program.oap(
            [
                "call", "-n", peer.url(), "--cacert", peer.path("ca.pem"), "--cert", peer.path("client.pem"), "--key",
                peer.path("encrypted.key"),
            ], environment: ["OAP_ACCESS_TOKEN": "t"])
        (program.input, program.output) = (.terminal, .terminal)
        let result = try program.run().expect(status: 11).expect(output: "")
        #expect(result.errorText.contains("its key is encrypted"), "\(result)")
    }

    @Test("oap leaves no keys of its connections in a file, whatever SSLKEYLOGFILE says")
    func keyLog() throws {
        let (peer, folder) = (try TLSPeer(), try TemporaryDirectory())
        try Program.oap(
            ["call", "-n", peer.url(), "--cacert", peer.path("ca.pem")],
            environment: ["OAP_ACCESS_TOKEN": "t", "SSLKEYLOGFILE": folder.path("keys")]
        ).run().expect(status: 0)
        #expect(!folder.contains("keys"))
    }

    @Test("nothing is sent where a file of certificates or a key cannot be read", arguments: ["--cacert", "--cert"])
    func missingFile(option: String) throws {
        let result = try Program.oap(["call", "https://127.0.0.1:1/", option, "/nowhere"], input: Self.token).run()
        result.expect(status: 11)
        #expect(result.errorText.contains("/nowhere"), "\(result)")
    }

    @Test("T-03 the server's certificate is checked always", arguments: ["-k", "--insecure"])
    func insecure(option: String) throws {
        for command in ["exchange", "call"] {
            try Program.oap([command, option, "https://api.example/"], input: Self.token).run().expect(status: 2)
                .expect(errorLine: "oap: \(command): certificates are always checked")
        }
    }
}
