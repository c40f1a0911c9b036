import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What a login was told")
struct RememberedLoginTests {
    private let person: LoginHome
    private let endpoint: Responder

    init() throws {
        person = try LoginHome()
        endpoint = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer","expires_in":1}"#) }
    }

    /// A server with certificates, which answers each endpoint.
    private func peer() throws -> CertificatePeer {
        try CertificatePeer([
            "/token": #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt","expires_in":1}"#,
            "/userinfo": #"{"sub":"7","name":"Ada"}"#, "/me": "{}", "/revoke": "{}",
        ])
    }

    private func endpoints(_ peer: CertificatePeer, _ browsing: Responder) -> JSONObject {
        [
            "client_id": "c", "authorization_endpoint": .string(browsing.url("/authorize")),
            "token_endpoint": .string(peer.origins[0] + "/token"),
            "userinfo_endpoint": .string(peer.origins[0] + "/userinfo"),
            "revocation_endpoint": .string(peer.origins[0] + "/revoke"),
        ]
    }

    @Test("the certificates of a login count for each command with its token, and at the next login")
    func certificates() throws {
        let (peer, browsing) = (try peer(), try LoginHome.server())
        try person.profile(browsing, endpoints(peer, browsing))
        try person.oap(["login", "work", "--open", "--save-profile"] + peer.options).run().expect(status: 0)
        let members = ["cacert_file", "tls_client_certificate_file", "tls_client_key_file"]
        let (profile, token) = (try person.profile(), try person.oap(["store", "get", "work"]).run().object())
        for (member, path) in zip(members, [peer.options[1], peer.options[3], peer.options[5]]) {
            #expect(profile[member] == .string(path) && token[member] == .string(path), "\(member)")
        }
        for command in [
            ["refresh", "-p", "work"], ["call", "work", peer.origins[0] + "/me", "--min-ttl", "0"],
            ["userinfo", "work", "--min-ttl", "0"], ["revoke", "work"], ["login", "work", "--open"],
            ["logout", "work"],
        ] { try person.oap(command).run().expect(status: 0) }
        let requests = try peer.requests()
        #expect(requests.allSatisfy { $0.hasSuffix(" client") }, "\(requests)")
        #expect(Set(requests) == ["1 /token client", "1 /userinfo client", "1 /me client", "1 /revoke client"])
    }

    @Test("the certificates of an exchange count for each command that is given its token")
    func exchanged() throws {
        let (peer, browsing) = (try peer(), try LoginHome.server())
        let client = endpoints(peer, browsing).with(["token_endpoint_auth_method": "none"])
        let exchange = ["exchange", "--grant", "client_credentials", "-o", "t.json"] + peer.options
        var program = person.oap(exchange)
        (program.input, program.directory) = (client.input, person.home.path)
        try program.run().expect(status: 0)
        for command in [["refresh"], ["call", peer.origins[0] + "/me", "--min-ttl", "0"], ["revoke"]] {
            var next = person.oap(command + ["--token-file", "t.json"])
            next.directory = person.home.path
            try next.run().expect(status: 0)
        }
        let requests = try peer.requests()
        #expect(requests.count > 4 && requests.allSatisfy { $0.hasSuffix(" client") }, "\(requests)")
    }

    @Test("each token of a batch is sent with its own certificate, and an option beats all")
    func ofEachToken() throws {
        let (peer, browsing) = (try peer(), try LoginHome.server())
        let token = endpoints(peer, browsing).with([
            "access_token": "at", "refresh_token": "rt", "expires_at": 1, "token_endpoint_auth_method": "none",
            "cacert_file": .string(peer.options[1]),
        ])
        let own: JSONObject = [
            "tls_client_certificate_file": .string(peer.options[3]), "tls_client_key_file": .string(peer.options[5]),
        ]
        for (name, document) in [("a", token.with(own)), ("b", token), ("c", token.with(own))] {
            var put = person.oap(["store", "put", name])
            put.input = document.input
            try put.run().expect(status: 0)
        }
        try person.oap(["token", "--all", "--within", "1d"]).run().expect(status: 0)
        #expect(try peer.requests() == ["1 /token client", "1 /token -", "1 /token client"])
        try person.oap(["logout", "--all"]).run().expect(status: 0)
        let revoked = try peer.requests().dropFirst(3)
        #expect(revoked.map { String($0.suffix(2)) } == ["nt", "nt", " -", " -", "nt", "nt"], "\(revoked)")
        let option = ["refresh", "--cert", peer.options[3], "--key", peer.options[5], "--jq", ".access_token", "-r"]
        var piped = person.oap(option)
        piped.input = token.input
        try piped.run().expect(status: 0)
        #expect(try peer.requests().last == "1 /token client")
    }

    @Test("a certificate that was changed in the profile goes without the key of the token's former one")
    func changed() throws {
        let (peer, browsing) = (try peer(), try LoginHome.server())
        let token = endpoints(peer, browsing).with([
            "access_token": "at", "refresh_token": "rt", "expires_at": 1, "token_endpoint_auth_method": "none",
            "cacert_file": .string(peer.options[1]), "tls_client_certificate_file": .string(peer.options[3]),
            "tls_client_key_file": .string(peer.options[1]),
        ])
        var put = person.oap(["store", "put", "work"])
        put.input = token.input
        try put.run().expect(status: 0)
        let keys = try [peer.options[3], peer.options[5]].map { try String(contentsOfFile: $0, encoding: .utf8) }
        let both = try person.home.write(keys.joined(), to: "both.pem")
        let profile: JSONObject = ["client_id": "c", "tls_client_certificate_file": .string(both)]
        try person.home.write(JSON.object(profile).text, to: LoginHome.profile)
        try person.oap(["refresh", "-p", "work"]).run().expect(status: 0).expectSilence()
        #expect(try peer.requests() == ["1 /token client"])
        // The token that is renewed during a call is the same login's.
        try person.oap(["call", "work", peer.origins[0] + "/me", "--min-ttl", "3600"]).run().expect(status: 0)
        #expect(try peer.requests().dropFirst() == ["1 /token client", "1 /me client"])
    }

    @Test("relative paths are stored absolute, a descriptor and a proxy with a password not at all")
    func stored() throws {
        let (peer, browsing) = (try peer(), try LoginHome.server())
        try person.profile(browsing, endpoints(peer, browsing))
        let folder = URL(fileURLWithPath: peer.options[1]).deletingLastPathComponent().path
        var program = Program.shell(
            """
            cat client.pem client.key > both.pem && chmod 600 both.pem && oap login work --open --save-profile --cacert ca.pem \
            --cert /dev/fd/7 7< both.pem --proxy http://ada:word@proxy.invalid:1 --noproxy internal.example
            """, environment: ["HOME": person.home.path, "BROWSER": LoginHome.browser])
        program.directory = folder
        let said = try program.run().expect(status: 0).expect(nowhere: "ada:word").errorText
        #expect(said.contains("warning: the proxy is not stored, since its URL has a user name or a password"))
        let profile = try person.profile()
        #expect(profile["cacert_file"] == .string(peer.options[1]) && profile["no_proxy"] == "internal.example")
        for member in ["proxy", "tls_client_certificate_file", "tls_client_key_file"] {
            #expect(profile[member] == nil, "\(member)")
        }
    }

    @Test("a proxy of a login counts for its renewals, and goes before that of a variable")
    func proxy() throws {
        let proxy = try Responder { _ in .text("no", status: 407) }
        let token: JSONObject = [
            "client_id": "c", "token_endpoint": "https://as.example/token", "access_token": "at", "refresh_token": "rt",
            "proxy": .string(proxy.url()),
        ]
        var piped = person.oap(["refresh"], ["https_proxy": "http://127.0.0.1:1"])
        piped.input = token.input
        #expect(try piped.run().errorText.contains("407"))
        #expect(proxy.requests.first?.head.hasPrefix("CONNECT as.example:443 ") == true)
    }

    @Test(
        "a document's route is of strings, and no descriptor",
        arguments: [#""proxy":1"#, #""cacert_file":"/dev/fd/9""#])
    func invalid(member: String) throws {
        let program = Program.oap(["refresh"], input: .text(#"{"access_token":"a",\#(member)}"#))
        try program.run().expect(status: 3)
    }

    @Test("no answer sets the way to the server")
    func answer() throws {
        let evil =
            #"{"access_token":"a","token_type":"Bearer","proxy":"http://x.example","cacert_file":"/x","no_proxy":"*"}"#
        let server = try Responder(.json(evil))
        let result = try Program.oap(["refresh"], input: server.token.input).run().expect(status: 0)
        for member in ["proxy", "cacert_file", "no_proxy"] {
            #expect(
                try result.object()[member] == nil && result.errorText.contains("member \(member), which"), "\(result)")
        }
    }
}

extension RememberedLoginTests {
    private func machine(_ arguments: [String], save: Bool = true) -> Program {
        person.oap(
            ["login", "ci", "--client-id", "m", "--token-endpoint", endpoint.url("/token")] + arguments
                + (save ? ["--save-profile"] : []), ["OAP_CLIENT_SECRET": "s3cret-value"])
    }

    @Test("the parameters of a login are sent at the next login and at each renewal, once each")
    func parameters() throws {
        let told = ["--grant", "client_credentials", "--param", "audience=https://api.example", "--param", "x=1"]
        try machine(told).run().expect(status: 0)
        let secret = ["OAP_CLIENT_SECRET": "s3cret-value"]
        for command in [["refresh", "-p", "ci"], ["login", "ci"]] {
            try person.oap(command, secret).run().expect(status: 0)
        }
        try machine(told, save: false).run().expect(status: 0)
        let bodies = endpoint.requests.map(\.bodyText)
        #expect(
            bodies.count == 4 && Set(bodies).count == 1 && bodies[0].contains("audience=https%3A%2F%2Fapi.example&x=1"))
        // The token keeps the parameters of its own login, whatever the profile says.
        try person.oap(["login", "ci", "--param", "audience=other"], secret).run().expect(status: 0)
        try person.oap(["refresh", "-p", "ci"], secret).run().expect(status: 0)
        let last = endpoint.requests.suffix(2).map(\.bodyText)
        #expect(last[0] == last[1] && last[0].contains("audience=other&x=1") || last[0].contains("x=1&audience=other"))
    }

    @Test("the parameters of a user's login are sent at the next one, in the authorization request alone")
    func authorizationParameters() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let told = ["login", "work", "--open", "--param", "audience=a", "--save-profile"]
        for command in [told, ["login", "work", "--open"], ["refresh", "-p", "work"]] {
            try person.oap(command).run().expect(status: 0)
        }
        #expect(try person.stored()["authorization_params"] == .object(["audience": "a"]))
        let asked = server.requests.filter { $0.target.contains("audience=a") }
        #expect(asked.count == 2 && asked.allSatisfy { $0.target.hasPrefix("/authorize?") })
        #expect(!server.requests.contains { $0.bodyText.contains("audience") })
    }

    @Test("the parameters of a device login are sent at the next one")
    func deviceParameters() throws {
        let server = try Responder { request in
            guard request.target == "/device" else { return .token }
            return .json(
                #"{"device_code":"d","user_code":"u","verification_uri":"http://127.0.0.1/d","expires_in":9,"interval":0}"#
            )
        }
        try person.profile(server, ["device_authorization_endpoint": .string(server.url("/device"))])
        try person.oap(["login", "work", "--device", "--param", "audience=a", "--save-profile"]).run().expect(status: 0)
        try person.oap(["login", "work", "--device"]).run().expect(status: 0)
        let asked = server.requests.filter { $0.target == "/device" }.map(\.bodyText)
        #expect(asked.count == 2 && asked.allSatisfy { $0.contains("audience=a") })
        #expect(!server.requests.contains { $0.target == "/token" && $0.bodyText.contains("audience") })
    }

    @Test("files of a grant are in the profile, and every profile of a login goes through profile set")
    func roundTrip() throws {
        let subject = try person.home.write("subject.jwt", to: "subject")
        let type = "urn:ietf:params:oauth:token-type:jwt"
        try machine([
            "--grant", "token-exchange", "--subject-token-file", subject, "--param", "subject_token_type=\(type)",
        ]).run().expect(status: 0)
        let secret = ["OAP_CLIENT_SECRET": "s3cret-value"]
        try person.oap(["login", "ci"], secret).run().expect(status: 0)
        let bodies = endpoint.requests.map(\.bodyText)
        #expect(bodies.count == 2 && bodies[0] == bodies[1] && bodies[0].contains("subject_token=subject.jwt"))
        let shown = try person.oap(["profile", "show", "ci"]).run().expect(status: 0).object()
        #expect(shown["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
        #expect(shown["subject_token_file"] == .string(subject))
        var set = person.oap(["profile", "set", "ci"])
        set.input = shown.input
        try set.run().expect(status: 0).expectSilence()
        #expect(try person.oap(["profile", "show", "ci"]).run().object() == shown)
    }

    @Test("the file of a secret that a login was given goes to the profile, whose file renewals use")
    func movedSecret() throws {
        let files = try ["old", "new"].map { try person.home.write("secret-\($0)", to: $0) }
        let login = ["login", "ci", "--grant", "client_credentials", "--client-secret-file"]
        let known: JSONObject = [
            "token_endpoint": .string(endpoint.url("/token")), "client_id": "c",
            "client_secret_file": .string(files[0]),
            "token_endpoint_auth_method": "client_secret_post",
        ]
        try person.home.write(JSON.object(known).text, to: ".config/oap/profiles/ci.json")
        try person.oap(login + [files[0]]).run().expect(status: 0)
        #expect(endpoint.requests.count == 1)
        let moved = try person.oap(login + [files[1], "--if-needed"]).run().expect(status: 0)
        moved.expect(
            errorLine: "oap: login: the profile ci has the files of this login now, which renewals use")
        try person.oap(["token", "ci", "--min-ttl", "60"]).run().expect(status: 0)
        #expect(try person.oap(["profile", "show", "ci"]).run().object()["client_secret_file"] == .string(files[1]))
        let secrets = endpoint.requests.map { $0.bodyText.contains("client_secret=secret-new") }
        #expect(secrets.first == false && secrets.dropFirst().allSatisfy(\.self), "\(secrets)")
    }

    @Test(
        "a login that is made if needed is needed where the client, the resource or a parameter is another",
        arguments: [
            ["--client-id", "other", "--token-endpoint-auth-method", "none"], ["--resource", "https://api.example/b"],
            ["--param", "audience=b"],
            ["--api-base", "https://api.example/b", "--save-profile"],
        ])
    func changedWish(options: [String]) throws {
        let lasting = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer","expires_in":3600}"#) }
        let login = [
            "login", "ci", "--grant", "client_credentials", "--token-endpoint", lasting.url("/token"), "--client-id",
            "c",
            "--token-endpoint-auth-method", "none", "--resource", "https://api.example/a", "--param", "audience=a",
            "--save-profile",
        ]
        try person.oap(login).run().expect(status: 0)
        try person.oap(["login", "ci", "--if-needed"]).run().expect(status: 0).expectSilence()
        try person.oap(login + ["--if-needed"]).run().expect(status: 0).expectSilence()
        #expect(lasting.requests.count == 1)
        let changed = ["login", "ci", "--if-needed"] + options
        try person.oap(changed).run().expect(status: 0)
        #expect(lasting.requests.count == 2)
        try person.oap(changed).run().expect(status: 0).expectSilence()
        #expect(lasting.requests.count == 2)
    }
}
