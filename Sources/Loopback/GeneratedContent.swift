internal import CLibMicroHTTPD

/// Content from a function, piece by piece; the library keeps a pointer to it.
final class GeneratedContent {
    /// How many bytes the library sends at once.
    static let blockSize = 32 << 10

    private let next: () -> LoopbackPiece
    private let pause: (Duration) -> Void
    private let reset: () -> Void
    private var rest: ArraySlice<UInt8> = []

    init(
        _ next: @escaping () -> LoopbackPiece, pause: @escaping (Duration) -> Void, reset: @escaping () -> Void
    ) {
        (self.next, self.pause, self.reset) = (next, pause, reset)
    }

    /// The library's content callback: returns the number of bytes, 0 to be called again, or the end.
    static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
        guard let context, let buffer else { return -2 }
        return Unmanaged<GeneratedContent>.fromOpaque(context).takeUnretainedValue()
            .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    /// The library's callback to free the content.
    static let release: MHD_ContentReaderFreeCallback = { context in
        if let context { Unmanaged<GeneratedContent>.fromOpaque(context).release() }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if rest.isEmpty {
            switch next() {
            case .bytes(let bytes): rest = bytes[...]
            case .pause(let span): pause(span)
            case .reset:
                reset()
                return -2
            case .end: return -1  // MHD_CONTENT_READER_END_OF_STREAM, whose macro Swift does not see
            }
        }
        let count = min(rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
    }
}
