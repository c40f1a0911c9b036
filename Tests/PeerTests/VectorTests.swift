import TestSupport
import Testing
import Wire

@Suite("The protocol's test vectors")
struct VectorTests {
    @Test("the protocol's test vectors are given to tests case by case", arguments: try VectorGroup("pkce").cases)
    func cases(vector: VectorCase) { #expect(vector["verifier"]?.string != nil) }

    @Test("the protocol's test vectors keep what holds for a whole group apart from its cases")
    func context() throws {
        let group = try VectorGroup("callback")
        #expect(group.context["id"]?.string == "_flow")
        #expect(group.cases.count == 72)
    }

    @Test("the protocol's test vectors fail a test that asks for a group or a case that is not there")
    func missing() throws {
        #expect(throws: MissingFixture.self) { try VectorGroup("nothing") }
        let group = try VectorGroup("pkce")
        #expect(throws: MissingFixture.self) { try group.case(named: "nothing") }
        #expect(throws: MissingFixture.self) { try group.cases(elsewhere: ["later": ["nothing"]]) }
    }

    @Test("the protocol's test vectors leave nothing out but what is named as belonging elsewhere, once")
    func elsewhere() throws {
        let group = try VectorGroup("pkce")
        let rest = try group.cases(elsewhere: ["later": ["min-43"], "never": ["rfc7636-B", "plain-explicit"]])
        #expect(
            rest.map(\.id) == group.cases.map(\.id).filter { !["min-43", "rfc7636-B", "plain-explicit"].contains($0) })
        #expect(throws: RepeatedCase.self) { try group.cases(elsewhere: ["later": ["min-43"], "never": ["min-43"]]) }
    }
}
