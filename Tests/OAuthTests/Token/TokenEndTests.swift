import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("The end of a token in the words of other programs")
struct TokenEndTests {
    /// 2023-11-14T22:13:20Z
    private static let end = 1_700_000_000

    private func token(_ members: String) throws -> JSONObject {
        try #require(JSON(parsing: #"{"access_token":"a",\#(members)}"#).object)
    }

    @Test(
        "each unit and each name means the same second, and says so",
        arguments: [
            (#""expires_at":1700000000000"#, "expires_at is in milliseconds: it is taken for seconds since 1970"),
            (#""expires_at":"1700000000000""#, "expires_at is in milliseconds: it is taken for seconds since 1970"),
            (#""expires_at":1.7e12"#, "expires_at is in milliseconds: it is taken for seconds since 1970"),
            (#""expires_at":1700000000000000"#, "expires_at is in microseconds: it is taken for seconds since 1970"),
            (#""expires_at":1700000000000000000"#, "expires_at is in nanoseconds: it is taken for seconds since 1970"),
            (#""expires_at":"2023-11-14T22:13:20Z""#, "expires_at is a date: it is taken for seconds since 1970"),
            (
                #""expires_at":"Tue, 14 Nov 2023 22:13:20 GMT""#,
                "expires_at is a date: it is taken for seconds since 1970"
            ),
            (#""expiry":"2023-11-14T23:13:20.123456789+01:00""#, "expiry is taken for the expires_at of the token"),
            (#""expiry_date":1700000000000"#, "expiry_date is taken for the expires_at of the token"),
            (#""expires_on":"1700000000""#, "expires_on is taken for the expires_at of the token"),
            (#""expiresAt":1700000000123"#, "expiresAt is taken for the expires_at of the token"),
            (#"".expires":"Tue, 14 Nov 2023 22:13:20 GMT""#, ".expires is taken for the expires_at of the token"),
            (#""token.expires:at":1700000000"#, "token.expires:at is taken for the expires_at of the token"),
            (#""expires":1700000000"#, "expires is taken for the expires_at of the token"),
            (#""exp":1700000000.9"#, "exp is taken for the expires_at of the token"),
            (#""token_expiry":"2023-11-14T22:13:20Z""#, "token_expiry is taken for the expires_at of the token"),
            (
                #""accessTokenExpirationDate":"2023-11-14T22:13:20Z""#,
                "accessTokenExpirationDate is taken for the expires_at of the token"
            ),
            (
                #""expires_at":null,"Expiration":"2023-11-14T22:13:20Z""#,
                "Expiration is taken for the expires_at of the token"
            ),
            (
                #""valid":"soon","expires_on":"soon","expiry":1700000000"#,
                "expiry is taken for the expires_at of the token"
            ),
        ])
    func read(members: String, warning: String) throws {
        let (document, warnings) = TokenEnd.normalized(try token(members))
        #expect(document["expires_at"] == .integer(Self.end) && warnings == [.other(warning)])
        #expect(TokenEnd.unreadable(in: document) == nil)
        let decision = try RefreshDecision(of: Document(try token(members)))
        #expect(decision.expiresAt == Self.end && decision.isDue(now: Self.end))
        #expect(!decision.isDue(now: Self.end - 61))
    }

    @Test(
        "seconds are seconds, also in a string or with a fraction, and those of expires_at count before other members",
        arguments: [
            #""expires_at":1700000000"#, #""expires_at":1700000000.7"#, #""expires_at":"1700000000""#,
            #""expires_at":1700000000,"expiry":"2033-11-14T22:13:20Z","exp":"x""#,
        ])
    func seconds(members: String) throws {
        let (document, warnings) = TokenEnd.normalized(try token(members))
        #expect(document["expires_at"]?.integer == Self.end && warnings.isEmpty)
        #expect(try RefreshDecision(of: Document(try token(members))).expiresAt == Self.end)
    }

    @Test(
        "an end that cannot be read is the fault of its member: such a token is not good for ever",
        arguments: [
            (#""expires_at":"soon""#, "expires_at"), (#""expires_at":true"#, "expires_at"),
            (#""expires_at":{}"#, "expires_at"), (#""expires_at":"""#, "expires_at"),
            (#""expires_at":1e30"#, "expires_at"),
            (#""expires_at":"2023-11-14T22:13:20""#, "expires_at"), (#""expiry":"tomorrow""#, "expiry"),
            (#""expiresOn":"2023-11-14 22:13:20.000000""#, "expiresOn"), (#""expires":false"#, "expires"),
            (#""refresh_token_expires_at":"never","expires_at":1700000000"#, "refresh_token_expires_at"),
        ])
    func unreadable(members: String, name: String) throws {
        let document = try token(members)
        let error = #expect(throws: OAuthError.self) { try RefreshDecision(of: Document(document)) }
        #expect(error?.message == "\(name) is not a whole number of seconds" && error?.member == name)
        #expect(TokenEnd.normalized(document).warnings.isEmpty)
    }

    @Test("a small expires is a lifetime, and the zero time of Go and null say nothing")
    func others() throws {
        for members in [
            #""expires":5184000"#, #""expiry":"0001-01-01T00:00:00Z""#, #""expiry":null"#,
            #""expired":false,"ext_expires_in":1"#,
        ] {
            let document = try token(members)
            #expect(try RefreshDecision(of: Document(document)).expiresAt == nil)
            #expect(TokenEnd.normalized(document).document["expires_at"] == nil)
        }
    }

    @Test(
        "a lifetime counts from when the server says that the token was issued",
        arguments: [
            (#""created_at":1699992800,"expires_in":7200"#, "created_at"),
            (#""created_at":1699992800,"expires_in":"7200","expires_at":null"#, "created_at"),
            (#""issued_at":"1699992800123","expires_in":"7200""#, "issued_at"),
            (#""created_at":"2023-11-14T20:13:20Z","expires":7200"#, "created_at"),
            (#""obtained_at":1699992800,"expires_in":7200"#, "obtained_at"),
            (#"".issued":"Tue, 14 Nov 2023 20:13:20 GMT","expires_in":7200"#, ".issued"),
        ])
    func issued(members: String, name: String) throws {
        let (document, warnings) = TokenEnd.normalized(try token(members))
        #expect(document["expires_at"] == .integer(Self.end))
        #expect(warnings == [.other("the lifetime of the token counts from its \(name)")])
        #expect(try RefreshDecision(of: Document(try token(members))).expiresAt == Self.end)
    }

    @Test(
        "when a token was issued says nothing without a lifetime, beside its end, or where it is no time of our days",
        arguments: [
            #""created_at":1699992800"#, #""created_at":1699992800,"expires_in":0"#,
            #""created_at":1699992800,"expires_in":-1"#, #""created_at":0,"expires_in":7200"#,
            #""created_at":"long ago","expires_in":7200"#, #""created_at":null,"expires_in":7200"#,
        ])
    func unissued(members: String) throws {
        #expect(TokenEnd.normalized(try token(members)).document["expires_at"] == nil)
        let known = TokenEnd.normalized(try token(members + #","expires_at":1700000000"#))
        #expect(known.document["expires_at"]?.integer == Self.end)
        #expect(known.warnings.isEmpty)
    }

    @Test("the ends of the refresh token and of the authorization are read too, and no other document is touched")
    func otherEnds() throws {
        let document = try token(
            #""refresh_token_expires_at":1700000000000,"authorization_expires_at":"2023-11-14T22:13:20Z""#)
        #expect(TokenDocument.end(ofRenewing: TokenEnd.normalized(document).document) == Self.end)
        let client: JSONObject = ["client_id": "c", "expires_at": "2023-11-14T22:13:20Z", "expiry": 1]
        #expect(TokenEnd.normalized(client).document == client && TokenEnd.normalized(client).warnings.isEmpty)
        let other = try token(#""client_secret_expires_at":1,"id_token_expires_at":2,"refresh_expires_in":3"#)
        #expect(TokenEnd.foreignNames(in: other) == [])
    }
}
