internal import Glibc
internal import System

/// Writes a result to standard output or the file of `-o`, through a buffer.
struct ByteSink {
    private let descriptor: FileDescriptor
    private let name: String
    private var buffer: [UInt8] = []
    private var capacity = usualCapacity
    private static let usualCapacity = 65_536

    /// A sink for standard output.
    static let standardOutput = ByteSink(descriptor: 1, name: "standard output")

    /// Whether anything can be written to standard output.
    static var isStandardOutputOpen: Bool {
        let flags = fcntl(1, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }

    /// A sink for a descriptor.
    init(descriptor: Int32, name: String) {
        self.descriptor = FileDescriptor(descriptor)
        self.name = name
    }

    /// Writes a whole text to standard output.
    ///
    /// - Throws: exit 11.
    static func print(_ text: String) throws(Failure) {
        var sink = standardOutput
        try sink.write(Array(text.utf8))
        try sink.flush()
    }

    /// Makes the buffer larger until it is written.
    mutating func hold(_ size: Int) { capacity = size }

    /// Whether the buffer is larger.
    var isHolding: Bool { capacity > Self.usualCapacity }

    /// Buffers bytes, and writes them when the buffer is full.
    ///
    /// - Throws: exit 11.
    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= capacity { try flush() }
    }

    /// Writes the buffer.
    ///
    /// - Throws: exit 11. A closed standard output does not return: see `Signals.dieOfBrokenPipe()`.
    mutating func flush() throws(Failure) {
        defer {
            buffer.removeAll(keepingCapacity: true)
            capacity = Self.usualCapacity
        }
        do throws(Errno) {
            try descriptor.writeAll(buffer)
        } catch {
            throw failure(error)
        }
    }

    /// Writes bytes without the buffer.
    func pass(_ bytes: UnsafeRawBufferPointer) throws(Errno) { try descriptor.writeAll(bytes) }

    /// The failure of a write. A closed standard output does not return.
    func failure(_ error: Errno) -> Failure {
        if error == .brokenPipe, descriptor == .standardOutput { Signals.dieOfBrokenPipe() }
        return .file("cannot write \(name): \(error)")
    }
}
