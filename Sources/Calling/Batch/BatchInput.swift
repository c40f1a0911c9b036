internal import Glibc
internal import System
package import Shell

/// The lines of standard input, read only as they are wanted.
package struct BatchInput {
    package struct Line {
        /// The number of the line, from 1.
        let number: Int
        /// The bytes of the line without its end; nil for a line that is too long.
        package let bytes: [UInt8]?

        package var isBlank: Bool { bytes?.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ?? false }
    }

    static let limit = 16 << 20
    private static let piece = 65_536

    package private(set) var isAtEnd = false
    /// How many bytes the lines so far had.
    private var offset = 0
    /// The size of standard input; nil if it is not known.
    private let size = (try? FileStatus(.standardInput)).flatMap { $0.isFile && $0.size > 0 ? $0.size : nil }
    private var number = 0
    private var buffer: [UInt8] = []
    private var start = 0
    /// The number of bytes that were searched for a line end.
    private var searched = 0
    private var isTooLong = false

    /// How much there is after the lines so far, in proportion to them; nil if it is not known.
    var rest: Double? {
        guard let size, offset > 0 else { return nil }
        return Double(max(size - offset, 0)) / Double(offset)
    }

    package init() {}

    /// The next line; nil if it was not read yet, or there is none.
    package mutating func next() -> Line? {
        let end = buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            return memchr(base + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - base }
        }
        if let end { return take(to: end, dropping: 1) }
        searched = buffer.count
        if isAtEnd { return buffer.count > start || isTooLong ? take(to: buffer.count, dropping: 0) : nil }
        if buffer.count - start > Self.limit {
            isTooLong = true
            offset += buffer.count - start
            (buffer, start, searched) = ([], 0, 0)
        }
        return nil
    }

    private mutating func take(to end: Int, dropping: Int) -> Line {
        let isWhole = !isTooLong && end - start <= Self.limit
        let line = Line(number: number + 1, bytes: isWhole ? Array(buffer[start..<end]) : nil)
        number += 1
        isTooLong = false
        offset += end + dropping - start
        start = end + dropping
        searched = start
        return line
    }

    /// Whether every line that was read is taken.
    package var isEmpty: Bool { start == buffer.count && !isTooLong }

    /// Whether reading would not wait.
    package var isReadable: Bool { FileDescriptor.standardInput.isReadable }

    /// Reads some more, which may wait.
    ///
    /// - Throws: exit 11.
    package mutating func read() throws(Failure) {
        buffer.removeFirst(start)
        (start, searched) = (0, searched - start)
        let bytes = try Failure.system(
            "cannot read standard input", try FileDescriptor.standardInput.read(upTo: Self.piece))
        isAtEnd = bytes.isEmpty
        buffer += bytes
    }
}
