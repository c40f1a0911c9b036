import Testing
import Wire

@testable import Members
@testable import OAuth

@Suite("What a client proves itself with")
struct ClientCredentialTests {
    @Test("a client needs its client_secret, unless its method is none or it has no name")
    func ofDocument() throws {
        func credential(_ method: String?) throws -> ClientCredential? {
            var client: JSONObject = ["client_id": .string("c")]
            client["token_endpoint_auth_method"] = method.map { .string($0) }
            return try ClientCredential(of: Document(client))
        }
        #expect(try credential("none") == nil)
        for method in [nil, "client_secret_basic", "client_secret_post", "client_secret_jwt"] {
            #expect(try credential(method) == .secret)
        }
        #expect(try credential("private_key_jwt") == .key)
        for method in ["tls_client_auth", "self_signed_tls_client_auth"] { #expect(try credential(method) == nil) }
        let unknown = #expect(throws: OAuthError.self) { try credential("attest_jwt_client_auth") }
        #expect(unknown?.member == "token_endpoint_auth_method")
        let unnamed = #expect(throws: OAuthError.self) { try ClientCredential(of: Document([:])) }
        #expect(unnamed?.member == "client_id")
        #expect(try ClientCredential(of: Document([:]), isNamed: false) == .secret)
    }

    @Test("a registration may name a method that oap does not speak")
    func ofMethod() {
        #expect(ClientCredential(method: "client_secret_other") == .secret)
        for method in ["none", "attest_jwt_client_auth", nil] {
            #expect(ClientCredential(method: method) == nil)
        }
        #expect(
            ClientAuthenticationMethod.allCases.map(\.credential) == [nil, .secret, .secret, .secret, .key, nil, nil])
    }

    @Test("its names are those of the records")
    func names() throws {
        for credential in ClientCredential.allCases {
            let record = try #require(Member.named(credential.member))
            #expect(record.secrecy == .file && record.settableName == credential.fileMember)
            #expect(record.isIssued == credential.isIssued)
            #expect((Member.named(credential.endMember)?.isIssued == true) == credential.isIssued)
            #expect(Member.ofAuthentication.contains(credential.member))
        }
        #expect(ClientCredential.secret.option == "--client-secret-file")
    }

    @Test(
        "a document holds a secret by value, by its file or by the program of a profile",
        arguments: ["", "_file", "_command"])
    func holds(ending: String) {
        #expect((["client_secret\(ending)": .string("x")] as JSONObject).holds("client_secret"))
        #expect(!(["client_secret\(ending)": .null] as JSONObject).holds("client_secret"))
        #expect(!(["client_secret\(ending)": .string("x")] as JSONObject).holds("client"))
        #expect(Member.secret(of: "client_secret\(ending)") == "client_secret")
    }

    @Test("what a registration issues is removed with it, and its secrets in every form")
    func issued() {
        #expect(
            Set(Member.ofRegistration) == [
                "client_id", "client_id_issued_at", "client_secret", "client_secret_file", "client_secret_command",
                "client_secret_expires_at", "registration_client_uri", "registration_access_token",
                "registration_access_token_file", "registration_access_token_command",
            ])
        #expect(!Member.ofOneClient.contains("client_id"))
        #expect(Set(Member.ofOneClient).isSuperset(of: Set(Member.ofRegistration).subtracting(["client_id"])))
    }
}
