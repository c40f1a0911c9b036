import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The depth of documents", .inProcessWithoutPauses)
struct DocumentDepthTests {
    /// Where the depth is: in the answer, or in the ID token that it brings.
    enum Place: CaseIterable { case answer, claims }

    /// An answer that nests this many levels there, and one level elsewhere.
    private func answer(_ levels: Int, in place: Place) throws -> Responder.Reply {
        // The object around it is the first level.
        let nested = (1..<levels).reduce(JSON.integer(1)) { value, _ in .array([value]) }
        let claims = place == .claims ? SignedToken.claims.with(["deep": nested]) : SignedToken.claims
        var answer: JSONObject = [
            "access_token": "a", "token_type": "Bearer", "refresh_token": "new-refresh",
            "id_token": .string(try SignedToken.signed(claims)),
        ]
        if place == .answer { answer["deep"] = nested }
        return .json(JSON.object(answer).text)
    }

    private static let client: JSONObject = [
        "scope": "openid", "issuer": "https://as.example", "nonce": "the-nonce",
        "id_token_signed_response_alg": "HS256", "client_secret": .string(SignedToken.secret),
    ]

    @Test("exchange and refresh print nothing that cannot be read again", arguments: Place.allCases, 508...514)
    func printed(place: Place, levels: Int) throws {
        let answer = try answer(levels, in: place)
        let responder = try Responder { _ in answer }
        let document = responder.flow.with(Self.client)
        let first = try Program.oap(["exchange"], input: document.input).run()
        #expect((first.ending == .status(0)) == (levels <= 510), "\(first)")
        guard first.ending == .status(0) else { return }
        let second = try Program.oap(["refresh"], input: .bytes(first.output)).run().expect(status: 0)
        try Program.oap(["refresh"], input: .bytes(second.output)).run().expect(status: 0)
    }

    @Test("a stored token that was renewed can be read again", arguments: Place.allCases, 508...514)
    func stored(place: Place, levels: Int) throws {
        let home = try StoreHome()
        let answer = try answer(levels, in: place)
        let responder = try Responder { _ in answer }
        let token = responder.token.with(Self.client).with(["id_token": "x"])
        try home.put(JSON.object(token).text, as: "work")
        let renewal = try home.oap("refresh", "-p", "work").run()
        #expect((renewal.ending == .status(0)) == (levels <= 510), "\(renewal)")
        let kept = try home.oap("store", "get", "work").run().expect(status: 0).object()
        // The new refresh token is not lost with the claims.
        let isNew = levels <= 510 || place == .claims
        #expect(kept["refresh_token"] == (isNew ? "new-refresh" : "old-refresh"))
    }
}
