import Testing
import Wire

@testable import Members
@testable import OAuth

@Suite("Members that servers do not set")
struct MemberTests {
    /// What a token endpoint's answer may not bring: whatever steers the client.
    static let steering = Set(Member.all.filter(\.steers).map(\.name)).subtracting(Member.tokenResponse)
        .union(Member.files).union(["x_file", "_file"])
        // Servers repeat it (CIBA), and nothing is lost.
        .subtracting(["auth_req_id"])

    @Test("a member that would steer the client is dropped from a token response, with a warning", arguments: steering)
    func dropped(name: String) throws {
        let answer: JSONObject = [
            "access_token": .string("at"), "token_type": .string("Bearer"), name: .string("evil"),
            "harmless": .integer(1),
        ]
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let response = try TokenResponse(
            EndpointResponse(head: head, body: JSON.object(answer).bytes),
            expecting: .init(grant: .init(named: "client_credentials"), scope: Scope([])))
        #expect(response.warnings.map(\.name) == ["member_dropped"])
        #expect(response.warnings.first?.message.contains(" \(name),") == true)
        #expect(response.others == ["harmless": .integer(1)])
        let document: JSONObject = [name: .string("mine"), "token_endpoint": .string("https://as.example")]
        for result in [
            TokenDocument.exchanged(document, for: response, method: .none, start: 0),
            TokenDocument.refreshed(document, by: response, start: 0),
        ] {
            #expect(result.members.allSatisfy { $0.value != .string("evil") })
            #expect(result["harmless"] == .integer(1))
        }
    }

    @Test("a member that the RFCs of the token response define is not dropped", arguments: Member.tokenResponse)
    func defined(name: String) { #expect(!Member.isRefused(name, inAnswerThatDefines: Member.tokenResponse)) }

    @Test(
        "a member whose name only looks like one that steers the client is kept",
        arguments: ["Issuer", "client_id2", "file", "x_file2", "issuer\u{301}"])
    func unknown(name: String) { #expect(!Member.isRefused(name, inAnswerThatDefines: Member.tokenResponse)) }

    @Test("secrets, endpoints and files are among the members that steer the client")
    func named() {
        let steering: Set = [
            "client_id", "client_secret_file", "redirect_uri", "api_base", "issuer", "token_endpoint", "jwks_uri",
            "introspection_endpoint", "mtls_endpoint_aliases", "client_key_file", "dpop_key_file", "callback_params",
            "iss", "id_token_claims", "expires_at", "stage", "exit_status",
        ]
        #expect(Self.steering.isSuperset(of: steering))
        #expect(
            Set(Member.secrets) == [
                "dpop_key", "dpop_key_passphrase", "client_key", "client_key_passphrase", "client_secret",
                "access_token", "refresh_token",
                "subject_token", "actor_token", "assertion", "client_assertion",
                "password", "initial_access_token", "registration_access_token",
            ])
    }

    @Test("each address of a server says which server a document is for, and so does that of a registration")
    func addresses() {
        let names = Member.ofEnvironment.filter { $0.variable == .ofAddress }.map(\.name)
        for name in names + ["registration_client_uri", "refresh_endpoint", "resource"] {
            let document: JSONObject = ["client_secret": "s", name: "https://as.example/"]
            #expect(document.namesServer, "\(name)")
        }
        let other: JSONObject = ["client_secret": "s", "client_jwks_uri": "https://app.example/", "jwks_uri": .null]
        #expect(!other.namesServer)
    }

    @Test("a variable supplies no secret, and an address only where the document does not name its token endpoint")
    func variables() {
        let addresses = Member.ofEnvironment.filter { $0.variable == .ofAddress }.map(\.name)
        #expect(
            Set(addresses) == [
                "authorization_endpoint", "token_endpoint", "device_authorization_endpoint",
                "backchannel_authentication_endpoint",
                "pushed_authorization_request_endpoint", "revocation_endpoint", "registration_endpoint",
                "userinfo_endpoint", "introspection_endpoint", "end_session_endpoint",
                "jwks_uri", "api_base", "issuer",
            ])
        #expect(
            Set(Member.ofEnvironment.map(\.settableName)).subtracting(addresses) == [
                "client_id", "client_metadata_document", "client_secret_file", "token_endpoint_auth_method",
                "client_key_file", "client_key_passphrase_file",
                "basic_encoding", "redirect_uri",
                "scope", "authorization_scheme", "id_token_signed_response_alg",
                "authorization_response_iss_parameter_supported", "initial_access_token_file",
            ])
    }
}
