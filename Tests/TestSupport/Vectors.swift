import Foundation
import Testing
import Wire

/// One group of the protocol's test vectors, `Tests/Fixtures/vectors.json`.
package struct VectorGroup: Sendable {
    /// The cases, in order.
    package let cases: [VectorCase]
    /// What holds for every case that does not say otherwise: the case whose id starts with `_`, when there is one.
    package let context: JSONObject

    private let name: String
    private static let file = try? Fixture.json("vectors.json").object

    /// The group of this name.
    ///
    /// - Throws: ``MissingFixture`` when there is none, when it has no case or not as many as it says, or two of the
    ///   same name; so that no test passes for want of input.
    package init(_ name: String) throws {
        let group = Self.file?["groups"]?.array?.first { $0.object?["id"]?.string == name }
        let all = group?.object?["cases"]?.array?.compactMap { VectorCase(group: name, $0.object) } ?? []
        guard !all.isEmpty, all.count == group?.object?["count"]?.integer, Set(all.map(\.id)).count == all.count else {
            throw MissingFixture(name: "vectors.json: \(name)")
        }
        self.name = name
        cases = all.filter { !$0.id.hasPrefix("_") }
        context = all.first { $0.id.hasPrefix("_") }?.members ?? [:]
    }

    /// The case of this id.
    ///
    /// - Throws: ``MissingFixture`` when there is none.
    package func `case`(named id: String) throws -> VectorCase {
        guard let found = cases.first(where: { $0.id == id }) else {
            throw MissingFixture(name: "vectors.json: \(name)/\(id)")
        }
        return found
    }

    /// Every case but those that belong to another suite, and those of `Tests/Fixtures/not-run.json`. A case that is
    /// new in the file is run and cannot be forgotten; one that is gone is noticed.
    ///
    /// - Parameter elsewhere: the ids to leave out, by the suite that runs them: the name of its type.
    /// - Throws: ``MissingFixture`` for an id that is not in the group, ``RepeatedCase`` for one that is named twice.
    package func cases(elsewhere: [String: [String]]) throws -> [VectorCase] {
        var left: Set<String> = []
        for id in elsewhere.values.joined() {
            guard left.insert(try `case`(named: id).id).inserted else { throw RepeatedCase(group: name, id: id) }
        }
        return cases.filter { !left.contains($0.id) && !UnrunVectors.contains(group: name, id: $0.id) }
    }

    /// The cases of these ids.
    ///
    /// - Throws: ``MissingFixture`` for an id that is not in the group.
    package func cases(only ids: [String]) throws -> [VectorCase] { try ids.map { try `case`(named: $0) } }

    /// The names of all groups, in order.
    package static func names() throws -> [String] {
        let groups = try Fixture.json("vectors.json").object?["groups"]?.array ?? []
        return groups.compactMap { $0.object?["id"]?.string }
    }
}

/// A case of a group of vectors is given to two suites.
package struct RepeatedCase: Error {
    /// The name of its group.
    package var group: String
    /// Its name within the group.
    package var id: String
}

/// One case of a group of vectors.
package struct VectorCase: Sendable, CustomTestStringConvertible {
    /// The name of its group.
    package let group: String
    /// Its name within the group.
    package let id: String
    /// All its members, `id` too.
    package let members: JSONObject

    /// The member's value.
    package subscript(name: String) -> JSON? { members[name] }

    /// The group and the id, as the test's argument is shown.
    package var testDescription: String { "\(group)/\(id)" }

    fileprivate init?(group: String, _ members: JSONObject?) {
        guard let members, let id = members["id"]?.string else { return nil }
        self.group = group
        self.id = id
        self.members = members
    }
}
