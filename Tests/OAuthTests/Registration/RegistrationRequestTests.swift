import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Registration requests")
struct RegistrationRequestTests {
    private static let server = #""registration_endpoint":"https://as.example/register""#

    private func document(_ members: String) throws -> Document {
        Document(try #require(JSON(parsing: "{\(Self.server)\(members.isEmpty ? "" : ",")\(members)}").object))
    }

    private func sent(_ members: String, _ action: RegistrationRequest.Action = .register) throws -> String {
        let request = try RegistrationRequest(action, of: document(members), secret: "s")
        return String(decoding: request.message(token: nil).body ?? [], as: UTF8.self)
    }

    @Test("RG-01 without anything said, a native public client is registered that logs in with a code")
    func standard() throws {
        let request = try RegistrationRequest(.register, of: document(""))
        let message = request.message(token: "initial")
        #expect(message.method == "POST" && message.url == "https://as.example/register")
        #expect(message.headers.first("Accept") == "application/json")
        #expect(message.headers.first("Content-Type") == "application/json")
        #expect(message.headers.first("Authorization") == "Bearer initial")
        let body = String(decoding: message.body ?? [], as: UTF8.self)
        #expect(
            body
                == #"""
                {"client_name":"oap","grant_types":["authorization_code","refresh_token"],"response_types":["code"],\#
                "redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none",\#
                "application_type":"native"}
                """#)
        #expect(request.message(token: nil).headers.first("Authorization") == nil)
    }

    @Test("RG-01 client metadata is sent as it is, in every language; nothing secret, no file, nothing of the server")
    func metadata() throws {
        let kept =
            #"""
            "client_name":"A","client_name#de":"B","logo_uri#fr":"https://c.example/l","client_uri":"https://c.example",\#
            "contacts":["a@c.example"],"jwks":{"keys":[{"kty":"OKP","x":"A"}]},"software_id":"i","software_version":"1",\#
            "software_statement":"e30.e30.","scope":"a b","application_type":"web","tos_uri":"https://c.example/t",\#
            "policy_uri":"https://c.example/p","redirect_uris":["https://c.example/cb"],\#
            "grant_types":["authorization_code"],"response_types":["code"],"token_endpoint_auth_method":"private_key_jwt"
            """#
        let dropped =
            #"""
            "client_id":"c","client_secret":"s","client_secret_file":"/s","access_token":"at","refresh_token":"rt",\#
            "registration_access_token":"r","initial_access_token_file":"/i","jwks_uri":"https://as.example/jwks",\#
            "client_key_file":"/k","issuer":"https://as.example","api_base":"https://api.example","other":1,\#
            "software_id#de":"x","tls_client_certificate_file":"/c","default_acr_values":null,"client_id_issued_at":1
            """#
        #expect(try JSON(parsing: sent("\(dropped),\(kept)")) == JSON(parsing: "{\(kept)}"))
    }

    @Test(
        "a redirect URI for any port is registered without one, and one of an option replaces those of the document",
        arguments: [
            (#""redirect_uri":"http://127.0.0.1:0/cb""#, #"["http://127.0.0.1/cb"]"#),
            (#""redirect_uri":"http://[::1]:0/cb?x=1""#, #"["http://[::1]/cb?x=1"]"#),
            (#""redirect_uri":"http://127.0.0.1:8400/cb""#, #"["http://127.0.0.1:8400/cb"]"#),
            (
                #""redirect_uris":["app.example:/cb","http://localhost:0/"]"#,
                #"["app.example:/cb","http://localhost/"]"#
            ),
            (#""redirect_uri":"app:/a","redirect_uris":["app:/a","app:/b"]"#, #"["app:/a","app:/b"]"#),
            (#""redirect_uri":"app:/c","redirect_uris":["app:/a"]"#, #"["app:/a","app:/c"]"#),
            (
                #""redirect_uri":"http://127.0.0.1:0/cb","redirect_uris":["http://127.0.0.1/cb"]"#,
                #"["http://127.0.0.1/cb"]"#
            ),
        ])
    func redirects(members: String, registered: String) throws {
        #expect(try JSON(parsing: sent(members)).object?["redirect_uris"] == JSON(parsing: registered))
        var document = try document(members)
        document.set("redirect_uri", to: .string("https://new.example/"), from: .option)
        let request = try RegistrationRequest(.register, of: document)
        #expect(request.metadata["redirect_uris"] == .strings(["https://new.example/"]))
        #expect(request.metadata["application_type"] == nil)
    }

    @Test(
        "the method and the grants follow from what the server lists and the grant needs",
        arguments: [
            (#""token_endpoint_auth_methods_supported":["client_secret_post","none"]"#, "none"),
            (#""token_endpoint_auth_methods_supported":["client_secret_post"]"#, "client_secret_post"),
            (
                #""token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_post","client_secret_basic"]"#,
                "client_secret_post"
            ),
            (#""token_endpoint_auth_methods_supported":["private_key_jwt"]"#, "none"),
            (#""grant_types":["client_credentials"]"#, "client_secret_basic"),
            (#""grant_types":["urn:openid:params:grant-type:ciba"]"#, "client_secret_basic"),
            (
                #""grant_types":["urn:openid:params:grant-type:ciba"],"token_endpoint_auth_methods_supported":["none"]"#,
                "client_secret_basic"
            ),
        ])
    func method(members: String, method: String) throws {
        #expect(try JSON(parsing: sent(members)).object?["token_endpoint_auth_method"] == .string(method))
    }

    @Test("refresh tokens are asked for whatever the server lists, and a grant without a person needs no redirect")
    func grants() throws {
        let listed = try JSON(parsing: sent(#""grant_types_supported":["authorization_code"]"#)).object
        #expect(listed?["grant_types"] == .strings(["authorization_code", "refresh_token"]))
        let machine = try JSON(parsing: sent(#""grant_types":"client_credentials""#)).object
        #expect(machine?["redirect_uris"] == nil && machine?["response_types"] == .strings([]))
        #expect(machine?["grant_types"] == .strings(["client_credentials"]))
    }

    @Test(
        "metadata that no server may see or use is refused",
        arguments: [
            (#""jwks":{"keys":[{"kty":"OKP","x":"A","d":"A"}]}"#, OAuthError.Kind.usage),
            (#""jwks":{"keys":[{"kty":"oct","k":"A"}]}"#, .usage),
            (#""redirect_uris":["http://c.example/"]"#, .insecureTransport),
            (#""redirect_uris":["https://c.example/#x"]"#, .usage), (#""redirect_uris":[1]"#, .usage),
            (#""grant_types":{}"#, .usage), (#""contacts":[1]"#, .usage),
        ])
    func refused(members: String, kind: OAuthError.Kind) {
        #expect(#expect(throws: OAuthError.self) { try sent(members) }?.kind == kind)
    }

    @Test(
        "RG-04 a registration is managed at its own address with its own token; an update has all but what the server made"
    )
    func management() throws {
        let client =
            #"""
            "client_id":"c","client_secret":"s","client_name":"A","registration_access_token":"r",\#
            "registration_client_uri":"https://as.example/register/c","client_id_issued_at":1,"client_secret_expires_at":0
            """#
        for (action, method) in [(RegistrationRequest.Action.read, "GET"), (.update, "PUT"), (.delete, "DELETE")] {
            let message = try RegistrationRequest(action, of: document(client)).message(token: "r")
            #expect(message.method == method && message.url == "https://as.example/register/c")
            #expect(message.headers.first("Authorization") == "Bearer r")
            #expect((message.body == nil) == (action != .update))
        }
        #expect(try sent(client, .update) == #"{"client_name":"A","client_id":"c","client_secret":"s"}"#)
    }

    @Test(
        "a request without its endpoint or client, or with an endpoint that a token may not go to, is refused",
        arguments: [
            (#""registration_endpoint":null"#, RegistrationRequest.Action.register, "registration_endpoint"),
            (#""client_id":"c""#, .read, "registration_client_uri"),
            (#""registration_client_uri":"https://as.example/r""#, .delete, "client_id"),
            (#""client_id":"c","registration_client_uri":"http://as.example/r""#, .read, "registration_client_uri"),
        ])
    func incomplete(members: String, action: RegistrationRequest.Action, member: String) throws {
        let document = Document(try #require(JSON(parsing: "{\(members)}").object))
        let error = #expect(throws: OAuthError.self) { try RegistrationRequest(action, of: document) }
        #expect(error?.member == member)
    }
}
