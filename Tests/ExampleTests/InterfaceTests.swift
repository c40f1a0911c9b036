import Foundation
import TestSupport
import Testing

/// What scripts rely on: the options of each command, the members of documents, the variables and the exit statuses.
/// `Fixtures/interface.txt` has those of the last version. It is written anew with a version, and lines only go from it
/// after a version in which the README named them.
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

    /// What a page shows under each heading of the fixture.
    private static func shown(_ heading: String) throws -> Set<String> {
        let items =
            switch heading {
            case "member": try items("oap-documents.5", "Cm")
            case "variable": try items("oap.1", "Ev")
            case "status": try items("oap.1", "No")
            default:
                try items(heading.replacing(" ", with: "-") + ".1", "Fl").map {
                    Substring("-" + $0.replacing("\\-", with: "-"))
                }
            }
        return Set(items.map(String.init))
    }

    @Test("nothing that the last version had is gone without a line in the README")
    func interface() throws {
        let readme = try Self.lines("README.md").filter { $0.hasPrefix("- Withdrawn: ") }
        var count = 0
        for line in try Self.lines("Tests/Fixtures/interface.txt") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            let heading = String(parts[0])
            let shown = try Self.shown(heading)
            for name in parts[1].split(separator: " ").map(String.init) {
                count += 1
                let isNamed = readme.contains { $0.contains("`\(heading) \(name)`") }
                #expect(shown.contains(name) || isNamed, "\(heading) \(name) is gone")
            }
        }
        #expect(count > 1000)
    }
}
