/// Bytes that wait to be passed on, in the pieces in which they came.
struct ByteQueue {
    private(set) var count = 0
    private var pieces: ArraySlice<[UInt8]> = []
    /// How many bytes of the first piece were taken.
    private var taken = 0

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        pieces.append(Array(bytes))
        count += bytes.count
    }

    /// Moves as many bytes as there are, and as there is room for.
    ///
    /// - Returns: how many.
    mutating func move(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, let first = pieces.first {
            let size = min(first.count - taken, buffer.count - filled)
            first.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + size]))
            }
            (filled, taken) = (filled + size, taken + size)
            if taken == first.count {
                pieces.removeFirst()
                taken = 0
            }
        }
        count -= filled
        return filled
    }

    /// All of it, which is not kept.
    mutating func takeAll() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for piece in pieces { bytes += bytes.isEmpty ? piece[taken...] : piece[...] }
        self = ByteQueue()
        return bytes
    }
}
