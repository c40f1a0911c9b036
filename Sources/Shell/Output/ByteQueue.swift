/// Bytes that are added at one end and taken at the other. Each is moved a few times at most, however many wait.
package struct ByteQueue {
    /// The capacity that an empty queue keeps, and the least bytes that are worth moving the others for.
    private static let kept = 1 << 20
    private var bytes: [UInt8] = []
    private var start = 0

    package var count: Int { bytes.count - start }

    package mutating func append(_ more: [UInt8]) { bytes += more }

    /// Gives `limit` of them at most.
    package func withFirst<Value, Failure: Error>(
        _ limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let range = start..<start + min(count, limit)
        return try bytes.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Removes bytes at the beginning. Those behind them are moved only when they are fewer than those before.
    package mutating func removeFirst(_ count: Int) {
        start += count
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
            start = 0
        } else if start > max(Self.kept, bytes.count / 2) {
            bytes.removeFirst(start)
            start = 0
        }
    }
}
