import TestSupport
import Testing
import Wire

@testable import OAuth

/// Every case of the group token_response under the rule that it is about.
@Suite("Token responses, by rule")
struct TokenResponseVectorTests {
    /// The cases by rule; `*` at the end of an id stands for the rest of it. The first line that fits a case has it.
    private static let rules: [(rule: String, ids: [String])] = [
        ("K-01", ["ok", "201"]), ("K-02", ["ok-*"]),
        ("K-15", ["err-200*", "err-empty-string", "err-null", "form-error-200"]),
        ("K-03", ["form-*"]), ("K-04", ["at-*"]), ("K-06", ["type-missing", "type-null", "type-number"]),
        ("K-05", ["type-*"]),
        ("K-07", ["dpop-*"]), ("K-08", ["exp-*"]), ("K-19", ["rt-expiry"]), ("K-12", ["rt*"]),
        ("K-14", ["unknown-members"]),
        ("K-13", ["id-*"]), ("K-16", ["err-slack*", "err-facebook", "err-object*", "err-fitbit", "err-number"]),
        ("K-17", ["err-*"]), ("K-18", ["html-*", "empty", "204", "truncated", "array", "string", "null"]),
        ("JS-01", ["invalid-utf8"]), ("JS-02", ["two-documents", "trailing-garbage"]),
        ("JS-03", ["bom", "leading-whitespace"]),
        ("JS-04", ["nan", "duplicate-key"]), ("JS-05", ["deep-nesting"]), ("T-10", ["redirect-*"]),
    ]

    /// The cases of a rule, and those that no rule has under the name "".
    private static func cases(_ name: String) throws -> [VectorCase] {
        let all = try VectorGroup("token_response").cases(elsewhere: [
            "TokenTransportVectorTests": [
                "oversize", "oversize-chunked", "gzip-bomb", "at-cap", "100-then-200",
            ]
        ])
        return all.filter { vector in
            let found = rules.first { _, ids in
                ids.contains { $0.hasSuffix("*") ? vector.id.hasPrefix($0.dropLast()) : vector.id == $0 }
            }
            return found?.rule ?? "" == name
        }
    }

    @Test("every case is run under one of its rules")
    func complete() throws {
        #expect(try Self.cases("").map(\.id) == [])
        for (rule, _) in Self.rules { #expect(try !Self.cases(rule).isEmpty, "\(rule)") }
    }

    @Test("K-01 success is any status of success", arguments: try cases("K-01"))
    func success(vector: VectorCase) throws { try check(vector) }

    @Test("K-02 JSON is JSON under any label", arguments: try cases("K-02"))
    func label(vector: VectorCase) throws { try check(vector) }

    @Test("K-03 forms are read where they are labelled as such", arguments: try cases("K-03"))
    func form(vector: VectorCase) throws { try check(vector) }

    @Test("K-04 the access token is a string that fits into a header", arguments: try cases("K-04"))
    func accessToken(vector: VectorCase) throws { try check(vector) }

    @Test("K-05 token_type is compared without case, and none that is unknown is used", arguments: try cases("K-05"))
    func tokenType(vector: VectorCase) throws { try check(vector) }

    @Test("K-06 a missing token_type is taken as Bearer", arguments: try cases("K-06"))
    func missingTokenType(vector: VectorCase) throws { try check(vector) }

    @Test(
        "K-07 a DPoP token that was not asked for is refused, and so is a bearer token in its place",
        arguments: try cases("K-07"))
    func dpop(vector: VectorCase) throws { try check(vector) }

    @Test("K-08 whatever expires_in says, the token is not lost for it", arguments: try cases("K-08"))
    func lifetime(vector: VectorCase) throws { try check(vector) }

    @Test("K-12 a refresh token is a string that is not empty", arguments: try cases("K-12"))
    func refreshToken(vector: VectorCase) throws { try check(vector) }

    @Test("K-13 an ID token comes where openid was asked for with a code", arguments: try cases("K-13"))
    func idToken(vector: VectorCase) throws { try check(vector) }

    @Test("K-14 unknown members are kept", arguments: try cases("K-14"))
    func unknown(vector: VectorCase) throws { try check(vector) }

    @Test("K-15 an error that is a string wins over status and token", arguments: try cases("K-15"))
    func errorWins(vector: VectorCase) throws { try check(vector) }

    @Test("K-16 an error is read in the shapes of several vendors", arguments: try cases("K-16"))
    func errorShapes(vector: VectorCase) throws { try check(vector) }

    @Test("K-17 an error of a status has the body's code, or none", arguments: try cases("K-17"))
    func errorStatus(vector: VectorCase) throws { try check(vector) }

    @Test("K-18 an answer that is no token response is never a token", arguments: try cases("K-18"))
    func noAnswer(vector: VectorCase) throws { try check(vector) }

    @Test("K-19 lifetimes of the refresh token are kept", arguments: try cases("K-19"))
    func refreshLifetime(vector: VectorCase) throws { try check(vector) }

    @Test("JS-01 bad UTF-8 is never replaced", arguments: try cases("JS-01"))
    func encoding(vector: VectorCase) throws { try check(vector) }

    @Test("JS-02 an answer is exactly one document", arguments: try cases("JS-02"))
    func oneDocument(vector: VectorCase) throws { try check(vector) }

    @Test("JS-03 a byte order mark and white space before an answer are passed over", arguments: try cases("JS-03"))
    func beforeDocument(vector: VectorCase) throws { try check(vector) }

    @Test("JS-04 literals that JSON has not, and a member twice, are refused", arguments: try cases("JS-04"))
    func notJSON(vector: VectorCase) throws { try check(vector) }

    @Test("JS-05 more levels than are read are an error, never a crash", arguments: try cases("JS-05"))
    func depth(vector: VectorCase) throws { try check(vector) }

    @Test("T-10 a redirect is never followed", arguments: try cases("T-10"))
    func redirect(vector: VectorCase) throws { try check(vector) }

    private func check(_ vector: VectorCase) throws {
        let context = vector["context"]?.object
        let grant = Grant.Kind(named: context?["grant"]?.string ?? "client_credentials")
        let scope = Scope(splitting: context?["requested_scope"]?.string ?? "")
        let expected = TokenResponse.Expectation(
            grant: grant, scope: scope, isBound: context?["dpop"] == .bool(true),
            verifiesIDToken: grant.idToken == .required && scope.contains("openid"))
        let read = { try TokenResponse(vector.response(), expecting: expected) }
        guard vector["expect"]?.string == "ok" else {
            let error = vector.expectFailure(of: read)
            if ["oauth", "http_status"].contains(error?.kind.name) {
                #expect(error?.status == vector["status"]?.integer)
            }
            return
        }
        let response = try read()
        vector.expectWarnings(response.warnings)
        if let authorization = vector["authorization"]?.string {
            #expect("\(response.tokenType) \(response.accessToken)" == authorization)
        }
        let document = TokenDocument.exchanged([:], for: response, method: .none, start: 1000)
        for member in vector["out"]?.object?.members ?? [] {
            if member.name == "scopes" {
                #expect(response.scope.values == member.value.strings)
            } else {
                #expect(document[member.name] == (member.value.isNull ? nil : member.value))
            }
        }
        for name in vector["extra"]?.strings ?? [] { #expect(document[name] == vector["body"]?.object?[name]) }
    }
}
