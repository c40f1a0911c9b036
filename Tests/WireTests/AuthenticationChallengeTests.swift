import Testing
import Wire

@Suite("WWW-Authenticate")
struct AuthenticationChallengeTests {
    @Test("every case of the group www_authenticate")
    func vectors() throws {
        for row in try vectorCases("www_authenticate") {
            let name = row["id"] as? String ?? ""
            let values = try row["headers"] as? [String] ?? [#require(row["header"] as? String)]
            let challenges = AuthenticationChallenge.parse(values)
            if row["malformed"] as? Bool == true {
                #expect(challenges.isEmpty, "\(name)")
                continue
            }
            let expected = try #require(row["challenges"] as? [[String: Any]])
            #expect(challenges.map(\.scheme) == expected.map { $0["scheme"] as? String }, "\(name)")
            for (challenge, expected) in zip(challenges, expected) {
                let parameters = Dictionary(uniqueKeysWithValues: challenge.parameters.map { ($0.name, $0.value) })
                #expect(parameters == expected["params"] as? [String: String], "\(name)")
                #expect(challenge.token68 == expected["token68"] as? String, "\(name)")
            }
        }
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
}
