import TestSupport
import Testing
@testable import Wire

@Suite("WWW-Authenticate")
struct AuthenticationChallengeTests {
    @Test("a field has the challenges of the case", arguments: try VectorGroup("www_authenticate").cases)
    func vectors(row: VectorCase) throws {
        let values = try row["headers"]?.strings ?? [#require(row["header"]?.string)]
        let challenges = AuthenticationChallenge.parse(values).map { challenge in
            let parameters = challenge.parameters.map {
                JSONObject.Member(name: $0.name, value: .string($0.value))
            }
            var object: JSONObject = [
                "scheme": .string(challenge.scheme), "params": .object(JSONObject(unique: parameters)),
            ]
            object["token68"] = challenge.token68.map(JSON.string)
            return JSON.object(object)
        }
        #expect(challenges == row["challenges"]?.array ?? [])
        #expect(challenges.isEmpty == (row["malformed"]?.bool ?? false))
    }

    @Test("a field that breaks the grammar takes nothing from the others")
    func oneBroken() {
        let challenges = AuthenticationChallenge.parse(["Basic realm=\"x", "Bearer error=invalid_token"])
        #expect(challenges.map(\.scheme) == ["bearer"])
        #expect(challenges.first?["error"] == "invalid_token")
    }

    @Test(
        "a parameter twice, one beside a token68, and a missing comma break the grammar",
        arguments: [
            "Bearer error=a, error=b", "Bearer error=a, ERROR=b", "Negotiate YWJj==, a=b", "Bearer a=b Basic c=d",
            "Bearer a=b c=d", "Bearer \"x\"", "Bearer a=\"b\\", "Be@rer", "Bearer error=a b",
        ])
    func malformed(value: String) { #expect(AuthenticationChallenge.parse([value]).isEmpty) }

    @Test("no field at all has no challenge")
    func none() { #expect(AuthenticationChallenge.parse([]).isEmpty) }

    @Test(
        "a value that some servers do not quote, or put in single quotes, is read",
        arguments: [
            ("Bearer resource_metadata=https://a.example/m?x=1, scope=a", "https://a.example/m?x=1", "a"),
            ("Bearer resource_metadata='https://a.example/m', scope='a b'", "https://a.example/m", "a b"),
            ("Bearer scope='a',resource_metadata=/m", "/m", "a"),
            ("Negotiate, Bearer scope=a:b, resource_metadata = ../m", "../m", "a:b"),
        ])
    func unquoted(value: String, metadata: String, scope: String) {
        let challenge = AuthenticationChallenge.parse([value]).last
        #expect(challenge?["resource_metadata"] == metadata && challenge?["scope"] == scope)
    }

    @Test("single quotes without an end, and base64, are no such value", arguments: ["Bearer a='b", "Bearer a='b\"c'"])
    func unended(value: String) {
        #expect(AuthenticationChallenge.parse([value]).isEmpty)
        #expect(AuthenticationChallenge.parse(["Negotiate YWJj=="]).first?.token68 == "YWJj==")
    }
}
