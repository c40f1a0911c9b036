import Foundation
import Testing
import Wire

/// One case of `Tests/Fixtures/vectors.json`.
struct IDTokenVector: Sendable, CustomTestStringConvertible {
    let group: String
    let members: JSONObject

    var id: String { members["id"]?.string ?? "?" }
    var testDescription: String { "\(group) \(id)" }

    subscript(name: String) -> JSON? { members[name] }

    /// The cases of a group.
    static func group(_ name: String) -> [IDTokenVector] {
        let group = file["groups"]?.array?.first { $0.object?["id"]?.string == name }?.object
        return (group?["cases"]?.array ?? []).compactMap(\.object).map { IDTokenVector(group: name, members: $0) }
    }

    /// A case by its id.
    static func named(_ id: String, in name: String) throws -> IDTokenVector {
        try #require(group(name).first { $0.id == id })
    }

    private static let file: JSONObject = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/vectors.json")
        guard let data = try? Data(contentsOf: path), let file = (try? JSON(parsing: Array(data)))?.object else {
            preconditionFailure("Tests/Fixtures/vectors.json cannot be read")
        }
        return file
    }()
}
