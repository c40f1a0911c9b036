internal import CommandSpec
internal import Glibc
internal import System

/// The file of `--har`: an HTTP Archive (HAR 1.2) that is complete after each entry, so that a command which is killed, or
/// becomes another program, leaves a valid one.
package final class ArchiveFile {
    private let descriptor: FileDescriptor
    private let path: String
    private let diagnostics: Diagnostics
    /// Where the next entry goes, in bytes from the start.
    private var end: Int
    private var isEmpty = true
    private var hasFailed = false

    private static let opening =
        #"{"log":{"version":"1.2","creator":{"name":"oap","version":"\#(Version.number)"},"entries":["#
    private static let closing = Array("\n]}}\n".utf8)

    /// Puts an archive without entries, of mode 0600, in the place of a file.
    ///
    /// - Throws: exit 11, also for a path that is not a regular file.
    package init(_ path: String, _ diagnostics: Diagnostics) throws(Failure) {
        let target = try LinkedPath.resolved(path)
        if let status = try? FileStatus(at: target), !status.isFile {
            throw .file("cannot write \(path): not a regular file")
        }
        let file = try Failure.system("cannot write \(path)", try TemporaryFile(beside: target))
        (descriptor, self.path, self.diagnostics) = (file.descriptor, path, diagnostics)
        end = Self.opening.utf8.count
        do throws(Errno) {
            try descriptor.writeAll(Array(Self.opening.utf8) + Self.closing)
            switch file.takePlace(of: target) {
            case .placed: break
            case .complete(let error), .incomplete(let error): throw error
            }
        } catch {
            file.remove()
            descriptor.close()
            throw .file("cannot write \(path): \(error)")
        }
    }

    deinit { descriptor.close() }

    /// Adds an entry. The first error of the file is a message, and the command goes on.
    package func add(_ entry: [UInt8]) {
        guard !hasFailed else { return }
        let bytes = Array(isEmpty ? "\n".utf8 : ",\n".utf8) + entry
        do throws(Errno) {
            guard lseek(descriptor.number, end, SEEK_SET) >= 0 else { throw .current }
            try descriptor.writeAll(bytes + Self.closing)
            (end, isEmpty) = (end + bytes.count, false)
        } catch {
            hasFailed = true
            diagnostics.tell("cannot write the record of all requests to \(path): \(error)")
        }
    }
}
