import RecordChecks
import Testing

@testable import oap_sandbox

@Suite("The records of the sandbox's options")
struct SandboxRecordTests {
    @Test("the records are in order")
    func records() { #expect(SandboxRecord.program.validate() == []) }
}
