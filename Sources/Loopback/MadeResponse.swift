internal import CLibMicroHTTPD
internal import Glibc
internal import Wire

/// How the library gets content that the taker of a request gives.
struct TakenContent {
    /// How many bytes the library sends at once.
    static let blockSize = 64 << 10

    let context: UnsafeMutableRawPointer
    let read: MHD_ContentReaderCallback
}

/// A response of the library.
struct MadeResponse: ~Copyable {
    let pointer: OpaquePointer
    let status: UInt32

    /// Makes the library's response, with which the connection ends if it `closes`. Nil if nothing is to be sent.
    init?(
        _ response: LoopbackResponse, closes: Bool, taken: TakenContent, pause: @escaping (Duration) -> Void,
        reset: @escaping () -> Void
    ) {
        let made: OpaquePointer?
        let unknown = UInt64.max  // MHD_SIZE_UNKNOWN, whose macro Swift does not see
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes { oap_mhd_response_from_buffer($0.count, $0.baseAddress) }
        case .generated(let length, let next):
            let content = GeneratedContent(next, pause: pause, reset: reset)
            made = oap_mhd_response_from_callback(
                length.map(UInt64.init) ?? unknown, GeneratedContent.blockSize, GeneratedContent.read,
                Unmanaged.passRetained(content).toOpaque(), GeneratedContent.release)
        case .taken(let length):
            made = oap_mhd_response_from_callback(
                length.map(UInt64.init) ?? unknown, TakenContent.blockSize, taken.read, taken.context, nil)
        case .reset: return nil
        }
        guard let made else { preconditionFailure("libmicrohttpd is out of memory") }
        pointer = made
        var areValid = true
        for field in response.headers { areValid = Self.add(field, to: made) && areValid }
        for field in response.trailers {
            areValid = oap_mhd_add_footer(made, field.name, field.value) == .YES && areValid
        }
        if closes { areValid = Self.add(HTTPField("Connection", "close"), to: made) && areValid }
        precondition(areValid, "a header field of a response has a line end in it")
        status = UInt32(response.status)
    }

    deinit { oap_mhd_destroy(pointer) }

    private static func add(_ field: HTTPField, to response: OpaquePointer) -> Bool {
        oap_mhd_add_header(response, field.name, field.value) == .YES
    }
}
