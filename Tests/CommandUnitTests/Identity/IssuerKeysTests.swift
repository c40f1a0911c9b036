import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The keys of an issuer, whatever JWT they check", .inProcess)
struct IssuerKeysTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    @Test(
        "--cache keeps the keys of an issuer, and fetches them anew, once, for a JWT of another key",
        arguments: ["verify", "userinfo", "introspect"])
    func cached(command: String) throws {
        let (old, new) = (try RSAKey(), try RSAKey())
        let rotated = home.path("rotated")
        let now = Int(Date().timeIntervalSince1970)
        let claims: JSONObject = [
            "iss": "https://as.example", "aud": "client", "sub": "me", "iat": .integer(now), "exp": .integer(now + 60),
            "token_introspection": .object(["active": true]),
        ]
        let signed = { @Sendable (isNew: Bool, type: String?) in
            try isNew ? new.signed(claims, id: "k2", type: type) : old.signed(claims, type: type)
        }
        let server = try Responder { request in
            let isNew = FileManager.default.fileExists(atPath: rotated)
            let type = request.target == "/introspect" ? "token-introspection+jwt" : nil
            guard request.target != "/keys" else {
                return .json(isNew ? new.set.replacing(#""k""#, with: #""k2""#) : old.set)
            }
            let text = (try? signed(isNew, type)) ?? ""
            return .text(text, headers: ["Content-Type: application/\(type ?? "jwt")"])
        }
        let document = { (isNew: Bool) in
            server.token.with([
                "issuer": "https://as.example", "jwks_uri": .string(server.url("/keys")),
                "userinfo_endpoint": .string(server.url("/userinfo")),
                "introspection_endpoint": .string(server.url("/introspect")),
                "id_token_claims": .object(["sub": "me"]), "id_token": .string(try signed(isNew, nil)),
                "id_token_signed_response_alg": "RS512", "userinfo_signed_response_alg": "RS512",
                "introspection_signed_response_alg": "RS512",
            ])
        }
        let run = { (isNew: Bool) in
            try Program.oap(
                [command, "--cache", "60"], input: document(isNew).input, environment: ["HOME": home.path]
            ).run().expect(status: 0)
        }
        let fetches = { server.requests.filter { $0.target == "/keys" }.count }
        for _ in 1...2 { _ = try run(false) }
        #expect(fetches() == 1)
        try home.write("", to: "rotated")
        for _ in 1...2 { _ = try run(true) }
        #expect(fetches() == 2)
    }

    @Test("oap verify takes the ID token of a directory from an issuer that stands for several, as the login does")
    func tenants() throws {
        let key = try RSAKey()
        let keys = try home.write(key.set, to: "keys")
        let (base, now) = ("https://login.example", Int(Date().timeIntervalSince1970))
        let tenant = "11111111-2222-3333-4444-55555555abcd"
        func verify(tid: String) throws -> ProgramResult {
            let text = try key.signed([
                "iss": .string("\(base)/\(tenant)/v2.0"), "tid": .string(tid), "aud": "client", "sub": "me",
                "iat": .integer(now), "exp": .integer(now + 60),
            ])
            let document: JSONObject = [
                "issuer": .string("\(base)/common/v2.0"), "id_token_issuer": .string("\(base)/{TID}/v2.0"),
                "client_id": "client", "id_token_signed_response_alg": "RS512", "id_token": .string(text),
            ]
            return try Program.oap(["verify", "--jwks-file", keys], input: document.input).run()
        }
        try verify(tid: tenant).expect(status: 0)
        try verify(tid: tenant.replacing("abcd", with: "abce")).expect(status: 9)
    }
}
