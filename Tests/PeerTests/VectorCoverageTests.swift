import Foundation
import TestSupport
import Testing

/// Every case of `Tests/Fixtures/vectors.json` is run by a test, or `Tests/Fixtures/not-run.json` says why not.
@Suite("The coverage of the protocol's test vectors")
struct VectorCoverageTests {
    /// What the suites run. This suite's folder has the tests of the support itself, which run nothing.
    private static func uses() throws -> [VectorUse] {
        let folder = "\(Fixture.project)/Tests"
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let sources = names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("PeerTests/Vector") }
        return try sources.flatMap {
            try VectorUse.uses(in: String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
    }

    @Test("every case of every group of vectors is run by a test or is in the list of those that are not, never both")
    func complete() throws {
        let uses = Dictionary(grouping: try Self.uses(), by: \.group)
        for name in try VectorGroup.names() {
            let ids = Set(try VectorGroup(name).cases.map(\.id))
            let run = (uses[name] ?? []).reduce(into: Set<String>()) { $0.formUnion($1.ids) }
            let listed = ids.filter { UnrunVectors.contains(group: name, id: $0) }
            #expect(ids.subtracting(run).subtracting(listed) == [], "\(name): neither run nor listed")
            #expect(run.intersection(listed) == [], "\(name): run, and listed as not run")
        }
    }

    @Test("a case that a suite leaves to another suite is run by that one")
    func elsewhere() throws {
        let uses = try Self.uses()
        #expect(uses.contains { !$0.elsewhere.isEmpty })
        for use in uses {
            for (suite, ids) in use.elsewhere {
                let run = uses.filter { $0.suite == suite && $0.group == use.group }.flatMap(\.ids)
                #expect(Set(ids).subtracting(run) == [], "\(use.suite) leaves \(use.group) to \(suite)")
            }
        }
    }

    @Test("the list of vectors that are not run is read whole, and names cases that there are, each once")
    func list() throws {
        let count = try UnrunVectors.count()
        #expect(UnrunVectors.all.count == count && count > 0)
        var seen: Set<String> = []
        for entry in UnrunVectors.all {
            let group = try VectorGroup(entry.group)
            for id in entry.ids ?? group.cases.map(\.id) {
                _ = try group.case(named: id)
                #expect(seen.insert("\(entry.group)/\(id)").inserted, "\(entry.group)/\(id) is listed twice")
            }
        }
    }

    @Test("no vector stays in the list once the manual has the command, option or member that makes it possible")
    func conditions() throws {
        let manual = try Manual()
        #expect(try manual.has(.command("call")) && manual.has(.option("min-ttl", command: "call")))
        #expect(try manual.has(.member("client_id")) && !manual.has(.member("no_such_member")))
        #expect(try !manual.has(.command("no-such-command")) && !manual.has(.option("no-such", command: "call")))
        for entry in UnrunVectors.all {
            for condition in entry.until {
                #expect(try !manual.has(condition), "\(entry) can be run: there is \(condition)")
            }
        }
    }
}

/// The manual pages, as the program writes them.
private struct Manual {
    private let folder = try? TemporaryDirectory()

    init() throws {
        let path = try #require(folder).path
        try Program.oap(["help", "--man-pages", path]).run().expect(status: 0)
    }

    /// Whether there is a page of the command, and what it or oap-documents(5) describes has this name.
    func has(_ condition: UnrunVectors.Condition) throws -> Bool {
        switch condition {
        case .command(let name): try page("oap-\(name).1") != nil
        case .option(let name, let command):
            // `-` is an escape of its own in mdoc(7). Options of oap-options(7) are in lines of their own.
            try page("oap-\(command).1")?.contains {
                ($0.hasPrefix(".It Fl ") || $0.hasPrefix(".Fl "))
                    && "\($0) ".contains("Fl \\-\(name.replacing("-", with: "\\-")) ")
            } == true
        case .member(let name): try page("oap-documents.5")?.contains(".It Cm \(name)") == true
        }
    }

    /// The lines of a page.
    private func page(_ name: String) throws -> [String]? {
        guard let folder, FileManager.default.fileExists(atPath: folder.path(name)) else { return nil }
        return try folder.read(name).split(separator: "\n").map(String.init)
    }
}
