internal import CLibMicroHTTPD
internal import Glibc
internal import Wire

/// A response of the library.
struct MadeResponse: ~Copyable {
    /// The library's response.
    let pointer: OpaquePointer
    /// The status code.
    let status: UInt32

    /// Makes the library's response. Nil if nothing is to be sent.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with it.
    /// - pause: pauses the connection when generated content pauses.
    init?(_ response: LoopbackResponse, closes: Bool, pause: @escaping (Duration) -> Void) {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes { oap_mhd_response_from_buffer($0.count, $0.baseAddress) }
        case .generated(let length, let next):
            let content = GeneratedContent(next, pause: pause)
            let unknown = UInt64.max  // MHD_SIZE_UNKNOWN, whose macro Swift does not see
            made = oap_mhd_response_from_callback(
                length.map(UInt64.init) ?? unknown, GeneratedContent.blockSize, GeneratedContent.read,
                Unmanaged.passRetained(content).toOpaque(), GeneratedContent.release)
        case .reset: return nil
        }
        guard let made else { preconditionFailure("libmicrohttpd is out of memory") }
        pointer = made
        var areValid = true
        for field in response.headers { areValid = Self.add(field, to: made) && areValid }
        if closes { areValid = Self.add(HTTPField("Connection", "close"), to: made) && areValid }
        precondition(areValid, "a header field of a response has a line end in it")
        status = UInt32(response.status)
    }

    deinit { oap_mhd_destroy(pointer) }

    private static func add(_ field: HTTPField, to response: OpaquePointer) -> Bool {
        oap_mhd_add_header(response, field.name, field.value) == .YES
    }
}

/// Content from a function, piece by piece; the library keeps a pointer to it.
final class GeneratedContent {
    /// How many bytes the library sends at once.
    static let blockSize = 32 << 10

    private let next: () -> LoopbackPiece
    private let pause: (Duration) -> Void
    private var rest: ArraySlice<UInt8> = []

    init(_ next: @escaping () -> LoopbackPiece, pause: @escaping (Duration) -> Void) {
        self.next = next
        self.pause = pause
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
            case .end: return -1  // MHD_CONTENT_READER_END_OF_STREAM, whose macro Swift does not see
            }
        }
        let count = min(rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
    }
}
