import Foundation
import Testing

@testable import CommandSpec

@Suite struct MdocTests {
    private static let extra = ManualPage(
        name: "oap-documents", section: 5, summary: "the documents of `.Nm oap'", date: "July 1, 2026",
        sections: [
            ManualSection(
                "DESCRIPTION",
                [
                    .text("One flat object.\n\n    {\"a\": 1}\n    .dot\n    'quote\n\n    \\e\n\nNs."),
                    .heading("Members"), .list([ManualItem("`code`, a string", "A code (`code`), or (see `jq(1)`).")]),
                    .literal("last"), .text("The end."),
                ])
        ])

    static let pages: [ManualPage] =
        [Sample.program.manualPage, Sample.runner.manualPage, extra]
        + Sample.program.commands.map { Sample.program.manualPage(of: $0) }

    private func mandoc(_ page: ManualPage, _ options: String...) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder(files: ["page": page.mdoc])
        return try Shell.run("mandoc", options + [folder.path("page")])
    }

    @Test("every page is clean under mandoc's lint", arguments: pages.indices)
    func lint(_ index: Int) throws {
        let result = try mandoc(Self.pages[index], "-T", "lint", "-W", "warning")
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    private func words(_ page: ManualPage) throws -> String {
        let text = try mandoc(page, "-T", "utf8", "-O", "width=400").output
        let plain = text.replacing(/.\u{8}/, with: "")
        return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("a page reads as its records say")
    func rendering() throws {
        let page = try words(Sample.program.manualPage(of: Sample.authurl))
        for part in [
            "SYNOPSIS oap authurl [OPTION ...] DESCRIPTION",
            "'Quoted' words, a back\\slash, a dash - and .dots begin no macro. Ends",
            "--client-secret-file PATH The secret is read from PATH, so ‘ps’ never shows it; see oap-store(1). Variable:",
            "-q, --jq FILTER The filter", "--arg NAME VALUE Binds ‘$NAME’ to VALUE.",
            "oap provider github | oap authurl --scope 'repo' It prints: {\"state\":\"~^`x\"} SEE ALSO oap(1)",
        ] {
            #expect(page.contains(part))
        }
        #expect(try words(Sample.program.manualPage(of: Sample.store)).contains("oap store [OPTION ...] ACTION [NAME]"))
    }

    @Test("literal lines and words that look like macros come out as they went in")
    func escaping() throws {
        let page = try words(Self.extra)
        #expect(page.contains("oap-documents – the documents of `.Nm oap' DESCRIPTION"))
        #expect(page.contains("One flat object. {\"a\": 1} .dot 'quote \\e Ns. Members code, a string A code"))
        #expect(Self.extra.mdoc.contains(".Ed\n.Pp\nThe end.\n"))
        #expect(page.contains("A code (‘code’), or (see jq(1)). last The end."))
    }

    @Test("an abbreviation ends no sentence, which would be followed by two spaces")
    func abbreviation() throws {
        let page = Sample.program.manualPage(of: Sample.authurl)
        #expect(try mandoc(page, "-T", "utf8").output.contains("later, e.g. ‘call’.\n"))
    }

    @Test("hostile text keeps every character")
    func hostile() throws {
        let literals = [
            "Fl", "No", "D1", ".", ",", "(", "|", "a \"b\" c", "\"", "\\", "\\fB", "-x y", "--", "%T", "'q",
        ]
        for literal in literals {
            let page = ManualPage(
                name: "x", section: 7, summary: "s", date: "July 1, 2026",
                sections: [ManualSection("DESCRIPTION", text: "See (`\(literal)`), `\(literal)`x and a`\(literal)`.")])
            let result = try mandoc(page, "-T", "lint", "-W", "warning")
            #expect(result.output == "")
            #expect(try words(page).contains("See (‘\(literal)’), ‘\(literal)’x and a‘\(literal)’."))
        }
    }

    @Test("the sections stand in the order of mdoc(7), others behind the options")
    func order() {
        let command = CommandRecord(
            "x", section: "S", summary: "s", manual: [.sample("D.", examples: [Example("E", command: "e")])],
            options: [Sample.par],
            sections: ["BUGS", "RETRY", "STANDARDS", "ENVIRONMENT"].map { ManualSection($0, text: "Text.") })
        #expect(
            Sample.program.manualPage(of: command).sections.map(\.title) == [
                "DESCRIPTION", "OPTIONS", "RETRY", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "SEE ALSO", "STANDARDS",
                "BUGS",
            ])
    }
}
