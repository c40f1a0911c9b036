import Foundation
import Testing
import Wire

/// An entry of the list of vectors that no test runs, `Tests/Fixtures/not-run.json`.
package struct UnrunVectors: Sendable, CustomTestStringConvertible {
    /// What would make the cases possible.
    package enum Condition: Sendable, Hashable {
        /// A command of this name.
        case command(String)
        /// This option of a command.
        case option(String, command: String)
        /// A member that oap-documents(5) describes.
        case member(String)
    }

    /// The name of the group.
    package let group: String
    /// The ids of its cases; nil for all of them.
    package let ids: [String]?
    /// Why no test runs them.
    package let reason: String
    /// Any of these would make the cases possible.
    package let until: [Condition]

    /// The group and the ids, as the test's argument is shown.
    package var testDescription: String { "\(group)/\(ids?.joined(separator: ",") ?? "*")" }

    /// The whole list.
    package static let all: [UnrunVectors] = {
        let list = (try? Fixture.json("not-run.json").object)?["not_run"]?.array ?? []
        return list.compactMap { $0.object.flatMap(UnrunVectors.init) }
    }()

    /// How many entries the file has, also of those that cannot be read.
    package static func count() throws -> Int {
        try Fixture.json("not-run.json").object?["not_run"]?.array?.count ?? 0
    }

    /// Whether the list has this case.
    package static func contains(group: String, id: String) -> Bool {
        all.contains { $0.group == group && $0.ids?.contains(id) != false }
    }

    private init?(_ members: JSONObject) {
        guard let group = members["group"]?.string, let reason = members["reason"]?.string, !reason.isEmpty,
            let until = members["until"]?.array?.map({ Self.condition($0.object ?? [:]) }), !until.isEmpty,
            !until.contains(nil), members["cases"] == nil || members["cases"]?.strings?.isEmpty == false
        else { return nil }
        self.group = group
        self.reason = reason
        self.until = until.compactMap(\.self)
        ids = members["cases"]?.strings
    }

    private static func condition(_ members: JSONObject) -> Condition? {
        switch (members["command"]?.string, members["option"]?.string, members["member"]?.string) {
        case (let command?, let option?, nil): .option(option, command: command)
        case (let command?, nil, nil): .command(command)
        case (nil, nil, let member?): .member(member)
        default: nil
        }
    }
}
