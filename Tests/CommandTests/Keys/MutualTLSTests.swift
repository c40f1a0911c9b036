import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// RFC 8705 with nginx between `oap` and a server: nginx checks the handshake and the certificate, and the server knows only
/// what nginx tells it.
@Suite("The client certificate, with nginx as the judge")
struct MutualTLSTests {
    typealias Method = RegisteredCertificate.Method

    @Test(
        "M-01, M-04, AU-10 a login, a renewal and all that follows show the certificate at the aliases, and no browser does",
        arguments: Method.allCases)
    func login(method: Method) throws {
        let server = try CertificateServer(method)
        let home = try LoginHome()
        try home.home.write(JSON.object(server.client).text, to: LoginHome.profile)
        let options = server.trust + server.certificates.options("client")
        try home.oap(
            ["login", "work", "--open", "--par", "--token-endpoint-auth-method", method.rawValue] + options
        ).run().expect(status: 0).expect(errorLine: "oap: login: logged in as Ada")
        // The stored token knows its certificate.
        try home.oap(["token", "work", "--min-ttl", "1000"]).run().expect(status: 0)
        #expect(try home.oap(["introspect", "work"]).run().expect(status: 0).object()["active"] == true)
        #expect(try home.oap(["userinfo", "work"]).run().expect(status: 0).object()["sub"] == "user")
        try home.oap(["call", "work", server.api + "/api", "--allow-origin", server.api]).run().expect(status: 0)
        try home.oap(["logout", "work"]).run().expect(status: 0)
        let paths = ["/par", "/token", "/userinfo", "/token", "/introspect", "/userinfo", "/api", "/revoke", "/revoke"]
        #expect(server.verdicts == paths.map { "\($0) certificate" })
        for form in try server.forms {
            #expect(form["client_id"] == "c" && form["client_secret"] == nil && form["client_assertion"] == nil)
        }
    }

    @Test(
        "M-01, AU-10 each grant and each other request of a document go to the alias with the certificate, and no secret",
        arguments: Method.allCases)
    func documents(method: Method) throws {
        let server = try CertificateServer(method)
        let client = server.client(with: "client").with(["token_endpoint_auth_method": .string(method.rawValue)])
        let end = JSON.integer(Int(Date().timeIntervalSince1970) + 60)
        let steps: [([String], JSONObject, String)] = [
            (["authurl", "--par"], [:], "/par"), (["device"], [:], "/device"),
            (["ciba", "--login-hint", "ada"], [:], "/ciba"), (["exchange"], ["code": "x"], "/token"),
            (["exchange"], ["device_code": "d", "interval": 1, "expires_at": end], "/token"),
            (["exchange", "--grant", "client_credentials"], [:], "/token"),
            (["refresh"], ["refresh_token": "rt"], "/token"), (["introspect"], ["access_token": "at"], "/introspect"),
            (["revoke"], ["access_token": "at"], "/revoke"),
        ]
        for (count, (words, members, path)) in steps.enumerated() {
            let result = try Program.oap(words, input: client.with(members).input).run().expect(status: 0)
            #expect(server.verdicts.dropFirst(count) == ["\(path) certificate"], "\(result)")
        }
        for form in try server.forms {
            #expect(form["client_id"] == "c" && form["client_secret"] == nil && form["client_assertion"] == nil)
        }
    }

    @Test("AU-10 a client that names no method authenticates as the server lists", arguments: Method.allCases)
    func unnamed(method: Method) throws {
        let server = try CertificateServer(method)
        let client = server.client(with: "client").with([
            "token_endpoint_auth_methods_supported": .strings(["client_secret_basic", method.rawValue])
        ])
        let grant = ["exchange", "--grant", "client_credentials"]
        try Program.oap(grant, input: client.input).run().expect(status: 0)
        #expect(server.verdicts == ["/token certificate"])
    }

    @Test("without a certificate nothing is sent, and the message says how to give one", arguments: Method.allCases)
    func missing(method: Method) throws {
        let server = try CertificateServer(method)
        let document = server.client.with(["token_endpoint_auth_method": .string(method.rawValue), "code": "x"])
        let renewable = document.with(["refresh_token": "rt", "access_token": "at"])
        for words in [["authurl", "--par"], ["exchange"], ["refresh"], ["introspect"], ["revoke"]] {
            let result = try Program.oap(words, input: renewable.input).run().expect(status: 3)
            #expect(result.errorText.contains("\(method.rawValue) needs a certificate"), "\(result)")
            #expect(result.errorText.contains("use --cert FILE and --key FILE"), "\(result)")
        }
        #expect(server.verdicts.isEmpty)
    }

    @Test("another certificate is refused, and the message says what to check", arguments: Method.allCases)
    func other(method: Method) throws {
        let server = try CertificateServer(method)
        // One of the same authority has another subject; a self-signed one has the same, but another key.
        let issuer = method == .issued ? "ca" : nil
        let subject = method == .issued ? "/O=Example/CN=other" : "/O=Example/CN=client"
        try server.certificates.make("other", subject: subject, issuer: issuer)
        let document = server.client(with: "other").with(["token_endpoint_auth_method": .string(method.rawValue)])
        let grant = ["exchange", "--grant", "client_credentials"]
        let result = try Program.oap(grant, input: document.input).run().expect(status: 4)
        let reason = method == .issued ? "another subject" : "another certificate"
        #expect(result.errorText.contains("invalid_client (the judge says: \(reason))"), "\(result)")
        #expect(result.errorText.contains("hint: check client_id, and the certificate that the"), "\(result)")
    }

    @Test(
        "M-04 a bound token is worth something with its certificate alone, at an API and at userinfo",
        arguments: Method.allCases, ["read", "opaque"])
    func bound(method: Method, scope: String) throws {
        let server = try CertificateServer(method)
        try server.certificates.make("other", subject: "/O=Example/CN=client", issuer: method == .issued ? "ca" : nil)
        let isOpaque = scope == "opaque"
        let client = server.client(with: "client").with([
            "token_endpoint_auth_method": .string(method.rawValue), "scope": .string(scope),
        ])
        let grant = ["exchange", "--grant", "client_credentials"]
        let token = try Program.oap(grant, input: client.input).run().expect(status: 0).object()
        let call = ["call", server.api + "/api", "--allow-origin", server.api]
        // What an opaque token is bound to, only the registration says.
        let first = try Program.oap(call, input: token.input).run()
        if isOpaque {
            #expect(first.expect(status: 7).errorText.contains("\"tls_client_certificate_bound_access_tokens\""))
        } else {
            first.expect(status: 0)
        }
        let registered = token.with(["tls_client_certificate_bound_access_tokens": true])
        for words in [call, ["userinfo"]] {
            try Program.oap(words, input: registered.input).run().expect(status: 0)
            let stolen = registered.with([
                "tls_client_certificate_file": .string(server.certificates.path("other")),
                "tls_client_key_file": .string(server.certificates.path("other", "key")),
            ])
            #expect(try Program.oap(words, input: stolen.input).run().ending != .status(0))
        }
        #expect(server.verdicts.contains("/api none") == isOpaque)
    }

    @Test(
        "a server that takes no connection without a certificate is told from one that refuses a grant",
        arguments: [nil, "unknown"])
    func gate(name: String?) throws {
        let server = try CertificateServer(.issued, required: true)
        try server.certificates.make("unknown", subject: "/O=Example/CN=client")
        let client = name.map { server.client(with: $0) } ?? server.reached
        let document = client.with([
            "token_endpoint_auth_method": name == nil ? "none" : "tls_client_auth", "code": "x", "refresh_token": "rt",
            "access_token": "at", "tls_client_certificate_bound_access_tokens": .bool(name != nil),
        ])
        let reason = name == nil ? "it wants a client certificate" : "it refuses the client certificate"
        for words in [["exchange"], ["refresh"], ["authurl", "--par"], ["introspect"], ["revoke"]] {
            let result = try Program.oap(words, input: document.input).run().expect(status: 10)
            #expect(result.errorText.contains("answered 400: \(reason)"), "\(result)")
            #expect(result.errorText.contains("use --cert FILE and --key FILE with a certificate that"), "\(result)")
        }
        let call = ["call", server.api + "/api", "--allow-origin", server.api]
        let result = try Program.oap(call, input: document.input).run().expect(status: 7)
        #expect(result.errorText.contains("use --cert FILE and --key FILE with a certificate that"), "\(result)")
        // nginx has let nothing pass.
        #expect(server.verdicts.isEmpty)
    }

    @Test("a renewal that nginx stops at the certificate leaves the stored token as it is")
    func stopped() throws {
        let server = try CertificateServer(.issued)
        let home = try LoginHome()
        try home.home.write(JSON.object(server.client).text, to: LoginHome.profile)
        let options = server.trust + server.certificates.options("client")
        let method = ["--token-endpoint-auth-method", "tls_client_auth"]
        try home.oap(["login", "work", "--open", "--par"] + method + options).run().expect(status: 0)
        let stored = try home.stored()
        try server.certificates.make("client", subject: "/O=Example/CN=client")
        let renewal = home.oap(["token", "work", "--min-ttl", "1000"])
        let stopped = try renewal.run()
        #expect(stopped.errorText.contains("it refuses the client certificate"), "\(stopped)")
        #expect(try home.stored() == stored)
        try server.certificates.make("client", subject: "/O=Example/CN=client", issuer: "ca")
        try renewal.run().expect(status: 0)
        #expect(try home.stored() != stored)
    }

    @Test("the alert of a server that ends the handshake is no failure that may pass", arguments: ["exchange", "call"])
    func alert(command: String) throws {
        let (peer, other) = (try TLSPeer(.demanding), try TLSPeer())
        let document: JSONObject = [
            "client_id": "c", "token_endpoint": .string(peer.url()), "code": "x", "access_token": "at",
            "cacert_file": .string(peer.path("ca.pem")), "token_endpoint_auth_method": "tls_client_auth",
            "tls_client_certificate_file": .string(other.path("client.pem")),
            "tls_client_key_file": .string(other.path("client.key")),
        ]
        let words = command == "call" ? ["call", peer.url()] : [command]
        let result = try Program.oap(words, input: document.input).run().expect(status: 9)
        #expect(result.errorText.contains("refuses the client certificate: unknown ca"), "\(result)")
        #expect(result.errorText.contains("hint: use --cert FILE and --key FILE"), "\(result)")
        #expect(!result.errorText.contains("trying again"))
    }
}
