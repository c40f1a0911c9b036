import OAuth
import TestSupport
import Testing
import Wire

@Suite("Authorization requests that are refused")
struct AuthorizationRequestRefusalTests {
    @Test("A-15, P-02 no core parameter is set by hand, neither by --param nor by a preset")
    func reserved() throws {
        let named = try #require(VectorGroup("authurl").case(named: "reserved-extra")["reserved"]?.strings)
        #expect(AuthorizationRequest.reserved.isSuperset(of: named))
        for name in AuthorizationRequest.reserved {
            // A bad --param is the caller's fault, a bad preset the document's.
            let byHand = #expect(throws: OAuthError.self) {
                try AuthorizationRequest.example([:], extra: [(name, "x")])
            }
            #expect(byHand?.kind == .usage)
            #expect(byHand?.member == nil)
            #expect(byHand?.message.contains(" \(name) ") == true)
            let preset: JSONObject = ["authorization_params": .object([name: .string("x")])]
            #expect(try refusal(preset) == "authorization_params")
        }
    }

    @Test("A-15, T-05 a parameter needs a name and stands once, resource aside")
    func repeated() throws {
        #expect(try refusal([:], extra: [("x", "1"), ("x", "2")]) == nil)
        #expect(try refusal([:], extra: [("", "1")]) == nil)
        let extra = [(name: "resource", value: "urn:a"), (name: "resource", value: "urn:b")]
        let pairs = try AuthorizationRequest.example(["resource": .string("urn:c")], extra: extra).parameters.pairs
        #expect(pairs.filter { $0.name == "resource" }.map(\.value) == ["urn:c", "urn:a", "urn:b"])
    }

    @Test("A-15 --param replaces what a preset or the document says")
    func replaced() throws {
        let members: JSONObject = ["prompt": .string("login"), "authorization_params": .object(["a": .string("1")])]
        let request = try AuthorizationRequest.example(members, extra: [("a", "2"), ("prompt", "consent")])
        #expect(request.parameters.pairs.filter { $0.name == "a" }.map(\.value) == ["2"])
        #expect(request.parameters.pairs.filter { $0.name == "prompt" }.map(\.value) == ["consent"])
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
            ("response_mode", #""query.jwt""#), ("response_mode", #""jwt""#), ("login_hint", "[]"),
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

    @Test("what is missing is named", arguments: ["client_id", "authorization_endpoint"])
    func missing(name: String) throws {
        let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example([name: .null]) }
        #expect(error?.kind == .metadataMissing)
        #expect(error?.member == name)
    }

    @Test(
        "A-12 what the document asks for and is not offered is refused, not left out in silence",
        arguments: [
            "require_signed_request_object", "dpop_bound_access_tokens", "tls_client_certificate_bound_access_tokens",
        ])
    func notOffered(name: String) throws {
        #expect(try refusal([name: .bool(true)]) == name)
        #expect(try refusal([name: .string("true")]) == name)
        _ = try AuthorizationRequest.example([name: .bool(false)])
    }

    /// The member for which a request is refused as wrong; nil for what the caller added.
    private func refusal(_ members: JSONObject, extra: [(name: String, value: String)] = []) throws -> String? {
        let error = #expect(throws: OAuthError.self) { try AuthorizationRequest.example(members, extra: extra) }
        #expect(error?.kind == .usage)
        return error?.member
    }
}
