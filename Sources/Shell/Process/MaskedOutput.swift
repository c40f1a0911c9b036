internal import Glibc
internal import Redaction
internal import System

/// An output of a command, which is passed on with its secrets masked.
struct MaskedOutput {
    /// The end of the pipe that the command writes to; nil when it is closed.
    package private(set) var source: FileDescriptor?
    private let target: FileDescriptor
    private var stream: RedactedStream

    /// An output of a command that goes to a descriptor of this process. It closes the end of the pipe.
    init(from source: FileDescriptor, to target: FileDescriptor, _ redactor: Redactor) {
        (self.source, self.target) = (source, target)
        stream = RedactedStream(redactor)
    }

    /// Whether bytes are held back that `release()` passes on.
    var holdsBytes: Bool { stream.holdsBytes }

    /// Passes on what can be read, once.
    mutating func pass() {
        guard let source else { return }
        let piece = (try? source.read(upTo: 65_536)) ?? []
        write(piece.isEmpty ? stream.end() : stream.add(piece))
        if piece.isEmpty { close() }
    }

    /// Passes on what was held back for a moment.
    mutating func release() { write(stream.release()) }

    /// Passes on what is there, now that the command has ended. Programs that it has left behind are not waited for.
    mutating func end() {
        while let source, source.isReadable { pass() }
        write(stream.end())
        close()
    }

    /// Without a reader, the command gets SIGPIPE as it would without the pipe between.
    private mutating func write(_ bytes: [UInt8]) {
        do throws(Errno) {
            try target.writeAll(bytes)
        } catch {
            close()
        }
    }

    private mutating func close() {
        source?.close()
        source = nil
    }
}
