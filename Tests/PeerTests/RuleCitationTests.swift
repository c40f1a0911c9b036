import Foundation
import TestSupport
import Testing

/// The rules that tests are named after are those of `Tests/Fixtures/rules.md`.
@Suite("The rules that tests cite")
struct RuleCitationTests {
    @Test("every rule that a test's name, or any other text of the sources and tests, cites is in rules.md")
    func known() throws {
        let text = String(decoding: try Fixture.bytes("rules.md"), as: UTF8.self)
        let defined = text.matches(of: /(?m)^([A-Z]{1,2})-([0-9]{2}) (?:MUST|SHOULD|PROJ|QUIRK)/)
        let rules = Set(defined.map { "\($0.output.1)-\($0.output.2)" })
        let prefixes = Set(defined.map(\.output.1))
        #expect(rules.count > 200 && rules.count == defined.count, "a rule stands there twice")
        var cited: Set<String> = []
        for folder in ["Sources", "Tests"] {
            let path = "\(Fixture.project)/\(folder)"
            let names = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
            for name in names where name.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
                // Behind the quotation mark of a name stands nothing else of this form; elsewhere P-256 and the like do.
                let leading = Set(source.matches(of: /@Test\(\s*"([A-Z]{1,3}-[0-9]{2})\b/).map { String($0.output.1) })
                let others = source.matches(of: /\b([A-Z]{1,2})-([0-9]{2})\b/).filter { prefixes.contains($0.output.1) }
                let ids = leading.union(others.map { "\($0.output.1)-\($0.output.2)" })
                #expect(ids.subtracting(rules) == [], "\(folder)/\(name)")
                cited.formUnion(ids)
            }
        }
        #expect(cited.count > 100)
    }

    @Test("each rule of client authentication, DPoP and client certificates has a test that bears its number")
    func keys() throws {
        let rules = Program(path: "\(Fixture.project)/Tests/rules", arguments: ["AU", "DP", "M"])
        let lines = try rules.run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.count > 25 && lines.allSatisfy { $0.split(separator: "\t").count == 3 })
    }
    @Test("each case of DPoP that broke other clients has a test that bears its number")
    func cases() throws {
        let text = String(decoding: try Fixture.bytes("rules.md"), as: UTF8.self)
        let known = text.matches(of: /(?m)^DPoP case ([0-9]+):/).compactMap { Int($0.output.1) }
        #expect(known == Array(1...15))
        let path = "\(Fixture.project)/Tests"
        let names = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        let cited = try names.filter { $0.hasSuffix("Tests.swift") }.flatMap { name in
            try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
                .matches(of: /@Test\(\s*"[^"]*\bDPoP case ([0-9]+):/).compactMap { Int($0.output.1) }
        }
        #expect(Set(cited) == Set(known))
    }
}
