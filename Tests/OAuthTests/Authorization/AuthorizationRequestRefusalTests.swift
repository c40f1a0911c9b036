import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Authorization requests that are refused")
struct AuthorizationRequestRefusalTests {
    @Test("A-15, P-02 no core parameter is set by hand, neither by --param nor by a preset")
    func reserved() throws {
        let named = try #require(VectorGroup("authurl").case(named: "reserved-extra")["reserved"]?.strings)
        #expect(Set(AuthorizationRequest.reserved).isSuperset(of: named))
        for name in AuthorizationRequest.reserved {
            // A bad --param is the caller's fault, a bad preset the document's.
            let byHand = #expect(throws: OAuthError.self) {
                try AuthorizationRequest.example([:], extra: [(name, "x")])
            }
            #expect(byHand?.kind == .usage)
            #expect(byHand?.member == nil)
            #expect(byHand?.message.split(separator: " ").contains(name[...]) == true)
            let preset: JSONObject = ["authorization_params": .object([name: .string("x")])]
            #expect(try refusal(preset) == "authorization_params")
        }
    }

    @Test("A-15, A-16 a parameter that has an option of its own is not set by --param", arguments: Member.request)
    func options(name: String) throws {
        let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example([:], extra: [(name, "5")]) }
        #expect(error?.kind == .usage && error?.member == nil)
        #expect(error?.message.split(separator: " ").contains(name[...]) == true)
        #expect(error?.hint == "use --\(name.replacing("_", with: "-"))")
    }

    @Test(
        "A-16 a preset's parameters are checked as the members are",
        arguments: [("prompt", "none login"), ("max_age", "soon"), ("resource", "/a"), ("claims", "5")])
    func preset(name: String, value: String) throws {
        let preset: JSONObject = ["authorization_params": .object([name: .string(value)])]
        #expect(try refusal(preset) == name)
    }

    @Test("A-16 a preset may set what is a member, to which the document goes before it; max_age is remembered")
    func presetMembers() throws {
        let preset = JSON.object([
            "prompt": .string("consent"), "max_age": .integer(5), "claims": .string(#"{"a": 1}"#),
            "access_type": .string("offline"),
        ])
        let alone = try AuthorizationRequest.example(["authorization_params": preset, "max_age": .null])
        for (name, value) in [
            ("prompt", "consent"), ("max_age", "5"), ("claims", #"{"a":1}"#), ("access_type", "offline"),
        ] {
            #expect(alone.parameters.pairs.filter { $0.name == name }.map(\.value) == [value])
        }
        #expect(alone.remembered["max_age"] == .string("5"))
        #expect(alone.remembered["claims"] == .object(["a": .integer(1)]))
        let said = try AuthorizationRequest.example([
            "authorization_params": preset, "prompt": .string("login"), "max_age": .integer(60),
        ])
        #expect(said.parameters["prompt"] == "login" && said.parameters["max_age"] == "60")
        #expect(said.remembered["max_age"] == nil)
    }

    @Test("A-15, T-05 a parameter needs a name and stands once, audience aside")
    func repeated() throws {
        #expect(try refusal([:], extra: [("x", "1"), ("x", "2")]) == nil)
        #expect(try refusal([:], extra: [("", "1")]) == nil)
        let extra = [(name: "audience", value: "a"), (name: "audience", value: "b")]
        let pairs = try AuthorizationRequest.example([:], extra: extra).parameters.pairs
        #expect(pairs.filter { $0.name == "audience" }.map(\.value) == ["a", "b"])
    }

    @Test("A-15 --param replaces what a preset says")
    func replaced() throws {
        let members: JSONObject = ["authorization_params": .object(["a": .string("1"), "b": .string("1")])]
        let request = try AuthorizationRequest.example(members, extra: [("a", "2")])
        #expect(request.parameters.pairs.filter { $0.name == "a" }.map(\.value) == ["2"])
        #expect(request.parameters["b"] == "1")
    }

    @Test(
        "A-06 a response type that brings tokens in the redirect is refused",
        arguments: ["token", "id_token", "code id_token", ""])
    func responseType(type: String) throws {
        #expect(try refusal(["response_type": .string(type)]) == "response_type")
        #expect(
            try AuthorizationRequest.example(["response_type": .string("code")]).parameters["response_type"] == "code")
    }

    @Test(
        "A-09 a scope with a character that RFC 6749 does not allow is refused",
        arguments: ["a\"b", "a\\b", "a\tb", "a\nb", "é", "a\u{7F}", "\u{0}"])
    func scope(text: String) throws { #expect(try refusal(["scope": .string(text)]) == "scope") }

    @Test("A-09 every character that RFC 6749 allows in a scope is sent")
    func scopeCharacters() throws {
        let text = String(
            (0x21...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }.filter { $0 != "\"" && $0 != "\\" })
        #expect(try AuthorizationRequest.example(["scope": .string(text)]).parameters["scope"] == text)
    }

    @Test(
        "A-10, A-11, A-16 a member that cannot be a parameter is refused by name",
        arguments: [
            ("resource", #""https://a.example/#x""#), ("resource", #""/relative""#), ("resource", #"["urn:a",1]"#),
            ("resource", #""https://a.example/ b""#), ("authorization_details", "{}"),
            ("authorization_details", #"[{}]"#),
            ("authorization_details", #"[{"type":1}]"#), ("authorization_details", #""[]""#),
            ("authorization_details", "[1]"),
            ("prompt", #""none login""#), ("prompt", #""login none""#), ("prompt", "1"), ("max_age", "-1"),
            ("max_age", "1.5"), ("max_age", #""soon""#), ("max_age", "true"), ("max_age", "1e400"),
            ("claims", #""{}""#),
            ("response_mode", #""query.JWT""#), ("response_mode", #""web_message""#), ("login_hint", "[]"),
            ("client_id", #""""#),
            ("scope", "5"), ("authorization_params", "[]"), ("code_challenge_methods_supported", "5"),
        ])
    func badMembers(name: String, value: String) throws {
        #expect(try refusal([name: JSON(parsing: value)]) == name)
    }

    @Test("A-16 max_age is sent as it is, 0 included; prompt=none may stand alone", arguments: ["0", "3600", #""0""#])
    func maximumAge(value: String) throws {
        let request = try AuthorizationRequest.example(["max_age": JSON(parsing: value), "prompt": .string("none")])
        #expect(request.parameters["max_age"] == value.replacing("\"", with: ""))
        #expect(request.parameters["prompt"] == "none")
    }

    @Test("what an authorization request lacks is named", arguments: ["client_id", "authorization_endpoint"])
    func missing(name: String) throws {
        let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example([name: .null]) }
        #expect(error?.kind == .metadataMissing)
        #expect(error?.member == name)
    }

    @Test("A-12 tokens that are bound to a certificate are refused without one, not left out in silence")
    func notOffered() throws {
        let name = "tls_client_certificate_bound_access_tokens"
        for value in [JSON.bool(true), .string("true")] {
            let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example([name: value]) }
            #expect(error?.kind == .metadataMissing && error?.member == "tls_client_certificate_file")
        }
        _ = try AuthorizationRequest.example([name: .bool(false)])
    }

    /// The member for which a request is refused as wrong; nil for what the caller added.
    private func refusal(_ members: JSONObject, extra: [(name: String, value: String)] = []) throws -> String? {
        let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example(members, extra: extra) }
        #expect(error?.kind == .usage)
        return error?.member
    }
}
