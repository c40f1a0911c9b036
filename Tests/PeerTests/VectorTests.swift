import TestSupport
import Testing
import Wire

@Suite("The protocol's test vectors")
struct VectorTests {
    @Test("are given to tests case by case", arguments: try VectorGroup("pkce").cases)
    func cases(vector: VectorCase) { #expect(vector["verifier"]?.string != nil) }

    @Test("keep what holds for a whole group apart from its cases")
    func context() throws {
        let group = try VectorGroup("callback")
        #expect(group.context["id"]?.string == "_flow")
        #expect(group.cases.count == 72)
    }

    @Test("fail a test that asks for a group that is not there")
    func missing() { #expect(throws: MissingFixture.self) { try VectorGroup("nothing") } }
}
