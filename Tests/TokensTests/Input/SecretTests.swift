import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Secrets", .inProcessWithoutPauses)
struct SecretTests {
    /// `client` with the secret `hunter2`.
    private static let basic = "Basic " + Data("client:hunter2".utf8).base64EncodedString()

    @Test("AU-11 a secret from the environment authenticates and is in no document")
    func environment() throws {
        let responder = try Responder(.token)
        let result = try Program.oap(
            ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 0).expect(nowhere: "hunter2")
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
        #expect(try result.object()["client_secret"] == nil)
    }

    @Test("tokens from the environment serve with -n only, and are in no document")
    func tokensFromEnvironment() throws {
        let responder = try Responder(.token)
        let environment = ["OAP_REFRESH_TOKEN": "from-variable", "OAP_ACCESS_TOKEN": "variable-access"]
        let options = ["--token-endpoint", responder.url(), "--client-id", "client"]
        try Program.oap(["refresh", "-n"] + options, environment: environment).run()
            .expect(status: 0).expect(nowhere: "from-variable")
        #expect(
            responder.requests.first?.bodyText
                == "grant_type=refresh_token&refresh_token=from-variable&client_id=client")
        try Program.oap(["refresh"] + options, input: .text("{}"), environment: environment).run().expect(status: 3)
        try Program.oap(["call", responder.url()], input: .text("{}"), environment: environment).run()
            .expect(status: 3)
    }

    @Test(
        "an empty secret variable is exit 3, and nothing is sent",
        arguments: ["OAP_CLIENT_SECRET", "OAP_REFRESH_TOKEN"])
    func emptyVariable(name: String) throws {
        let responder = try Responder()
        let result = try Program.oap(
            ["refresh", "-n", "--token-endpoint", responder.url(), "--client-id", "c"],
            environment: ["OAP_REFRESH_TOKEN": "r"].merging([name: ""]) { $1 }
        ).run().expect(status: 3)
        #expect(result.errorText.contains("\(name) is set but empty"), "\(result)")
        #expect(responder.connectionCount == 0)
    }

    /// What is sent, and its warning.
    private static let odd = [
        ("MY_SECRET=hunter2", "has the form NAME=VALUE: a secret is the value alone"),
        ("export token=hunter2", "has the form NAME=VALUE: a secret is the value alone"),
        (#""hunter2""#, "has quotes at both ends: a secret is the value alone"),
        ("'hunter2'", "has quotes at both ends: a secret is the value alone"),
        ("hunter2=x", nil), ("secret==", nil), ("secret=", nil), ("a.secret=x", nil), (#""hunter2"#, nil), ("\"", nil),
    ]

    @Test("a secret that looks like a line of a shell is sent, with a warning by its place, which a refusal repeats")
    func odd() throws {
        let folder = try TemporaryDirectory()
        for (secret, oddity) in Self.odd {
            let responder = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
            let file = try folder.write(secret + "\n", to: "secret")
            chmod(file, 0o600)
            for (place, words, variables) in [
                (file, ["--client-secret-file", file], [:]), ("OAP_CLIENT_SECRET", [], ["OAP_CLIENT_SECRET": secret]),
            ] as [(String, [String], [String: String])] {
                let result = try Program.oap(
                    ["refresh"] + words, input: responder.token.input, environment: variables
                ).run().expect(status: 4)
                let warnings = oddity.map { ["oap: refresh: warning: \(place) \($0)"] } ?? []
                let lines = result.errorText.split(separator: "\n").map(String.init)
                #expect(lines.filter { $0.contains("warning") } == warnings)
                let hint = lines.last ?? ""
                #expect(hint.contains("hint: the secret \(oddity ?? "?")") == (oddity != nil), "\(result)")
                #expect(!hint.contains("--basic-encoding") || oddity == nil)
            }
            #expect(responder.requests.count == 2)
        }
    }

    @Test("a path in the variable of the secret is told from a secret")
    func pathInVariable() throws {
        let folder = try TemporaryDirectory()
        for (text, isPath) in [(try folder.write("x", to: "s"), true), (folder.path("none"), false)] {
            let responder = try Responder(.token)
            let result = try Program.oap(
                ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_SECRET": text]
            ).run().expect(status: 0)
            let warning = "warning: OAP_CLIENT_SECRET is the path of a file: OAP_CLIENT_SECRET_FILE takes a path\n"
            #expect(result.errorText.contains(warning) == isPath, "\(result)")
            let refusing = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
            let refused = try Program.oap(
                ["refresh"], input: refusing.token.input, environment: ["OAP_CLIENT_SECRET": text]
            ).run().expect(status: 4)
            let doubt = isPath ? "is the path of a file" : "looks like the path of a file that is not there"
            refused.expect(
                errorLine: """
                    oap: hint: the secret \(doubt): OAP_CLIENT_SECRET_FILE takes a path; the secret came from \
                    OAP_CLIENT_SECRET
                    """)
        }
    }

    @Test("the secret of another client is not used where an option names the client, and the warning says so")
    func foreignSecretOfOption() throws {
        let responder = try Responder(.token)
        try Program.oap(
            ["refresh", "--client-id", "mine"], input: responder.token.input,
            environment: ["OAP_CLIENT_ID": "other", "OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 0).expect(nowhere: "hunter2").expect(
            errorLine: "oap: refresh: warning: OAP_CLIENT_SECRET is not used: OAP_CLIENT_ID names another client than "
                + "--client-id")
    }

    @Test(
        "the secret of another client is not used, by value or by file",
        arguments: ["OAP_CLIENT_SECRET", "OAP_CLIENT_SECRET_FILE"])
    func foreignSecret(name: String) throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let file = try folder.write("hunter2", to: "secret")
        let value = name.hasSuffix("FILE") ? file : "hunter2"
        let result = try Program.oap(
            ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_ID": "other", name: value]
        ).run().expect(status: 0)
        result.expect(
            errorLine:
                "oap: refresh: warning: \(name) is not used: OAP_CLIENT_ID names another client than the document")
        #expect(responder.requests.first?.headers.first("Authorization") == nil)
        #expect(try result.object()["client_secret_file"] == nil)
    }

    @Test("the environment's secret of another client goes without a word where the document has its own")
    func ownSecret() throws {
        let responder = try Responder(.token)
        let environment = ["OAP_CLIENT_ID": "other", "OAP_CLIENT_SECRET": "theirs"]
        try Program.oap(
            ["refresh", "--strict"], input: responder.token.with(["client_secret": "hunter2"]).input,
            environment: environment
        ).run().expect(status: 0).expectSilence()
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
    }

    @Test("both secret variables at once are exit 3")
    func twoVariables() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("a", to: "secret")
        try Program.oap(
            ["refresh"], input: try Responder().token.input,
            environment: ["OAP_CLIENT_SECRET": "hunter2", "OAP_CLIENT_SECRET_FILE": file]
        ).run().expect(status: 3).expect(nowhere: "hunter2")
    }

    @Test(
        "a secret's file loses one line end and nothing else",
        arguments: [
            ("hunter2", 0), ("hunter2\n", 0), ("hunter2\r\n", 0), ("hunter2\n\n", 3), ("hun\u{7}ter2", 3),
            ("hunter2\r", 3), ("", 3), ("\n", 3), ("\u{FEFF}hunter2", 3),
        ])
    func lineEnd(content: String, status: Int) throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let file = try folder.write(content, to: "secret")
        let result = try Program.oap(
            ["refresh"], input: responder.token.with(["client_secret_file": .string(file)]).input
        ).run().expect(status: status).expect(nowhere: "hunter2")
        #expect(responder.requests.map { $0.headers.first("Authorization") } == (status == 0 ? [Self.basic] : []))
        if status == 0 { #expect(try result.object()["client_secret_file"] == .string(file)) }
    }

    @Test(
        "a secret's variable loses one line end and nothing else",
        arguments: [("hunter2\n", 0), ("hunter2\r\n", 0), ("hunter2\n\n", 3), ("hun\tter2", 3)])
    func lineEndOfVariable(value: String, status: Int) throws {
        let responder = try Responder(.token)
        try Program.oap(
            ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_SECRET": value]
        ).run().expect(status: status).expect(nowhere: "hunter2")
        #expect(responder.requests.map { $0.headers.first("Authorization") } == (status == 0 ? [Self.basic] : []))
    }

    @Test("the client file of Google in the place of a secret's file is named as what it is, and nothing is sent")
    func clientFile() throws {
        let server = try Responder(.token)
        let folder = try TemporaryDirectory()
        for (content, words) in [
            (#"{"installed":{"client_secret":"GOCSPX-1"}}"#, "not a secret, but a JSON object of Google's client"),
            ("{\n  \"client_secret\": \"GOCSPX-1\"\n}\n", "not a secret, but a JSON object\n"),
        ] {
            let file = try folder.write(content, to: "client.json")
            let arguments = ["exchange", "--client-secret-file", file]
            let result = try Program.oap(arguments, input: server.flow.input).run().expect(status: 3)
            #expect(result.errorText.contains(words) && result.errorText.contains("oap profile set NAME < FILE"))
            #expect(!result.errorText.contains("GOCSPX"))
        }
        #expect(server.connectionCount == 0)
    }

    @Test(
        "a document in the place of a token is refused wherever it stands, and nothing is sent",
        arguments: ["access_token", "refresh_token", "subject_token", "initial_access_token"])
    func document(secret: String) throws {
        let server = try Responder { _ in .token }
        let folder = try TemporaryDirectory()
        let words = [
            "access_token": ["call", "/x"], "refresh_token": ["refresh"],
            "subject_token": ["exchange", "--grant", "token-exchange", "--param", "subject_token_type=urn:x"],
            "initial_access_token": ["register"],
        ]
        var client = server.machine
        client["registration_endpoint"] = .string(server.url("/r"))
        client["api_base"] = .string(server.url())
        for text in [#"{"access_token":"hidden"}"#, " \n{\"access_token\":\"hidden\"}\n", "{hidden"] {
            let file = try folder.write(text, to: "token.json")
            let input = client.with(["\(secret)_file": .string(file)]).input
            try Program.oap(try #require(words[secret]), input: input).run().expect(status: 3).expect(nowhere: "hidden")
                .expect(errorLine: "oap: \(words[secret]?.first ?? ""): \(file) is not a token, but a JSON object")
        }
        #expect(server.connectionCount == 0)
        let home = ["HOME": folder.path]
        try Program.oap(["store", "put", "w", "--raw"], input: .text(#"{"access_token":"a"}"#), environment: home)
            .run().expect(status: 3)
    }

    @Test("a password may begin with a brace, if it is no JSON object")
    func password() throws {
        let (server, folder) = (try Responder { _ in .token }, try TemporaryDirectory())
        for (text, status) in [("{x", 0), (#"{"a":1}"#, 3)] {
            let file = try folder.write(text, to: "password")
            let words = ["exchange", "--grant", "password", "--password-file", file, "--param", "username=u"]
            try Program.oap(words, input: server.machine.input).run().expect(status: status)
        }
    }

    @Test(
        "a text that is not UTF-8 is called what it is, with what converts it",
        arguments: [
            ("UTF-16", [0xFF, 0xFE, 0x7B, 0]), ("UTF-16", [0xFE, 0xFF, 0, 0x7B]), ("UTF-16LE", [0x7B, 0, 0x7D, 0]),
            ("UTF-16BE", [0, 0x7B, 0, 0x7D]),
        ] as [(String, [UInt8])])
    func encoding(name: String, bytes: [UInt8]) throws {
        let hint = "oap: hint: iconv -f \(name) -t UTF-8 FILE"
        try Program.oap(["authurl"], input: .bytes(bytes)).run().expect(status: 3)
            .expect(errorLine: "oap: authurl: standard input is \(name) text, not UTF-8").expect(errorLine: hint)
        guard bytes[0] > 0x7F else { return }
        let folder = try TemporaryDirectory()
        let file = folder.path("secret")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try Program.oap(["exchange", "--client-secret-file", file], input: try Responder().flow.input).run()
            .expect(status: 3).expect(errorLine: hint)
    }

    @Test("a missing secret file is exit 11, and nothing is sent")
    func missingFile() throws {
        let responder = try Responder()
        let result = try Program.oap(
            ["refresh", "--client-secret-file", "/nowhere/secret"], input: responder.token.input
        ).run().expect(status: 11)
        result.expect(errorLine: "oap: refresh: cannot open /nowhere/secret: no such file or directory")
        #expect(try result.object()["error"] == "store")
        #expect(responder.connectionCount == 0)
    }

    @Test(
        "a value and a file for the same secret are exit 3, and nothing is sent",
        arguments: ["client_secret", "refresh_token"])
    func valueAndFile(name: String) throws {
        let responder = try Responder()
        let folder = try TemporaryDirectory()
        let file = try folder.write("x", to: "secret")
        try Program.oap(
            ["refresh"], input: responder.token.with([name: "hunter2", "\(name)_file": .string(file)]).input
        ).run().expect(status: 3).expect(nowhere: "hunter2")
        #expect(responder.connectionCount == 0)
    }

    @Test("a relative path becomes an absolute one in the output, from the option and from the document")
    func relativePath() throws {
        let folder = try TemporaryDirectory()
        var program = Program.oap(
            ["authurl", "--client-secret-file", "secret"],
            input: .text(
                #"{"client_id":"c","authorization_endpoint":"https://as.example/","client_key_file":"keys/k","x_file":"y"}"#
            ))
        program.directory = folder.path
        let flow = try program.run().expect(status: 0).object()
        #expect(flow["client_secret_file"] == .string(folder.path("secret")))
        #expect(flow["client_key_file"] == .string(folder.path("keys/k")))
        #expect(flow["x_file"] == "y")
    }

    @Test("a secret that is empty in the document is exit 3, and nothing is sent")
    func emptyInDocument() throws {
        let responder = try Responder()
        let result = try Program.oap(["refresh"], input: responder.token.with(["client_secret": ""]).input).run()
        result.expect(status: 3).expect(errorLine: "oap: refresh: client_secret is empty")
        #expect(responder.connectionCount == 0)
    }

    @Test("the document's secret goes before the file of the environment, and the two are no conflict")
    func documentBeatsFileOfEnvironment() throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let file = try folder.write("theirs", to: "secret")
        try Program.oap(
            ["refresh"], input: responder.token.with(["client_secret": "hunter2"]).input,
            environment: ["OAP_CLIENT_SECRET_FILE": file]
        ).run().expect(status: 0).expectSilence()
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
    }

    @Test(
        "a profile's secret is not sent for another client that an option names, and a warning says so",
        arguments: [false, true])
    func secretOfProfile(isFile: Bool) throws {
        let (home, responder) = (try TemporaryDirectory(), try Responder { _ in .token })
        let secret: JSONObject =
            isFile
            ? ["client_secret_file": .string(try home.write("hunter2", to: "secret"))] : ["client_secret": "hunter2"]
        let profile = try home.write(
            JSON.object(responder.client.with(secret)).text, to: ".config/oap/profiles/work.json")
        chmod(profile, 0o600)
        let exchange = ["exchange", "-p", "work", "--grant", "client_credentials"]
        try Program.oap(exchange, environment: ["HOME": home.path]).run().expect(status: 0).expectSilence()
        let other = try Program.oap(exchange + ["--client-id", "other"], environment: ["HOME": home.path]).run()
        other.expect(
            errorLine: "oap: exchange: warning: the profile's secret is not used: it belongs to another client")
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
        #expect(!responder.requests.dropFirst().contains { $0.headers.first("Authorization") != nil })
        #expect(!responder.requests.dropFirst().contains { $0.bodyText.contains("hunter2") })
    }

    @Test("an option's file takes the place of the document's secret")
    func optionBeatsValue() throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let file = try folder.write("hunter2", to: "secret")
        let result = try Program.oap(
            ["refresh", "--client-secret-file", file], input: responder.token.with(["client_secret": "old"]).input
        ).run().expect(status: 0)
        #expect(responder.requests.first?.headers.first("Authorization") == Self.basic)
        #expect(try result.object()["client_secret"] == nil)
    }

    @Test("access and refresh token may stand in files", arguments: ["access_token", "refresh_token"])
    func tokenFiles(name: String) throws {
        let responder = try Responder(.token)
        let folder = try TemporaryDirectory()
        let file = try folder.write("from-file\n", to: "token")
        var document = responder.token.with(["\(name)_file": .string(file)])
        document[name] = nil
        let command = name == "access_token" ? ["call", "/x"] : ["refresh"]
        try Program.oap(command, input: document.input).run().expect(status: 0)
        let request = try #require(responder.requests.first)
        #expect(request.head.contains("Bearer from-file\r\n") != request.bodyText.contains("refresh_token=from-file"))
    }

    @Test("E-04 a secret that a server repeats is masked in messages and documents")
    func echoedSecret() throws {
        let error = #"{"error":"invalid_client","error_description":"hunter2 is wrong, old-refresh too"}"#
        let responder = try Responder(.json(error, status: 401))
        let result = try Program.oap(
            ["refresh"], input: responder.token.input, environment: ["OAP_CLIENT_SECRET": "hunter2"]
        ).run().expect(status: 4).expect(nowhere: "hunter2").expect(nowhere: "old-refresh")
        #expect(try result.object()["error_description"] == "*** is wrong, *** too")
    }
}
