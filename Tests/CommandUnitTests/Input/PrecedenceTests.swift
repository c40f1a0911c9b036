import CommandSpec
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Where a member comes from")
struct PrecedenceTests {
    @Test("a variable that is set but empty is named where its member is missing, and does no harm elsewhere")
    func emptyVariableNamed() throws {
        let words = ["exchange", "-n", "--grant", "client_credentials"]
        let token = try Program.oap(words, environment: ["OAP_CLIENT_ID": "c", "OAP_TOKEN_ENDPOINT": ""]).run()
        token.expect(status: 3).expect(
            errorLine: "oap: exchange: token_endpoint is missing (OAP_TOKEN_ENDPOINT is set but empty)")
        let environment = ["OAP_CLIENT_ID": "", "OAP_TOKEN_ENDPOINT": "https://as.example/t", "OAP_SCOPE": ""]
        let client = try Program.oap(words, environment: environment).run().expect(status: 3)
        client.expect(errorLine: "oap: exchange: client_id is missing (OAP_CLIENT_ID is set but empty)")
        let login = ["login", "w", "--open", "--issuer", "https://as.example"]
        try Program.oap(login, environment: environment).run().expect(status: 3).expect(
            errorLine: "oap: login: client_id is missing (OAP_CLIENT_ID is set but empty)")
        let complete = words + ["--client-id", "c", "--token-endpoint-auth-method", "none", "--dry-run"]
        try Program.oap(complete, environment: environment).run().expect(status: 0).expectSilence()
    }

    @Test(
        "an option beats the document, which beats the environment",
        arguments: [
            (["--client-id", "option"], #","client_id":"document""#, "option"),
            ([], #","client_id":"document""#, "document"), ([], "", "environment"),
        ])
    func order(options: [String], member: String, expected: String) throws {
        try Program.oap(
            ["authurl", "-q", ".client_id", "-r"] + options,
            input: .text(#"{"authorization_endpoint":"https://as.example/a"\#(member)}"#),
            environment: ["OAP_CLIENT_ID": "environment"]
        ).run().expect(status: 0).expect(output: expected + "\n")
    }

    @Test("a secret that an option gives leaves out that of the profile, whatever its form")
    func secretOfOption() throws {
        let (home, server) = (try TemporaryDirectory(), try Responder { _ in .token })
        let file = try home.write("from-option", to: "secret")
        let other = try home.write("from-profile", to: "other")
        for secret in [
            ["client_secret": "from-profile"], ["client_secret_file": .string(other)],
            ["client_secret_command": .strings(["echo", "from-profile"])],
        ] as [JSONObject] {
            let profile = JSON.object(server.client.with(secret)).text
            try home.write(profile, to: ".config/oap/profiles/work.json")
            try Program.oap(
                ["exchange", "--grant", "client_credentials", "-p", "work", "--client-secret-file", file],
                environment: ["HOME": home.path]
            ).run().expect(status: 0)
        }
        let basic = "Basic " + Base64.encode(Array("client:from-option".utf8))
        #expect(server.requests.map { $0.headers.first("Authorization") } == [basic, basic, basic])
    }

    @Test("a variable of a truth value is one in the document")
    func truth() throws {
        let name = "authorization_response_iss_parameter_supported"
        let document = #"{"authorization_endpoint":"https://as.example/a","client_id":"c"}"#
        try Program.oap(
            ["authurl", "-q", ".\(name)"], input: .text(document), environment: [Member.variable(for: name): "true"]
        ).run().expect(status: 0).expect(output: "true\n")
    }

    @Test("the variables of the client that OAP_CLIENT_ID names are not applied to another client")
    func otherClient() throws {
        let own = [
            "token_endpoint_auth_method": "client_secret_post", "basic_encoding": "raw",
            "id_token_signed_response_alg": "ES256", "client_secret_file": "/secret",
            "client_key_file": "/key", "client_key_passphrase_file": "/phrase",
        ]
        #expect(Set(own.keys) == Set(Member.ofVariableClient))
        let all = own.merging(["redirect_uri": "http://127.0.0.1:9/cb", "scope": "s"]) { $1 }
        var environment = ["OAP_CLIENT_ID": "mine", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/a"]
        for (name, value) in all { environment[Member.variable(for: name)] = value }
        for (client, taken) in [("mine", all.count), ("other", 2)] {
            let byOption = Program.oap(["authurl", "-n", "--client-id", client], environment: environment)
            let byDocument = Program.oap(
                ["authurl"], input: .text(#"{"client_id":"\#(client)"}"#), environment: environment)
            for program in [byOption, byDocument] {
                let flow = try program.run().expect(status: 0).object()
                #expect(all.count { flow[$0.key] == .string($0.value) } == taken, "\(flow)")
                #expect(flow["redirect_uri"] != nil && flow["scope"] == "s")
            }
        }
    }

    /// What a document may say of a client or a server.
    private static let clientMembers =
        Member.all.filter { [.client, .server, .way, .kept].contains($0.kind) }.map(\.name)
        + ["client_secret_file", "client_key_file", "client_key_passphrase_file", "initial_access_token_file"]
    /// The members that say where requests go.
    private static let addresses = Member.ofEnvironment.filter { $0.variable == .ofAddress }.map(\.name)

    /// What a variable of a member is set to: its first choice, or else an address that should get nothing.
    private func value(of member: String, address: String) throws -> String {
        let options = try CommandTable.commands.map(\.name).flatMap {
            try #require(CommandTable.named($0)).record.options
        }
        let option = options.first { $0.variable == Member.variable(for: member) }
        return option?.choices.first ?? address
    }

    @Test("no variable says where a stored token is renewed, or called, or revoked")
    func endpointsOfStoredToken() throws {
        let (home, evil) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        let server = try Responder { request in
            request.head.hasPrefix("GET") ? .json("{}") : .json(#"{"access_token":"new","token_type":"Bearer"}"#)
        }
        let stored = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        let secret = try home.write("secret", to: "secret")
        try Program.oap(["store", "put", "work"], input: stored.input, environment: ["HOME": home.path]).run()
            .expect(status: 0)
        // A key is used, as a secret is.
        let members = Self.clientMembers.filter { $0 != "client_key" && $0 != "client_key_file" }
        for member in members {
            var environment = ["HOME": home.path]
            environment[Member.variable(for: member)] =
                member == "client_secret_file" ? secret : try value(of: member, address: evil.url("/\(member)"))
            let renewed = try Program.oap(
                ["refresh", "-p", "work", "-q", ".access_token", "-r"], environment: environment
            ).run().expect(status: 0)
            #expect(renewed.text == "new\n", "\(member)")
        }
        #expect(server.requests.count == members.count)
        var all = ["HOME": home.path]
        for member in Self.addresses { all[Member.variable(for: member)] = evil.url("/\(member)") }
        try Program.oap(["call", "-p", "work", "/x"], environment: all).run().expect(status: 0)
        try Program.oap(["revoke", "-p", "work"], environment: all).run().expect(status: 0)
        #expect(evil.connectionCount == 0)
    }

    @Test(
        "no variable sends the secret of a profile to another server than the profile names",
        arguments: [
            ["exchange", "-p", "r", "--grant", "client_credentials"], ["login", "r", "--grant", "client_credentials"],
            ["device", "-p", "r"], ["authurl", "r", "--par"],
        ])
    func endpointsOfProfile(command: [String]) throws {
        let (home, evil) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        let server = try Responder { _ in .json("{}", status: 400) }
        for named in ["issuer", "token_endpoint"] {
            var profile: JSONObject = ["client_id": "c", "client_secret": "s3cret", "scope": "x"]
            for member in Self.addresses where named == "token_endpoint" && member != "issuer" {
                profile[member] = .string(server.url("/\(member)"))
            }
            if named == "issuer" { profile["issuer"] = .string(server.url()) }
            try home.write(JSON.object(profile).text, to: ".config/oap/profiles/r.json")
            var environment = ["HOME": home.path]
            for member in Self.addresses where member != "issuer" {
                environment[Member.variable(for: member)] = evil.url("/\(member)")
            }
            _ = try Program.oap(command + ["--connect-timeout", "2"], environment: environment).run()
        }
        #expect(evil.connectionCount == 0 && !server.requests.isEmpty)
    }

    @Test("a stored token that lacks an endpoint gets none from a variable")
    func missingEndpointsOfStoredToken() throws {
        let (home, evil) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        let stored: JSONObject = ["client_id": "c", "access_token": "at", "refresh_token": "rt"]
        var environment = ["HOME": home.path]
        try Program.oap(["store", "put", "work"], input: stored.input, environment: environment).run()
            .expect(status: 0)
        for member in Self.addresses { environment[Member.variable(for: member)] = evil.url("/\(member)") }
        try Program.oap(["refresh", "-p", "work"], environment: environment).run().expect(status: 3)
        try Program.oap(["call", "-p", "work", "/x"], environment: environment).run().expect(status: 2)
        try Program.oap(["revoke", "-p", "work"], environment: environment).run().expect(status: 3)
        try Program.oap(["logout", "work"], environment: environment).run().expect(status: 0)
        #expect(evil.connectionCount == 0)
    }

    /// What a document or a profile may name its server by, and no more.
    private static let names = [
        "issuer", "resource", "api_base", "api_origins", "authorization_endpoint", "token_endpoint", "refresh_endpoint",
        "revocation_endpoint", "userinfo_endpoint", "introspection_endpoint", "device_authorization_endpoint",
        "jwks_uri", "registration_client_uri",
    ]

    @Test(
        "what names its server by anything gets no address from a variable, with or without a secret", arguments: names,
        [
            [:], ["client_secret": "s"], ["client_secret_file": "/etc/hostname"],
            ["tls_client_certificate_file": "/etc/hostname"], ["client_key_file": "/etc/hostname"],
        ] as [JSONObject])
    func addresses(name: String, secret: JSONObject) throws {
        let (home, evil) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        // A server that is gone would be asked again, after a pause.
        let named = try Responder { _ in .json("{}", status: 404) }
        let tokens: JSONObject = ["access_token": "at", "refresh_token": "rt", "subject_token": "st", "code": "c"]
        let place: JSON = name == "api_origins" ? .array([.string(named.url())]) : .string(named.url())
        let document = tokens.with(secret).with(["client_id": "c", name: place])
        try home.write(JSON.object(document).text, to: ".config/oap/profiles/r.json")
        var environment = ["HOME": home.path]
        for member in Self.addresses where member != "issuer" {
            environment[Member.variable(for: member)] = evil.url("/\(member)")
        }
        for words in [["revoke"], ["refresh"], ["exchange"], ["call", "/x"], ["device"], ["userinfo"]] {
            let options = words[0] == "call" ? [] : ["--retry", "0"]
            let known = ["revoke", "refresh", "exchange"].contains(words[0]) ? options : []
            let words = words + known + ["--connect-timeout", "1"]
            _ = try Program.oap(words, input: document.input, environment: environment).run()
            guard !["call", "refresh", "revoke", "userinfo"].contains(words[0]) else { continue }
            _ = try Program.oap(words + ["-p", "r"], environment: environment).run()
        }
        #expect(evil.connectionCount == 0)
    }

    @Test("where a variable is set and not used, the message for the missing member says so")
    func idleVariable() throws {
        let document: JSONObject = ["client_id": "c", "authorization_endpoint": "https://as.example/a", "code": "c"]
        try Program.oap(
            ["exchange"], input: document.input, environment: ["OAP_TOKEN_ENDPOINT": "https://variable.example/t"]
        ).run().expect(status: 3).expect(
            errorLine:
                "oap: exchange: token_endpoint is missing (OAP_TOKEN_ENDPOINT is not used: the document names its server)"
        )
    }

    @Test("a document that names no server gets all addresses from variables")
    func withoutServer() throws {
        let server = try Responder { _ in .json(#"{"access_token":"new","token_type":"Bearer"}"#) }
        let document: JSONObject = ["client_id": "c", "client_secret": "s", "refresh_token": "rt", "issuer": .null]
        try Program.oap(
            ["refresh"], input: document.input, environment: ["OAP_TOKEN_ENDPOINT": server.url("/t")]
        ).run().expect(status: 0)
        try Program.oap(
            ["exchange", "-n", "--grant", "client_credentials"],
            environment: [
                "OAP_ISSUER": server.url(), "OAP_TOKEN_ENDPOINT": server.url("/t"), "OAP_CLIENT_ID": "c",
                "OAP_CLIENT_SECRET": "s",
            ]
        ).run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/t", "/t"])
    }

    @Test("OAP_ISSUER is not that of a profile that names its server in another way", arguments: names.dropFirst())
    func issuerOfProfile(name: String) throws {
        let (home, evil) = (try TemporaryDirectory(), try Responder { _ in .json("{}") })
        let gone: JSON = "http://127.0.0.1:1/"
        let place: JSON = name == "api_origins" ? .array([gone]) : gone
        let profile: JSONObject = ["client_id": "c", "client_secret": "s", name: place]
        try home.write(JSON.object(profile).text, to: ".config/oap/profiles/r.json")
        let result = try Program.oap(
            ["exchange", "-p", "r", "--grant", "client_credentials"],
            environment: ["HOME": home.path, "OAP_ISSUER": evil.url()]
        ).run()
        #expect(result.errorText.contains("warning: the profile is not used: OAP_ISSUER is set"), "\(result)")
        #expect(!evil.requests.contains { $0.headers.first("Authorization") != nil })
    }

    @Test("a document that names its server gets no endpoint from a variable, and one without gets all")
    func endpointsOfDocument() throws {
        let base: JSONObject = ["client_id": "c"]
        var environment: [String: String] = [:]
        for member in Self.addresses {
            environment[Member.variable(for: member)] = "https://variable.example/\(member)"
        }
        // A request that is pushed would go there.
        environment["OAP_PUSHED_AUTHORIZATION_REQUEST_ENDPOINT"] = nil
        let named = base.with(["authorization_endpoint": "https://as.example/a"])
        for (document, taken) in [(base, true), (named, false)] {
            let result = try Program.oap(["authurl"], input: document.input, environment: environment).run()
                .expect(status: 0).object()
            for member in ["jwks_uri", "revocation_endpoint", "device_authorization_endpoint", "api_base"] {
                #expect((result[member] == .string("https://variable.example/\(member)")) == taken, "\(member)")
            }
            let own: JSON = taken ? "https://variable.example/authorization_endpoint" : "https://as.example/a"
            #expect(result["authorization_endpoint"] == own)
        }
    }

    @Test("a variable supplies a member of client or server if it has an option, and no other")
    func variablesAreOptions() throws {
        let options = try CommandTable.commands.map(\.name).flatMap {
            try #require(CommandTable.named($0)).record.options
        }
        let variables = Set(options.compactMap(\.variable))
        let members = Self.clientMembers.filter { variables.contains(Member.variable(for: $0)) }
        #expect(Set(members) == Set(Member.ofEnvironment.map(\.settableName)))
        let flow = try Program.oap(
            ["authurl"],
            input: .text(
                #"{"client_id":"c","authorization_endpoint":"https://as.example/a","token_endpoint":"https://as.example/t"}"#
            ),
            environment: ["OAP_PKCE": "false", "OAP_REFRESH_ENDPOINT": "https://evil.example/"]
        ).run().expect(status: 0).expectSilence().object()
        #expect(flow["code_verifier"] != nil && flow["refresh_endpoint"] == nil)
    }

    @Test("every variable that the manual names is read")
    func documentedVariables() throws {
        let options = try #require(CommandTable.named("authurl")).record.options.filter { $0.variable != nil }
        #expect(options.count > 5)
        for option in options {
            let member = option.long.replacing("-", with: "_")
            let value = option.choices.first ?? (member.hasSuffix("_file") ? "/value" : "https://value.example/")
            var environment = [
                "OAP_CLIENT_ID": "client", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/",
                "OAP_TOKEN_ENDPOINT": "https://as.example/",
            ]
            environment[try #require(option.variable)] = value
            let result = try Program.oap(["authurl"], input: .text(#"{"a":1}"#), environment: environment).run()
            let form = Member.named(member)?.form
            let expected: JSON = form == .boolean ? .bool(value == "true") : .string(value)
            #expect(try result.expect(status: 0).object()[member] == expected, "\(member): \(result)")
        }
    }

    @Test("a variable loses one line end, and is refused by its name for another control character")
    func lineEnds() throws {
        let options = try #require(CommandTable.named("authurl")).record.options.filter { $0.variable != nil }
        for option in options {
            let member = option.long.replacing("-", with: "_")
            guard Member.named(member)?.form != .boolean else { continue }
            let value = option.choices.first ?? (member.hasSuffix("_file") ? "/value" : "https://value.example/")
            let variable = try #require(option.variable)
            var environment = ["OAP_CLIENT_ID": "client", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/"]
            for end in ["\n", "\r\n"] {
                environment[variable] = value + end
                let result = try Program.oap(["authurl", "-n"], environment: environment).run().expect(status: 0)
                #expect(try result.object()[member] == .string(value), "\(result)")
            }
            for other in ["\(value)\n\n", "\(value)\r", "\t\(value)", "hid\nden", "hid\u{7F}den"] {
                environment[variable] = other
                let result = try Program.oap(["authurl", "-n"], environment: environment).run().expect(status: 3)
                #expect(result.errorText.hasPrefix("oap: authurl: \(variable) h"), "\(result)")
                result.expect(nowhere: value).expect(nowhere: "den")
            }
        }
    }

    @Test("the variables of names and stores lose one line end, too")
    func otherLineEnds() throws {
        let home = try TemporaryDirectory()
        let store = "file:\(home.path("tokens"))\n"
        let environment = ["HOME": home.path, "OAP_STORE": store, "OAP_PROFILE": "work\r\n"]
        try Program.oap(["store", "put"], input: .text(#"{"access_token":"at"}"#), environment: environment).run()
            .expect(status: 0)
        try Program.oap(["token"], environment: environment).run().expect(status: 0).expect(output: "at\n")
        #expect(home.contains("tokens/work.json"))
        for name in ["OAP_STORE", "OAP_PROFILE", "OAP_STORE_KEY_FILE"] {
            let wrong = environment.merging([name: "hid\nden"]) { $1 }
            try Program.oap(["token"], environment: wrong).run().expect(status: 3).expect(nowhere: "den")
                .expect(errorLine: "oap: token: \(name) has 2 lines; a value is one line")
        }
        // A key is text of many lines.
        let key = try Program.oap(["jwk", "new", "--alg", "ES256"]).run().expect(status: 0).text
        let signed = ["OAP_CLIENT_KEY": key.replacing(",", with: ",\n")]
        try Program.oap(["jwt", "-n"], environment: signed).run().expect(status: 0)
        let file = try home.write(key, to: "key")
        try Program.oap(["jwt", "-n", "--client-key-file", file], environment: signed).run().expect(status: 0)
    }

    @Test("the value of an option loses one line end, and no client_id has a control character")
    func lineEndsOfOptions() throws {
        let words = ["authurl", "-n", "--authorization-endpoint", "https://as.example/a\r\n", "-q", ".client_id", "-r"]
        try Program.oap(words + ["--client-id", "c\n"]).run().expect(status: 0).expect(output: "c\n")
        try Program.oap(words + ["--client-id", "hid\r"]).run().expect(status: 2).expect(nowhere: "hid")
            .expect(errorLine: "oap: authurl: the value of --client-id holds a control character")
        var document: JSONObject = ["client_id": "c\n", "access_token": "a", "refresh_token": "r", "id_token": "e30"]
        let endpoints = [
            "authurl": "authorization", "exchange": "token", "refresh": "token", "revoke": "revocation",
            "introspect": "introspection", "device": "device_authorization", "end-session": "end_session",
        ]
        document["token_endpoint_auth_method"] = "none"
        for (command, endpoint) in endpoints {
            let document = document.with(["\(endpoint)_endpoint": "http://127.0.0.1:1/x"])
            let more = command == "exchange" ? ["--grant", "client_credentials"] : []
            try Program.oap([command] + more, input: document.input).run().expect(status: 3)
                .expect(errorLine: "oap: \(command): client_id holds a control character")
        }
    }

    @Test("a variable that is empty counts as unset")
    func emptyVariable() throws {
        let result = try Program.oap(
            ["authurl", "-n"], environment: ["OAP_CLIENT_ID": "", "OAP_AUTHORIZATION_ENDPOINT": "https://as.example/"]
        ).run()
        #expect(try result.expect(status: 3).object()["error"] == "metadata_missing")
    }

    @Test("a token's own scope is not replaced by the variable of the client's")
    func scopeOfToken() throws {
        let result = try Program.oap(
            ["refresh", "--if-expired"], input: .text(#"{"access_token":"a"}"#), environment: ["OAP_SCOPE": "wide"]
        ).run()
        result.expect(status: 0).expect(output: #"{"access_token":"a"}"# + "\n")
    }

    @Test("a bad value is exit 2 from an option and exit 3 from the document")
    func blame() throws {
        let endpoint = "not a url"
        let document: JSONObject = ["client_id": "c", "authorization_endpoint": .string(endpoint)]
        try Program.oap(["authurl"], input: document.input).run().expect(status: 3)
        try Program.oap(["authurl", "-n", "--client-id", "c", "--authorization-endpoint", endpoint]).run()
            .expect(status: 2)
    }

    @Test("an unknown member and the text of a number pass through every stage")
    func unknownMembers() throws {
        let responder = try Responder(.token, .token)
        let document: JSONObject = responder.client.with([
            "authorization_endpoint": "https://as.example/a", "redirect_uri": "http://127.0.0.1:9/cb",
            "my_number": .number("9007199254740993"), "my_price": .number("1.10"), "my_text": "é\u{301}\u{0}",
            "my_list": .array([.null, .number("1E+2")]),
        ])
        let flow = try Program.oap(["authurl"], input: document.input).run().expect(status: 0).object()
        let state = try #require(flow["state"]?.string)
        let callback = "http://127.0.0.1:9/cb?code=x&state=\(state)"
        let parsed = try Program.oap(["callback-parse", callback], input: flow.input).run().expect(status: 0).object()
        let token = try Program.oap(["exchange"], input: parsed.input).run().expect(status: 0).object()
        let renewed = try Program.oap(
            ["refresh"], input: token.with(["refresh_token": "r"]).input
        ).run().expect(status: 0).object()
        for result in [flow, parsed, token, renewed] {
            for name in ["my_number", "my_price", "my_text", "my_list"] { #expect(result[name] == document[name]) }
        }
        #expect(flow["authorization_url"] != nil && parsed["authorization_url"] == nil && parsed["state"] == nil)
        #expect(parsed["code"] == "x" && token["code"] == nil && token["code_verifier"] == nil)
    }
}
