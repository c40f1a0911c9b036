import JQ
import Testing
import Wire

/// Every case of ``DifferentialCase/all`` through our filter and through the jq program. Where they may differ by
/// design is not among the cases: nesting deeper than 256 (`JQFilterTests`), `NaN` and several documents in the input
/// (our parser refuses both), the line number and name of the input, and definitions in `~/.jq` for plain paths.
@Suite struct JQDifferentialTests {
    @Test(
        "a filter gives what the jq program gives: bytes, messages and status",
        arguments: DifferentialCase.all.filter { !$0.isOf1_6 })
    func agrees(_ example: DifferentialCase) throws { try compare(example) }

    @Test(
        "colours, and numbers that a double writes in another way, are those of jq 1.6",
        .enabled(if: JQVersion.is1_6, JQVersion.otherThan1_6), arguments: DifferentialCase.all.filter(\.isOf1_6))
    func agreesWith1_6(_ example: DifferentialCase) throws { try compare(example) }

    private func compare(_ example: DifferentialCase) throws {
        let arguments = example.arguments.flatMap { ["--argjson", $0.name, $0.value] }
        let judge = try JQProcess(example.options + arguments + [example.filter], input: example.input)
        let run: FilterRun
        do {
            run = try FilterRun(
                example.filter, JSON(parsing: example.input),
                arguments: example.arguments.map { ($0.name, try JSON(parsing: $0.value)) },
                style: JQOutputStyle(options: example.options))
        } catch JQError.compile(let message) {
            #expect(judge.status == 3)
            #expect(message == judge.compileFailure)
            #expect(judge.output.isEmpty)
            return
        }
        #expect(run.text == String(decoding: judge.output, as: UTF8.self))
        #expect(Array(run.text.utf8) == judge.output)
        switch run.ending {
        case .completed, .halted:
            #expect(judge.status == 0)
            #expect(judge.error == "")
        case .haltedWithError(let status, let message):
            #expect(judge.status == status)
            #expect(judge.error == String(decoding: message, as: UTF8.self))
        case .failed(let message):
            #expect(judge.status == 5)
            #expect(JQVersion.comparable(message: message) == judge.failure.map(JQVersion.comparable(message:)))
        }
    }

    @Test("the table of filters that are compared with jq has its cases once each")
    func noCaseTwice() {
        let keys = DifferentialCase.all.map(\.testDescription)
        #expect(Set(keys).count == keys.count)
        #expect(keys.count >= 150)
    }
}
