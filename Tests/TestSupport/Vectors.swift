import Foundation
import Testing
import Wire

/// One group of the protocol's test vectors, `Tests/Fixtures/vectors.json`.
package struct VectorGroup: Sendable {
    /// The cases, in order.
    package let cases: [VectorCase]
    /// What holds for every case that does not say otherwise: the case whose id starts with `_`, when there is one.
    package let context: JSONObject

    /// The group of this name.
    ///
    /// - Throws: ``MissingFixture`` when there is none or it has no case, so that no test passes for want of input.
    package init(_ name: String) throws {
        let document = try Fixture.json("vectors.json").object
        let group = document?["groups"]?.array?.first { $0.object?["id"]?.string == name }
        let all = group?.object?["cases"]?.array?.compactMap { VectorCase(group: name, $0.object) } ?? []
        guard !all.isEmpty, all.count == group?.object?["count"]?.integer else {
            throw MissingFixture(name: "vectors.json: \(name)")
        }
        cases = all.filter { !$0.id.hasPrefix("_") }
        context = all.first { $0.id.hasPrefix("_") }?.members ?? [:]
    }
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
