import Testing
import Wire

@Suite("The examples of the manual")
struct ManualExampleTests {
    private static let pages = Result { try ManualSource.all() }

    @Test("the examples of the manual do what their pages show, in a shell of the sandbox", arguments: try pages.get())
    func run(page: ManualSource) throws {
        let program = try #require(try Self.pages.get().first { $0.name == "oap.1" })
        let prepared = program.commands { $0 == "EXAMPLES" }
        // What every page says of its examples: those of oap(1) have been run before.
        let blocks = prepared + page.commands.filter { !prepared.contains($0) }
        let outcomes = try ExampleSession.run(blocks.map(\.text))
        for (block, outcome) in zip(blocks, outcomes) { block.check(outcome) }
    }

    @Test("every page of a command has examples, and none that is shown is passed over")
    func count() throws {
        let pages = try Self.pages.get()
        #expect(pages.map(\.name).contains("oap-sandbox.1") && pages.count > 10)
        for page in pages {
            var shown = page.displays.count
            for case .commands(let commands) in page.displays.map(\.kind) where commands.output != nil { shown += 1 }
            #expect(shown == page.displayCount, "\(page.name)")
            for case .document(let text) in page.displays.map(\.kind) {
                #expect(throws: Never.self, "\(page.name)") { try JSON(parsing: text) }
            }
            if page.name.hasSuffix(".1") {
                #expect(!page.commands { $0 == "EXAMPLES" }.isEmpty, "\(page.name) has no examples")
            }
        }
    }
}
