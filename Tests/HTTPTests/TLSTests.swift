import Foundation
@testable import HTTP
import TestSupport
import Testing
import Wire

@Suite("TLS, client certificates and proxies")
struct TLSTests {
    private struct Answer: Decodable {
        var head: String
        var connect: String?
        var client: String?
        var connections: Int
    }

    private func get(
        _ url: String, _ client: HTTPClient, headers: [HTTPField] = [], withCertificate: Bool = true
    ) throws -> Answer {
        let response = try client.send(
            HTTPRequest(method: "GET", url: url, headers: headers), maximumBody: 100_000,
            withCertificate: withCertificate)
        #expect(response.head.headers.first("Content-Length") != nil, "this is the head of another answer")
        return try JSONDecoder().decode(Answer.self, from: Data(response.body))
    }

    private func failure(_ url: String, _ options: TransportOptions) throws -> HTTPError {
        let client = try HTTPClient(options: options)
        return try #require(
            #expect(throws: HTTPError.self) {
                try client.send(HTTPRequest(method: "GET", url: url), maximumBody: 100)
            })
    }

    @Test("T-03 a certificate of an unknown authority is refused before anything is sent, one of --cacert is accepted")
    func trust() throws {
        let peer = try TLSPeer()
        let error = try failure(peer.url(), TransportOptions())
        guard case .certificate(.authority, let message) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(message.hasPrefix("certificate of host 127.0.0.1 is not trusted: "))
        #expect(!message.contains("SSL"))
        let answer = try get(peer.url(), HTTPClient(options: peer.trusting))
        #expect(answer.head.hasPrefix("GET / HTTP/1.1\r\n"))
        // The refused one was checked against the directory of authorities, if any, then against the bundle.
        #expect(try answer.connections == (EasyHandle().setBundleAside() != nil ? 3 : 2))
    }

    @Test("T-03 a certificate for another host is refused, though its authority is trusted")
    func wrongHost() throws {
        let peer = try TLSPeer(names: "DNS:other.example")
        guard case .certificate(.host, let message) = try failure(peer.url(), peer.trusting) else {
            Issue.record("not refused")
            return
        }
        #expect(message.hasPrefix("certificate of host 127.0.0.1 names other hosts: "))
    }

    @Test("T-03 an expired certificate is refused, though its authority is trusted")
    func expired() throws {
        let peer = try TLSPeer(isExpired: true)
        guard case .certificate(.time, let message) = try failure(peer.url(), peer.trusting) else {
            Issue.record("not refused for its time")
            return
        }
        #expect(message == "certificate of host 127.0.0.1 is not trusted: certificate has expired")
    }

    @Test("a server that does not speak TLS is a failure of TLS")
    func noTLS() throws {
        let responder = try Responder(.text(""))
        let error = try failure("https://127.0.0.1:\(responder.port)/", TransportOptions())
        guard case .network(.notTLS, let message, false) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(message.hasSuffix("is not TLS; if the server uses plain http, its URL begins with http://"))
    }

    @Test("the client certificate is shown when it is wanted, and not on the same client's request without it")
    func clientCertificate() throws {
        let peer = try TLSPeer()
        let client = try HTTPClient(options: peer.showingCertificate)
        #expect(try get(peer.url(), client).client == "the client")
        #expect(try get(peer.url(), client, withCertificate: false).client == nil)
        #expect(try get(peer.url(), client).client == "the client")
    }

    @Test("a certificate that is renewed in its file is shown by the next request, on whatever connection")
    func renewedCertificate() throws {
        let peer = try TLSPeer()
        let client = try HTTPClient(options: peer.showingCertificate)
        #expect(try get(peer.url(), client).client == "the client")
        try peer.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-CA",
            "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=renewed", "-keyout", "client.key", "-out", "client.pem",
        ])
        #expect(try get(peer.url(), client).client == "renewed")
    }

    @Test("certificate and key may be one file")
    func combinedFile() throws {
        let peer = try TLSPeer()
        let combined = try ["client.pem", "client.key"].map {
            try String(contentsOfFile: peer.path($0), encoding: .utf8)
        }
        try combined.joined().write(toFile: peer.path("both.pem"), atomically: true, encoding: .utf8)
        var options = peer.trusting
        options.route.certificateFile = peer.path("both.pem")
        #expect(try get(peer.url(), HTTPClient(options: options)).client == "the client")
    }

    @Test("a file of certificates or a key that cannot be used is named")
    func unusableFiles() throws {
        let peer = try TLSPeer()
        var options = TransportOptions()
        options.route.caCertificateFile = "/nonexistent/ca.pem"
        #expect(
            try failure(peer.url(), options)
                == .file(path: "/nonexistent/ca.pem", message: "no such file or directory"))
        options.route.caCertificateFile = peer.path("ca.key")
        #expect(try failure(peer.url(), options) == .file(path: peer.path("ca.key"), message: "no certificates in it"))
        let authority = try String(contentsOfFile: peer.path("ca.pem"), encoding: .utf8)
        options.route.caCertificateFile = peer.path("line.pem")
        for end in [" ", #"\n"#, ""] {
            try authority.replacing("\n", with: end)
                .write(toFile: peer.path("line.pem"), atomically: true, encoding: .utf8)
            #expect(
                try failure(peer.url(), options)
                    == .file(path: peer.path("line.pem"), message: "the line ends of its certificate are gone"))
        }
        options = peer.trusting
        options.route.certificateFile = peer.path("client.key")
        #expect(
            try failure(peer.url(), options)
                == .file(path: peer.path("client.key"), message: "no usable certificate in it"))
        options.route.certificateFile = peer.path("client.pem")
        options.route.keyFile = peer.path("ca.pem")
        #expect(
            try failure(peer.url(), options) == .file(path: peer.path("ca.pem"), message: "no usable private key in it")
        )
        options.route.keyFile = peer.path("ca.key")
        #expect(
            try failure(peer.url(), options)
                == .file(path: peer.path("ca.key"), message: "it is not the key of \(peer.path("client.pem"))"))
    }

    @Test("an encrypted key is an error, not a question on the terminal")
    func encryptedKey() throws {
        let peer = try TLSPeer()
        try peer.openssl(
            ["ec", "-in", "client.key", "-aes128", "-passout", "pass:secret", "-out", "encrypted.key"])
        var options = peer.trusting
        options.route.certificateFile = peer.path("client.pem")
        options.route.keyFile = peer.path("encrypted.key")
        #expect(
            try failure(peer.url(), options)
                == .file(
                    path: peer.path("encrypted.key"),
                    message: "its key is encrypted: openssl pkey -in FILE -out OTHER decrypts it"))
    }

    @Test("T-13 credentials for the server do not go to the proxy, nor the proxy's to the server")
    func tunnel() throws {
        let peer = try TLSPeer(.tunnel)
        var options = peer.trusting
        options.route.proxy = "http://me:word@127.0.0.1:\(peer.port)"
        let answer = try get(
            "https://as.example/x?y", HTTPClient(options: options),
            headers: [HTTPField("Authorization", "Bearer t"), HTTPField("X-A", "b")])
        let connect = try #require(answer.connect)
        #expect(connect.hasPrefix("CONNECT as.example:443 HTTP/1.1\r\n"))
        #expect(connect.contains("Proxy-Authorization: Basic \(Base64.encode(Array("me:word".utf8)))\r\n"))
        #expect(!connect.contains("Bearer") && !connect.contains("X-A"))
        #expect(answer.head.contains("Authorization: Bearer t\r\n") && !answer.head.contains("Proxy"))
    }

    @Test("T-13 a Proxy-Authorization of the request goes to the proxy alone")
    func explicitProxyAuthorization() throws {
        let peer = try TLSPeer(.tunnel)
        var options = peer.trusting
        options.route.proxy = "127.0.0.1:\(peer.port)"
        let answer = try get(
            "https://as.example/", HTTPClient(options: options),
            headers: [HTTPField("Proxy-Authorization", "Basic eDp5")])
        #expect(answer.connect?.contains("Proxy-Authorization: Basic eDp5\r\n") == true)
        #expect(!answer.head.contains("eDp5"))
    }

    @Test("T-13 a proxy that wants a user is told from one that refuses the user it got, without the password")
    func proxyUser() throws {
        let proxy = try Responder { _ in .text("no", status: 407) }
        for (user, isRefused) in [("", false), ("me:hunter2@", true)] {
            var options = TransportOptions()
            options.route.proxy = "http://\(user)127.0.0.1:\(proxy.port)"
            let error = try failure("https://as.example/", options)
            #expect(error == .proxyUser(at: "http://127.0.0.1:\(proxy.port)", isRefused: isRefused))
            #expect(!error.requestSent)
        }
    }

    @Test(
        "T-13 a proxy that refuses the tunnel is told with its status, and nothing was sent", arguments: [403, 502])
    func proxyRefusal(status: Int) throws {
        let proxy = try Responder(.text("no", status: status))
        var options = TransportOptions()
        options.route.proxy = proxy.url()
        let error = try failure("https://as.example/?code=secret", options)
        #expect(
            error
                == .proxy(status: status, message: "the proxy refused as.example port 443 with status \(status)"))
        #expect(proxy.requests.first?.target == "as.example:443")
        #expect(!error.requestSent)
    }

    @Test("a proxy that is not there is a failure to connect")
    func deadProxy() throws {
        let proxy = try Responder()
        proxy.stop()
        var options = TransportOptions()
        options.route.proxy = proxy.url()
        guard case .network(.connect, let message, false) = try failure("https://as.example/", options) else {
            Issue.record("not a failure to connect")
            return
        }
        // libcurl 8 names the proxy without its port.
        #expect(message.contains("as.example"))
        #expect(message.contains("127.0.0.1"))
    }

    @Test("loopback and the hosts of no_proxy are not reached through the proxy")
    func noProxy() throws {
        let proxy = try Responder(.text("proxy", status: 403), .text("proxy", status: 403))
        let server = try Responder(.text("direct"))
        var options = TransportOptions()
        options.route.proxy = proxy.url()
        options.route.noProxy = "other.example, as.invalid"
        let response = try HTTPClient(options: options).send(
            HTTPRequest(method: "GET", url: server.url()), maximumBody: 100)
        #expect(response.body == Array("direct".utf8))
        guard case .network(.dns, _, _) = try failure("https://as.invalid/", options) else {
            Issue.record("went through the proxy")
            return
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test("a server that breaks a TLS connection during an upload does not kill by SIGPIPE")
    func brokenPipe() throws {
        let peer = try TLSPeer(.reset)
        let signals = BrokenPipeSignals()
        let client = try HTTPClient(options: peer.trusting)
        #expect(throws: HTTPError.self) {
            try client.send(
                HTTPRequest(method: "POST", url: peer.url(), body: [UInt8](repeating: 0, count: 8 << 20)),
                maximumBody: 100)
        }
        #expect(signals.count == 0)
    }

    @Test("a client that closes a kept TLS connection which the server has broken does not kill by SIGPIPE")
    func brokenPipeAtClose() throws {
        let peer = try TLSPeer(.resetFirst)
        let signals = BrokenPipeSignals()
        do {
            let client = try HTTPClient(options: peer.trusting)
            _ = try get(peer.url(), client)
            _ = try get(peer.url(), HTTPClient(options: peer.trusting))
        }
        #expect(signals.count == 0)
    }

    @Test("a tunnel that is made is no request that was sent")
    func tunnelOnly() throws {
        let peer = try TLSPeer(.tunnel)
        var options = TransportOptions()
        options.route.proxy = "http://127.0.0.1:\(peer.port)"
        let error = try failure("https://as.example/", options)
        guard case .certificate = error, !error.requestSent else {
            Issue.record("\(error)")
            return
        }
    }
}

@Suite("Transport options")
struct TransportOptionsTests {
    private func options(_ environment: [String: String]) -> TransportOptions {
        TransportOptions { environment[$0] }
    }

    @Test("T-13 the proxy comes from https_proxy, in small letters before capitals, and from nothing else")
    func proxy() {
        #expect(options(["https_proxy": "a", "HTTPS_PROXY": "b"]).route.proxy == "a")
        #expect(options(["https_proxy": "", "HTTPS_PROXY": "b"]).route.proxy == "b")
        #expect(options(["http_proxy": "a"]).route.proxy == nil)
        #expect(options(["https_proxy": "", "all_proxy": "b", "ALL_PROXY": "c"]).route.proxy == "b")
        #expect(options(["HTTPS_PROXY": "a", "all_proxy": "b"]).route.proxy == "a")
        #expect(options(["no_proxy": "a", "NO_PROXY": "b"]).route.noProxy == "a")
    }

    @Test("CURL_CA_BUNDLE beats SSL_CERT_FILE, and empty variables count as unset")
    func certificates() {
        #expect(options(["CURL_CA_BUNDLE": "a", "SSL_CERT_FILE": "b"]).route.caCertificateFile == "a")
        #expect(options(["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "b"]).route.caCertificateFile == "b")
        #expect(options([:]).route.caCertificateFile == nil)
    }
}
