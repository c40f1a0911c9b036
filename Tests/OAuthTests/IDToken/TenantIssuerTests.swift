import Testing
import Wire

@testable import OAuth

@Suite("An issuer that stands for several tenants")
struct TenantIssuerTests {
    private static let tenant = "11111111-2222-3333-4444-55555555abcd"

    private func document(_ tenant: String) throws -> Document {
        let preset = try #require(Preset.builtIn.first { $0.isNamed("entra") })
        var members = try preset.client(filling: [("tenant", tenant)])
        (members["client_id"], members["scope"]) = (.string("c"), .string("openid"))
        return Document(members)
    }

    private func check(_ issuer: String, tid: JSON?, of document: Document) throws {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string("s"), "aud": .string("c"), "exp": .integer(2000),
            "iat": .integer(1000),
        ]
        claims["tid"] = tid
        let grant = try Grant.authorizationCode(Document(document.members.with("code", .string("x"))))
        let expected = try #require(try JWTExpectation(after: grant, of: document))
        try JWTClaims(claims, of: .idToken, now: 1000).check(expected)
    }

    @Test(
        "the ID token of a login with common or a domain names the directory of the person",
        arguments: ["common", "organizations", "consumers", "contoso.onmicrosoft.com"])
    func tenants(name: String) throws {
        let document = try document(name)
        let issuer = "https://login.microsoftonline.com/\(Self.tenant)/v2.0"
        try check(issuer, tid: .string(Self.tenant), of: document)
        let other = Self.tenant.replacing("abcd", with: "abce")
        for (issuer, tid) in [
            (issuer, .string(other)), (issuer, nil), (issuer, .string("x")), (issuer, .integer(7)),
            ("https://login.microsoftonline.com/x/v2.0", .string("x")),
            ("https://evil.example/v2.0", .string(Self.tenant)),
            ("https://login.microsoftonline.com/../evil/v2.0", .string("../evil")),
        ] as [(String, JSON?)] {
            let error = #expect(throws: OAuthError.self) { try check(issuer, tid: tid, of: document) }
            #expect(error?.kind == .idTokenClaim && error?.member == "iss")
        }
    }

    @Test("the issuer of one directory is compared character by character")
    func single() throws {
        let document = try document(Self.tenant)
        try check("https://login.microsoftonline.com/\(Self.tenant)/v2.0", tid: .string(Self.tenant), of: document)
        let other = Self.tenant.replacing("abcd", with: "abce")
        #expect(throws: OAuthError.self) {
            try check("https://login.microsoftonline.com/\(other)/v2.0", tid: .string(other), of: document)
        }
    }

    @Test("a template without the place of the tenant is refused, and one of another server has no effect")
    func template() throws {
        var members = try document("common").members
        members["id_token_issuer"] = .string("https://login.microsoftonline.com/v2.0")
        #expect(throws: OAuthError.self) { try TenantIssuer(of: Document(members)) }
        members["id_token_issuer"] = .string("https://evil.example/{TID}/v2.0")
        #expect(try TenantIssuer(of: Document(members)) == nil)
    }

    @Test("the redirect of a login with common may name the directory of the person as its issuer")
    func callback() throws {
        var flow = try document("common").members
        (flow["state"], flow["redirect_uri"]) = (.string("s"), .string("http://127.0.0.1:1/callback"))
        func parse(_ issuer: String) throws -> AuthorizationResponse {
            let query = "code=c&state=s&iss=https://login.microsoftonline.com/\(issuer)/v2.0"
            let callback = try Callback(pasted: "http://127.0.0.1:1/callback?" + query)
            return try AuthorizationResponse(callback, for: Document(flow))
        }
        #expect(try parse(Self.tenant).issuer == "https://login.microsoftonline.com/\(Self.tenant)/v2.0")
        for issuer in ["x", "{tenantid}", Self.tenant + "/x"] {
            let error = #expect(throws: OAuthError.self) { try parse(issuer) }
            #expect(error?.kind == .issuerMismatch)
        }
    }

    @Test("the metadata of such an issuer may name its place of the tenant, or the tenant's UUID, and no other issuer")
    func metadata() throws {
        let tenants = try #require(try TenantIssuer(of: document("common")))
        let base = "https://login.microsoftonline.com/"
        for issuer in ["\(base){tenantid}/v2.0", "\(base)\(Self.tenant)/v2.0"] { #expect(tenants.isOfServer(issuer)) }
        let (whole, moved) = ("11111111222233334444555555550000", "1111111-12222-3333-4444-55555555abcd")
        for issuer in [
            "\(base)\(whole)/v2.0", "\(base)\(moved)/v2.0", "\(base)\(Self.tenant)0/v2.0", "\(base)x/v2.0",
            "\(base){tenantid}/v1.0", "https://evil.example/{tenantid}/v2.0", "\(base)/v2.0",
        ] {
            #expect(!tenants.isOfServer(issuer))
        }
    }
}
