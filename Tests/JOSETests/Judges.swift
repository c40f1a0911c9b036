import Foundation
import Testing

/// A folder that is gone when the test is over.
final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "oap-jose-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ data: Data, to name: String) throws -> String {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file.path
    }
}

/// A program of the system.
struct Program {
    let path: String

    init(_ name: String) { path = "/usr/bin/\(name)" }

    /// Runs it to its end, which must be a good one, and gives its output.
    func run(_ arguments: String...) throws -> Data { try run(arguments) }

    func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(path) \(arguments) ended with \(process.terminationStatus)")
        return data
    }
}
