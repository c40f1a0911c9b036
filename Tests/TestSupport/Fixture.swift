import Foundation
import Wire

/// The files that tests read: `Tests/Fixtures`.
package enum Fixture {
    /// The path of the project's folder.
    package static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The bytes of a fixture.
    ///
    /// - Throws: ``MissingFixture`` when it cannot be read.
    package static func bytes(_ name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(project)/Tests/Fixtures/\(name)") else {
            throw MissingFixture(name: name)
        }
        return Array(data)
    }

    /// A fixture that is JSON.
    package static func json(_ name: String) throws -> JSON { try JSON(parsing: bytes(name)) }
}

/// A fixture that a test needs is not there.
package struct MissingFixture: Error {
    /// What was looked for.
    package var name: String
}
