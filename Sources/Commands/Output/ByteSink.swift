internal import Glibc

/// Where a result goes: standard output or a descriptor of `-o`, through a buffer of its own.
struct ByteSink {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private static let capacity = 65_536

    /// A sink for standard output.
    static let standardOutput = ByteSink(descriptor: 1, name: "standard output")

    /// Whether anything can be written to standard output.
    static var isStandardOutputOpen: Bool {
        let flags = fcntl(1, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }

    /// A sink for a descriptor.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
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

    /// Takes bytes; they are written when enough have come together.
    ///
    /// - Throws: exit 11 when they cannot be written.
    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes what has come together.
    ///
    /// - Throws: exit 11. A closed standard output does not return: see `Signals.dieOfBrokenPipe()`.
    mutating func flush() throws(Failure) {
        let code = buffer.withUnsafeBytes { FileAccess.writeAll(descriptor, $0) }
        buffer.removeAll(keepingCapacity: true)
        try check(code)
    }

    /// Writes bytes at once, past the buffer.
    ///
    /// - Returns: the `errno` of the write that failed, else 0.
    func pass(_ bytes: UnsafeRawBufferPointer) -> Int32 { FileAccess.writeAll(descriptor, bytes) }

    /// Turns the `errno` of a write into the failure that it is.
    func check(_ code: Int32) throws(Failure) {
        guard code != 0 else { return }
        if code == EPIPE, descriptor == 1 { Signals.dieOfBrokenPipe() }
        throw .file("cannot write \(name): \(FileAccess.reason(code))")
    }
}
