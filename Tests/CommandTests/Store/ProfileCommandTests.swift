import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap profile")
struct ProfileCommandTests {
    private let store: StoreHome
    private static let folder = ".config/oap/profiles"
    private static let client = #"{"client_id":"c","client_secret":"hunter2","n":1.10,"x":{"y":9007199254740993}}"#

    init() throws { store = try StoreHome() }

    private func set(_ document: String, as name: String) throws {
        try store.oap("profile", "set", name, input: document).run().expect(status: 0).expect(output: "")
            .expectSilence()
    }

    @Test("oap profile set writes the document with mode 0600, and show prints it in a pipe to the number")
    func roundTrip() throws {
        try set(Self.client, as: "work")
        #expect(try store.home.permissions("\(Self.folder)/work.json") == 0o600)
        try store.oap("profile", "show", "work").run().expect(status: 0).expect(output: Self.client + "\n")
        try store.oap("profile", "show", "work", "-q", ".client_id", "-r").run().expect(status: 0).expect(
            output: "c\n")
        try set(#"{"client_id":"other"}"#, as: "work")
        try store.oap("profile", "show", "work").run().expect(status: 0).expect(output: "{\"client_id\":\"other\"}\n")
    }

    @Test("oap profile set merges options, which win, and files become absolute; -n starts from nothing")
    func options() throws {
        var program = store.oap("profile", "set", "work", "--scope", "repo gist", input: Self.client)
        program.arguments += ["--client-secret-file", "secret"]
        program.directory = store.home.path
        program.environment["OAP_CLIENT_ID"] = "from-variable"
        try program.run().expect(status: 0)
        let profile = try store.oap("profile", "show", "work").run().object()
        #expect(profile["scope"] == "repo gist" && profile["client_id"] == "c" && profile["client_secret"] == nil)
        #expect(profile["client_secret_file"] == .string(store.home.path("secret")))
        program = store.oap("profile", "set", "new", "-n", "--token-endpoint", "https://as.example/t")
        program.environment.merge(["OAP_CLIENT_ID": "c", "OAP_CLIENT_SECRET": "hunter2", "OAP_SCOPE": "s"]) { $1 }
        try program.run().expect(status: 0).expectSilence()
        try store.oap("profile", "show", "new").run().expect(status: 0).expect(
            output: #"{"token_endpoint":"https://as.example/t","client_id":"c"}"# + "\n")
    }

    @Test("oap profile set refuses what no login could use", arguments: [("client_id", ""), ("redirect_uri", "foo")])
    func unusable(member: String, value: String) throws {
        let client: JSONObject = ["client_id": "c"]
        let text = JSON.object(client.with([member: .string(value)])).text
        let result = try store.oap("profile", "set", "bad", input: text).run().expect(status: 3)
        #expect(result.errorText.contains(member), "\(result)")
        try store.oap("profile", "show", "bad").run().expect(status: 11)
    }

    @Test("oap profile set warns of a member that has another name here, and stores it all the same")
    func misspelled() throws {
        let document = """
            {"clientId":"c","auth_url":"a","token_url":"t","jwks-url":"j","redirectURI":"http://127.0.0.1/",
            "client_secret_file":"/f","redirect_uris":[],"tos_uri":"https://x.example","my_url":"u","n":1}
            """
        let result = try store.oap("profile", "set", "odd", input: document).run().expect(status: 0)
        let names = [
            ("clientId", "client_id"), ("auth_url", "authorization_endpoint"), ("token_url", "token_endpoint"),
            ("jwks-url", "jwks_uri"), ("redirectURI", "redirect_uri"),
        ]
        for (given, name) in names {
            result.expect(
                errorLine:
                    #"oap: profile: warning: the document has "\#(given)": the name of this member is "\#(name)""#)
        }
        #expect(result.errorText.split(separator: "\n").count == names.count, "\(result)")
        #expect(try store.oap("profile", "show", "odd").run().object()["token_url"] == "t")
        let login = try store.oap("refresh", "-n", "--client-id", "c").run()
        #expect(!login.errorText.contains("the name of this member"), "\(login)")
    }

    @Test("oap profile set changes a profile that show pipes into it")
    func piped() throws {
        try set(Self.client, as: "work")
        var program = Program.shell("oap profile show work | oap profile set work --scope more")
        program.environment["HOME"] = store.home.path
        try program.run().expect(status: 0).expect(output: "")
        let profile = try store.oap("profile", "show", "work").run().object()
        #expect(profile["scope"] == "more" && profile["client_secret"] == "hunter2")
    }

    @Test("oap profile show and set copy a profile, as the hint for a rename says")
    func renamed() throws {
        try set(Self.client, as: "old")
        var program = Program.shell("oap profile show old | oap profile set new && oap profile delete old")
        program.environment["HOME"] = store.home.path
        try program.run().expect(status: 0).expect(output: "")
        let profile = try store.oap("profile", "show", "new").run().object()
        #expect(profile["client_secret"] == "hunter2")
        try store.oap("profile", "show", "old").run().expect(status: 11)
    }

    @Test("oap profile set warns of a grant that no login knows")
    func unknownGrant() throws {
        let profile = { (grant: String) in #"{"client_id":"c","grant_type":"\#(grant)"}"# }
        for grant in ["client_credentials", "urn:example:grant"] { try set(profile(grant), as: "ci") }
        let result = try store.oap("profile", "set", "ci", input: profile("client_credential")).run()
        result.expect(status: 0).expect(
            errorLine: """
                oap: profile: warning: grant_type: unknown grant client_credential; the grants are authorization_code, \
                client_credentials, device_code, ciba, refresh_token, password, jwt-bearer, saml2-bearer, token-exchange, and \
                the URN of an extension grant
                """)
    }

    @Test("oap profile set takes no program from a pipe, but keeps the one that the user has written")
    func program() throws {
        let command = #"{"client_id":"c","client_secret_command":["pass","show","x"]}"#
        let result = try store.oap("profile", "set", "work", input: command).run().expect(status: 3)
        #expect(result.errorText.contains("client_secret_command names a program"), "\(result)")
        #expect(result.errorText.contains("to add it, edit the file \(store.home.path)/"))
        try store.home.write(command, to: "\(Self.folder)/work.json")
        let changed = command.replacing("}", with: #","scope":"s"}"#)
        try store.oap("profile", "set", "work", input: changed).run().expect(status: 0)
        #expect(try store.oap("profile", "show", "work").run().object()["scope"] == "s")
        let other = changed.replacing("pass", with: "evil")
        try store.oap("profile", "set", "work", input: other).run().expect(status: 3)
        #expect(try store.home.read("\(Self.folder)/work.json").contains("evil") == false)
    }

    @Test(
        "oap profile set writes nothing for what is no client document",
        arguments: [
            #"{"access_token":"a"}"#, #"{"client_id":1}"#, #"{"token_endpoint":"as.example"}"#, "[]", "",
            #"{"client_secret":"s","client_secret_command":["x"]}"#, #"{"client_secret_file":"/dev/fd/3"}"#, "{",
        ])
    func invalid(document: String) throws {
        try set(Self.client, as: "work")
        let result = try store.oap("profile", "set", "work", input: document).run().expect(status: 3)
        result.expect(output: "")
        try store.oap("profile", "show", "work").run().expect(status: 0).expect(output: Self.client + "\n")
    }

    @Test("oap profile set refuses bad options, an empty profile, a descriptor and an error document")
    func refused() throws {
        for (arguments, status) in [
            (["-n"], 2), (["-n", "--token-endpoint", "http://as.example"], 9),
            (["-n", "--token-endpoint", "as.example"], 2),
            (["-n", "--client-secret-file", "/dev/fd/0"], 2), (["-n", "--client-secret", "hunter2"], 2),
        ] {
            var program = store.oap("profile", "set", "work")
            program.arguments += arguments
            try program.run().expect(status: status).expect(output: "").expect(nowhere: "hunter2")
        }
        let earlier = #"{"error":"access_denied","stage":"register","exit_status":4}"#
        try store.oap("profile", "set", "work", input: earlier).run().expect(status: 4).expectSilence()
        #expect(!store.home.contains("\(Self.folder)/work.json"))
        var program = store.oap("profile", "set", "work")
        program.input = .terminal
        try program.run().expect(status: 3).expect(
            errorLine: "oap: hint: pipe a client document in, or use -n to make the profile from options only; "
                + "to change one: oap profile show NAME | oap profile set NAME OPTION ...")
    }

    @Test("oap profile show masks secrets on a terminal, unless --show-secrets is given")
    func masked() throws {
        try set(Self.client, as: "work")
        var program = store.oap("profile", "show", "work", "-c")
        program.output = .terminal
        let text = try program.run().expect(status: 0).expect(nowhere: "hunter2").text
        #expect(text.contains(#"***"#))
        try set(#"{"client_id":"c","proxy":"u:hunter2@proxy.example:1"}"#, as: "users")
        program.arguments[2] = "users"
        let users = try program.run().expect(status: 0).expect(nowhere: "hunter2").text
        #expect(users.contains("***@proxy.example:1"))
        program.arguments[2] = "work"
        program.arguments.append("--show-secrets")
        #expect(try program.run().expect(status: 0).text.contains("hunter2"))
        let out = store.home.path("out")
        program.arguments = ["profile", "show", "work", "-o", out]
        try program.run().expect(status: 0).expect(output: "")
        #expect(try store.home.read("out") == Self.client + "\n" && store.home.permissions("out") == 0o600)
        program.arguments = ["profile", "show", "work", "-q", "error(.client_secret)"]
        try program.run().expect(status: 5).expect(nowhere: "hunter2")
    }

    @Test("oap profile list prints names without secrets, as lines of JSON or as a table on a terminal")
    func list() throws {
        try set(Self.client, as: "work")
        try set(#"{"issuer":"https://as.example","client_id":"d","scope":"openid email"}"#, as: "a-long-name")
        try set(#"{"token_endpoint":"https://as.example/t"}"#, as: "b")
        let result = try store.oap("profile", "list").run().expect(status: 0).expect(nowhere: "hunter2")
        result.expect(
            output: """
                {"name":"a-long-name","issuer":"https://as.example","client_id":"d","scope":"openid email"}
                {"name":"b","token_endpoint":"https://as.example/t"}
                {"name":"work","client_id":"c"}

                """)
        var program = store.oap("profile", "list")
        program.output = .terminal
        #expect(
            try program.run().expect(status: 0).text.split(separator: "\r\n") == [
                "NAME         SERVER        CLIENT  SCOPE",
                "a-long-name  as.example    d       openid email",
                "b            as.example/t  -       -",
                "work         -             c       -",
            ])
        let name = String(repeating: "n", count: 64)
        try set(#"{"issuer":"https://as.example","client_id":"d","scope":"openid email"}"#, as: name)
        program = Program.shell("stty cols 70 </dev/tty; oap profile list", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": store.home.path]
        #expect(try program.run().expect(status: 0).text.contains("nnn...  as.example    d       openid email"))
    }

    @Test("oap profile list names a profile that cannot be read, lists the others, and ends as show does; none is said")
    func incomplete() throws {
        var program = store.oap("profile", "list")
        try program.run().expect(status: 0).expectSilence().expect(output: "")
        program.output = .terminal
        #expect(try program.run().expect(status: 0).errorText == "oap: profile: there are no profiles\n")
        try set(Self.client, as: "work")
        try store.home.write("{", to: "\(Self.folder)/bad.json")
        let result = try store.oap("profile", "list", "-q", ".name", "-r").run().expect(status: 3)
        result.expect(output: "work\n")
        #expect(result.errorText.contains("bad.json is not JSON"))
        try store.oap("profile", "show", "bad").run().expect(status: 3)
        chmod(store.home.path("\(Self.folder)/bad.json"), 0o666)
        for words in [["list"], ["show", "bad"]] {
            try Program.oap(["profile"] + words, environment: ["HOME": store.home.path]).run().expect(status: 11)
        }
        for words in [["list"], ["show", "work"]] {
            let homeless = Program.oap(["profile"] + words, environment: ["HOME": ""])
            try homeless.run().expect(status: 11)
        }
    }

    @Test("the key of a Google service account is no client document: it is named as what it is, and not stored")
    func serviceAccount() throws {
        let key = #"{"type":"service_account","project_id":"p","private_key":"-----BEGIN hunter2","client_id":"1"}"#
        for words in [["profile", "set", "gsa"], ["exchange", "--grant", "client_credentials"]] {
            var program = Program.oap(words, input: .text(key))
            program.environment["HOME"] = store.home.path
            let result = try program.run().expect(status: 3).expect(nowhere: "hunter2")
            result.expect(errorLine: "oap: \(words[0]): the document is the key of a Google service account")
            #expect(result.errorText.contains("--client-key-file FILE --scope SCOPE"), "\(result)")
        }
        #expect(!store.home.contains("\(Self.folder)/gsa.json"))
    }

    @Test("oap profile delete removes the profile, not the token, and says so when there is none")
    func delete() throws {
        try set(Self.client, as: "work")
        try store.put(#"{"access_token":"a"}"#, as: "work")
        try store.oap("profile", "delete", "work").run().expect(status: 0).expectSilence().expect(output: "")
        #expect(!store.home.contains("\(Self.folder)/work.json"))
        try store.oap("token", "work").run().expect(status: 0).expect(output: "a\n")
        for action in ["delete", "show"] {
            let result = try store.oap("profile", action, "work").run().expect(status: 11).expect(output: "")
            #expect(result.errorText.contains("there is no profile work"))
        }
        let real = try store.home.write(Self.client, to: "dotfiles.json")
        let link = store.home.path("\(Self.folder)/work.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        try store.oap("profile", "delete", "work").run().expect(status: 0)
        #expect(try store.home.read("dotfiles.json") == Self.client && !store.home.contains("\(Self.folder)/work.json"))
    }
}
