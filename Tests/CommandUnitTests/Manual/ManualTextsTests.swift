import Foundation
import Testing

@testable import CommandSpec
@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

/// The files of prose against the records of the commands.
@Suite("Texts of the commands")
struct ManualTextsTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Shell/Manual/text").standardizedFileURL

    /// The files by name, as they are in the source.
    private static func texts() throws -> [String: ManualText] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (String(name.dropLast(3)), ManualText(Array(try Data(contentsOf: folder.appending(path: name)))))
            })
    }

    @Test("every heading of an option or an operand is that of one in the records, which has the text below it")
    func headings() throws {
        let program = CommandTable.program()
        var known: [String: Set<String>] = [:]
        for option in program.options { known[option.name, default: []].insert(program.details(of: option)) }
        for command in program.commands {
            for option in command.options { known[option.name, default: []].insert(command.details(of: option)) }
            for operand in command.operands { known[operand.name, default: []].insert(command.details(of: operand)) }
        }
        let files = try Self.texts()
        #expect(files.count > 30)
        for (file, text) in files {
            var section = ""
            for part in text.parts {
                if part.isSection { section = part.title }
                guard !part.isSection, ["OPTIONS", "OPERANDS"].contains(section) else { continue }
                let name = String(part.title.prefix { $0 != " " })
                #expect(known[name]?.contains(part.text) == true, "\(file).md: \(part.title)")
            }
        }
    }

    @Test("no file has a heading twice, and none has an empty text below an option or an operand")
    func unique() throws {
        for (file, text) in try Self.texts() {
            // A member may have a part in the section of each document.
            let titles = file == "members" ? [] : text.parts.map(\.title)
            #expect(Dictionary(grouping: titles) { $0 }.filter { $0.value.count > 1 }.keys.sorted() == [], "\(file).md")
            #expect(text.parts.filter { !$0.isSection && $0.text.isEmpty }.map(\.title) == [], "\(file).md")
        }
    }

    @Test("every item of a list is a paragraph of its own")
    func items() throws {
        for file in try Self.texts().keys {
            let text = try String(contentsOf: Self.folder.appending(path: "\(file).md"), encoding: .utf8)
            let paragraphs = text.components(separatedBy: "\n\n")
            #expect(paragraphs.filter { !$0.hasPrefix("    ") && $0.contains("\n- ") } == [], "\(file).md")
        }
    }

    @Test("every placeholder stands for something")
    func placeholders() {
        let program = CommandTable.program()
        let pages = [
            program.manualPage, DocumentsPage.page, OptionsPage.page(of: program), ProviderManual.page,
        ]
        for name in ["agents", "changes", "hosts", "recipes", "security", "tutorial"] {
            #expect(!Manual.named(name).page("", 7, date: "").mdoc.contains("{{"))
        }
        for page in pages + program.commands.map({ program.manualPage(of: $0) }) {
            #expect(!page.mdoc.contains("{{"), "\(page.name)")
        }
    }
}
