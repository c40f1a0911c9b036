import Foundation
import TestSupport
import Testing
import Wire

/// What scripts rely on: the options of each command, the members of documents, the variables and the exit statuses.
/// `Fixtures/interface.txt` has those of the last version. It is written anew with a version, and lines only go from it
/// after a version in which oap-changes(7) named them.
@Suite("What scripts rely on")
struct InterfaceTests {
    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: Fixture.project + "/" + path, encoding: .utf8).split(separator: "\n")
    }

    /// The items of a manual page that begin with a macro: their words.
    private static func items(_ page: String, _ macro: String) throws -> [Substring] {
        try lines("man/" + page).filter { $0.hasPrefix(".It ") }.flatMap { line in
            let words = line.split(separator: " ")
            return zip(words, words.dropFirst()).filter { $0.0 == macro }.map(\.1)
        }
    }

    /// The options on the page of a command: those that it describes, and those that it names.
    private static func options(of command: String) throws -> [String] {
        let page = command.replacing(" ", with: "-") + ".1"
        let common = try lines("man/" + page).drop { $0 != ".Ss Common options" }.prefix { !$0.hasPrefix(".Sh ") }
        let named = common.filter { $0.hasPrefix(".Fl ") }.compactMap { $0.split(separator: " ").dropFirst().first }
        return try (items(page, "Fl") + named).map { "-" + $0.replacing("\\-", with: "-") }
    }

    @Test("oap help --json names the commands and the options of the manual pages")
    func json() throws {
        let text = try Program.oap(["help", "--json"]).run().expect(status: 0).text
        let interface = try #require(try JSON(parsing: text).object)
        let commands = interface["commands"]?.array?.compactMap(\.object) ?? []
        #expect(commands.count > 25)
        for command in commands {
            let name = try #require(command["name"]?.string)
            let options = command["options"]?.array?.compactMap(\.object) ?? []
            let names = options.flatMap { [$0["short"]?.string, $0["name"]?.string].compactMap(\.self) }
            #expect(Set(names) == Set(try Self.options(of: "oap \(name)")), "\(name)")
            #expect(try Program.oap(["help", "--json", name]).run().text == JSON.object(command).text + "\n")
        }
        let common = try Self.items("oap-options.7", "Fl")
        #expect(common.count > 40)
        let call = try #require(commands.first { $0["name"] == .string("call") })
        let options = call["options"]?.array?.compactMap(\.object) ?? []
        let retry = try #require(options.first { $0["name"]?.string == "--retry" })
        #expect(retry["default"]?.string == "5" && retry["arguments"]?.strings == ["NUMBER"])
        #expect(interface["exit_statuses"]?.array?.count ?? 0 > 15)
    }

    /// What a page shows under each heading of the fixture.
    private static func shown(_ heading: String) throws -> Set<String> {
        let items =
            switch heading {
            case "member": try items("oap-documents.5", "Cm")
            case "variable": try items("oap.1", "Ev")
            case "status": try items("oap.1", "No")
            default:
                try options(of: heading).map { Substring($0) }
            }
        return Set(items.map(String.init))
    }

    @Test("nothing that the last version had is gone without being named in oap-changes(7)")
    func interface() throws {
        let page = try Program.oap(["help", "changes"]).run().expect(status: 0).text.split(separator: "\n")
        let section = page.drop { $0 != "WITHDRAWN" }.dropFirst().prefix { $0.hasPrefix(" ") }
        #expect(!section.isEmpty)
        let withdrawn = section.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        var count = 0
        for line in try Self.lines("Tests/Fixtures/interface.txt") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            let heading = String(parts[0])
            let shown = try Self.shown(heading)
            for name in parts[1].split(separator: " ").map(String.init) {
                count += 1
                let isNamed = withdrawn.contains("`\(heading) \(name)`")
                #expect(shown.contains(name) || isNamed, "\(heading) \(name) is gone")
            }
        }
        #expect(count > 1000)
    }
}
