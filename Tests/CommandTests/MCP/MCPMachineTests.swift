import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// The conformance scenarios of ``MCPConformanceTests`` whose client is a machine.
@Suite("oap in the conformance scenarios for MCP clients without a person")
struct MCPMachineTests {
    @Test("auth/client-credentials-basic: a client of a machine needs the address, its identifier and its secret")
    func clientCredentials() throws {
        let server = try MCPServer(method: "client_secret_basic", registers: false).start()
        let script = """
            oap discover --resource "$URL" |
                oap exchange --grant client_credentials --client-id machine |
                oap call "$URL" --json '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
            """
        let environment = ["URL": server.url("/mcp"), "OAP_CLIENT_SECRET": "its-secret"]
        try Program.shell(script, environment: environment).run().expect(status: 0)
        let request = try #require(server.tokenRequests.first)
        #expect(request.headers.first("Authorization") == "Basic bWFjaGluZTppdHMtc2VjcmV0")
        let form = try FormEncoding.parse(request.bodyText)
        #expect(form.contains { $0.name == "grant_type" && $0.value == "client_credentials" })
        #expect(form.contains { $0.name == "resource" && $0.value == server.url("/mcp") })
    }

    private static let bearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    @Test("auth/wif-jwt-bearer: the assertion of a workload is sent once, whatever the server says")
    func workload() throws {
        for error in ["invalid_grant", "invalid_scope", "unauthorized_client"] {
            let server = try Responder(.json(#"{"error":"\#(error)"}"#, status: 400), .token)
            let document = server.client.with([
                "token_endpoint_auth_method": "none", "token_params": .object(["assertion": "a.b.c"]),
            ])
            try Program.oap(["exchange", "--grant", Self.bearerGrant], input: document.input).run().expect(status: 4)
            let form = try FormEncoding.parse(try #require(server.requests.first).bodyText)
            #expect(server.requests.count == 1)
            #expect(form.contains { $0.name == "grant_type" && $0.value == Self.bearerGrant })
            #expect(form.contains { $0.name == "assertion" && $0.value == "a.b.c" })
        }
    }

    @Test("auth/enterprise-managed-authorization: an ID token becomes an authorization grant, and that an access token")
    func enterprise() throws {
        let type = "urn:ietf:params:oauth:token-type:id-jag"
        let identity = try Responder(
            .json(#"{"access_token":"the.id.jag","token_type":"N_A","issued_token_type":"\#(type)"}"#))
        let server = try Responder(.token)
        let subject: JSONObject = [
            "requested_token_type": .string(type), "audience": .string(server.url()),
            "subject_token": "the.id.token", "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
        ]
        let document = identity.client.with([
            "token_endpoint_auth_method": "none", "token_params": .object(subject),
        ])
        let exchange = Program.oap(
            ["exchange", "--grant", Self.exchangeGrant, "-q", ".access_token", "-r"], input: document.input)
        let grant = try exchange.run().expect(status: 0).text.split(separator: "\n").first ?? ""
        let next = server.client.with([
            "token_endpoint_auth_method": "none", "token_params": .object(["assertion": .string(String(grant))]),
        ])
        try Program.oap(["exchange", "--grant", Self.bearerGrant], input: next.input).run().expect(status: 0)
        let asked = try FormEncoding.parse(try #require(identity.requests.first).bodyText)
        #expect(asked.contains { $0.name == "requested_token_type" && $0.value == type })
        #expect(server.requests.first?.bodyText.contains("assertion=the.id.jag") == true)
    }

    @Test(
        "auth/client-credentials-jwt: what the client lacks is missed before anything is sent",
        arguments: [
            ("token_endpoint_auth_method", JSON.string("private_key_jwt"), "client_key is missing"),
            ("tls_client_certificate_bound_access_tokens", .bool(true), "needs a certificate"),
        ])
    func notOffered(member: String, value: JSON, message: String) throws {
        let server = try MCPServer(registers: false).start()
        let script = "oap discover --resource \"$URL\" | jq -c \". + $MORE\" | oap exchange --grant client_credentials"
        let more: JSONObject = ["client_id": "machine", "token_endpoint_auth_method": "none"]
        let environment = ["URL": server.url("/mcp"), "MORE": JSON.object(more.with([member: value])).text]
        let result = try Program.shell(script, environment: environment).run().expect(status: 3)
        #expect(result.errorText.contains(message) && server.tokenRequests.isEmpty, "\(result)")
    }
}
