import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("oap register and servers that are not honest", .inProcessWithoutPauses)
struct RegisterAttackTests {
    @Test("a registration sets nothing that oap gives a meaning of its own")
    func steering() throws {
        let hostile = """
            "client_id":"new","subject_token_from":"ci","assertion_from":["x"],"grant_type":"password",\
            "username":"root","password":"hunter2","client_key_file":"/etc/passwd","access_token":"at",\
            "client_secret_command":["touch","x"],"api_base":"https://evil.example","token_endpoint":"$/evil",\
            "issuer":"https://evil.example","jwks_uri":"$/keys","redirect_uri":"https://evil.example/cb","note":"kept"
            """
        let server = try Responder { request in
            .json("{\(hostile)}".replacing("$", with: "http://" + (request.headers.first("Host") ?? "")), status: 201)
        }
        let document: JSONObject = [
            "registration_endpoint": .string(server.url("/register")), "issuer": "https://as.example",
        ]
        let result = try Program.oap(["register"], input: document.input).run().expect(status: 0)
        result.expect(
            errorLine: "oap: register: warning: the server's answer has a member subject_token_from, which was dropped")
        let rest = "oap: register: warning: the server's answer has 8 more members that were dropped"
        result.expect(errorLine: rest)
        let client = try result.object()
        let expected = [
            "registration_endpoint", "issuer", "client_name", "grant_types", "response_types", "redirect_uris",
            "token_endpoint_auth_method", "application_type", "client_id", "note", "redirect_uri",
        ]
        #expect(client.members.map(\.name) == expected)
        #expect(client["issuer"] == "https://as.example")
        #expect(client["redirect_uri"] == "http://127.0.0.1:0/callback")
        let strict = Program.oap(["register", "--strict"], input: document.input)
        try strict.run().expect(status: 10)
    }

    /// A server with metadata, whose registration endpoint answers everybody.
    private func server() throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            guard request.method == "POST" else {
                return .json(#"{"issuer":"\#(address)","registration_endpoint":"\#(address)/register"}"#)
            }
            return .json(#"{"client_id":"new"}"#, status: 201)
        }
    }

    @Test("the endpoint of a variable gets no initial access token that is meant for another issuer")
    func endpointOfAnotherServer() throws {
        let (server, other) = (try server(), try server())
        let folder = try TemporaryDirectory()
        let token = try folder.write("for-the-issuer", to: "token")
        let profile: JSONObject = ["issuer": .string(server.url()), "initial_access_token_file": .string(token)]
        try folder.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        let variable = ["HOME": folder.path, "OAP_REGISTRATION_ENDPOINT": other.url("/register")]
        let option = ["-n", "--issuer", server.url(), "--initial-access-token-file", token]
        for (words, more) in [(option, [:]), (option, ["OAP_ISSUER": other.url()]), (["-p", "work"], [:])] {
            let program = Program.oap(["register"] + words, environment: variable.merging(more) { $1 })
            try program.run().expect(status: 0)
            #expect(server.requests.last?.headers.first("Authorization") == "Bearer for-the-issuer")
        }
        #expect(other.requests.isEmpty)
        // The variables of one server go together.
        let own = [
            "OAP_ISSUER": other.url(), "OAP_REGISTRATION_ENDPOINT": other.url("/register"),
            "OAP_INITIAL_ACCESS_TOKEN": "its-own",
        ]
        try Program.oap(["register", "-n"], environment: own).run().expect(status: 0)
        try Program.oap(["register", "-n", "--issuer", other.url()], environment: own).run().expect(status: 0)
        #expect(other.requests.map { $0.headers.first("Authorization") } == ["Bearer its-own", "Bearer its-own"])
    }

    @Test("a document's endpoint is not asked for a client of another issuer, which --issuer names")
    func issuerOfAnotherServer() throws {
        let (server, other) = (try server(), try server())
        let document = try Program.oap(["discover", server.url()]).run().expect(status: 0).text
        let folder = try TemporaryDirectory()
        let token = ["OAP_INITIAL_ACCESS_TOKEN_FILE": try folder.write("secret", to: "token")]
        let mixed = Program.oap(["register", "--issuer", other.url()], input: .text(document), environment: token)
        #expect(try mixed.run().expect(status: 2).errorText.contains("oap discover ISSUER | oap register"))
        #expect(server.requests.allSatisfy { $0.method == "GET" } && other.requests.isEmpty)
        let same = Program.oap(["register", "--issuer", server.url()], input: .text(document))
        try same.run().expect(status: 0)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test("a software statement is shown nowhere on standard error, whatever the server repeats")
    func softwareStatement() throws {
        let statement = "eyJhbGciOiJub25lIn0.eyJzb2Z0d2FyZV9pZCI6InNlY3JldCJ9.c2lnbmF0dXJl"
        let server = try Responder { request in
            .json(
                #"{"error":"invalid_software_statement","error_description":"no: \#(statement)"}"#, status: 400,
                headers: ["X-Statement: \(statement)"])
        }
        let folder = try TemporaryDirectory()
        let endpoint = ["--registration-endpoint", server.url("/register"), "-v"]
        let file = ["--software-statement-file", try folder.write(statement, to: "statement")]
        let document: JSONObject = ["software_statement": .string(statement)]
        for program in [
            Program.oap(["register", "-n"] + endpoint + file),
            Program.oap(["register"] + endpoint, input: document.input),
        ] {
            let result = try program.run().expect(status: 4).expect(nowhere: statement)
            #expect(result.errorText.contains("X-Statement: ***"), "\(result)")
        }
        #expect(server.requests.allSatisfy { $0.bodyText.contains(statement) } && server.requests.count == 2)
    }
}
