import Foundation

/// A folder that only this user can read, removed with everything in it when nobody refers to it any more.
package final class TemporaryDirectory: Sendable {
    /// The folder's absolute path, without symbolic links.
    package let path: String

    /// Makes an empty folder.
    ///
    /// - Parameter inMemory: whether it may lie in memory, where nothing waits for a disk.
    package init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let parent =
            inMemory && access(memory, W_OK) == 0
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appendingPathComponent("oap-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file that only this user can read, and gives back its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        chmod(file.path, 0o600)
        return path(name)
    }

    /// The text of a file.
    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }

    /// Whether there is a file of this name.
    package func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The permission bits of a file.
    package func permissions(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}
