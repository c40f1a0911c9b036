/// Masks secrets in a stream that comes in pieces. A piece may end in the middle of a secret, so its end is held back: for
/// a moment if it is a few bytes, and until more comes if it is the beginning of a secret.
package struct RedactedStream {
    private let redactor: Redactor
    /// The last bytes of the stream. Those that are out already are searched again with what follows.
    private var buffer: [UInt8] = []
    /// The number of bytes of the buffer that are out.
    private var count = 0
    /// The bytes at the end that may be the beginning of a secret, though too few to be masked for it.
    private static let shortest = 7

    /// A stream without these secrets, and those that the redactor learns later.
    package init(_ redactor: Redactor) { self.redactor = redactor }

    /// Whether bytes are held back that `release()` returns.
    package var holdsBytes: Bool { count < buffer.count }

    /// Takes bytes, and returns what can be shown, masked.
    package mutating func add(_ bytes: [UInt8]) -> [UInt8] {
        buffer += bytes
        // Each of them may be escaped, and its escape too.
        return next(held: UnescapedText(buffer.suffix(Self.shortest * 40)).length(ofLast: Self.shortest))
    }

    /// Releases what is held back for a moment. The beginning of a secret stays.
    package mutating func release() -> [UInt8] { next(held: 0) }

    package mutating func end() -> [UInt8] { next(held: 0, isLast: true) }

    private mutating func next(held: Int, isLast: Bool = false) -> [UInt8] {
        guard holdsBytes else { return [] }
        var end = max(count, buffer.count - held)
        var output: [UInt8] = []
        for range in redactor.secretRanges(in: buffer, cut: true).merged {
            guard range.upperBound > count, range.lowerBound < end else { continue }
            // More of it, or of an encoding around it, may come.
            if range.upperBound > end || !isLast && range.upperBound == buffer.count {
                end = max(count, range.lowerBound)
                break
            }
            if range.lowerBound > count { output += buffer[count..<range.lowerBound] }
            output += Redactor.mask.utf8
            count = range.upperBound
        }
        output += buffer[count..<max(count, end)]
        count = max(count, end)
        // A secret is at most eight times as long with all of its escapes.
        let context = max(8 * redactor.longest, 64)
        if count > 2 * context {
            buffer.removeFirst(count - context)
            count = context
        }
        return output
    }
}
