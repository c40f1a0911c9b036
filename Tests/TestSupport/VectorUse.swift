import Foundation
import Testing
import Wire

/// What the sources of the tests say of the vectors: which suite runs which cases of a group.
package struct VectorUse: Sendable {
    /// The suite, by the name of its type.
    package let suite: String
    /// The name of the group.
    package let group: String
    /// The ids of the cases that it runs.
    package let ids: Set<String>
    /// The ids that it leaves to another suite, by the name of that.
    package let elsewhere: [String: [String]]

    /// The uses in a source text, in order: `VectorGroup("…")` with `.cases`, `.cases(elsewhere: […])`,
    /// `.cases(only: […])` or `.case(named: "…")` behind it, the ids as literals.
    ///
    /// - Throws: ``MissingFixture`` for a group that is not there.
    package static func uses(in source: String) throws -> [VectorUse] {
        guard let suite = source.firstMatch(of: /struct (\w+Tests)\b/)?.output.1 else { return [] }
        return try source.matches(of: /VectorGroup\("(\w+)"\)+\s*\.case/).map { match in
            let group = String(match.output.1)
            return try use(of: group, in: String(suite), as: source[match.range.upperBound...])
        }
    }

    private static func use(of group: String, in suite: String, as rest: Substring) throws -> VectorUse {
        let all = Set(try VectorGroup(group).cases.map(\.id))
        if let named = rest.prefixMatch(of: /\(named: "([^"]+)"\)/)?.output.1 {
            return VectorUse(suite: suite, group: group, ids: [String(named)], elsewhere: [:])
        }
        if rest.hasPrefix("(") { return VectorUse(suite: suite, group: group, ids: [], elsewhere: [:]) }
        if let only = rest.prefixMatch(of: /s\(only: \[([^\]]*)\]/)?.output.1 {
            return VectorUse(suite: suite, group: group, ids: Set(strings(in: only)), elsewhere: [:])
        }
        guard rest.hasPrefix("s(elsewhere:") else {
            return VectorUse(suite: suite, group: group, ids: all, elsewhere: [:])
        }
        let list = rest.prefix { $0 != ")" }
        let pairs = list.matches(of: /"(\w+)":\s*\[([^\]]*)\]/).map { (String($0.output.1), strings(in: $0.output.2)) }
        let elsewhere = Dictionary(pairs, uniquingKeysWith: +)
        let ids = all.filter { id in
            !UnrunVectors.contains(group: group, id: id) && !elsewhere.values.contains { $0.contains(id) }
        }
        return VectorUse(suite: suite, group: group, ids: ids, elsewhere: elsewhere)
    }

    private static func strings(in text: Substring) -> [String] {
        text.matches(of: /"([^"]*)"/).map { String($0.output.1) }
    }
}
