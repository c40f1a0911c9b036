internal import CLibCurl
internal import System
internal import Wire

/// What one transfer sends and receives, for `-vv` and `--har`: the heads, and the beginning of each content.
final class Recording {
    /// A content as far as it is kept.
    struct Content {
        /// The most bytes that are kept.
        static let limit = 1 << 20
        /// The beginning.
        private(set) var bytes: [UInt8] = []
        /// The bytes of the whole.
        private(set) var size = 0

        mutating func append(_ piece: UnsafeRawBufferPointer) {
            size += piece.count
            bytes.append(contentsOf: piece.prefix(Self.limit - bytes.count))
        }

        /// Whether the end is missing.
        var isCut: Bool { size > bytes.count }
    }

    let request: HTTPRequest
    /// When the transfer began, in milliseconds since 1970.
    let start = Clock.milliseconds
    /// The head as it was sent, with what libcurl adds; empty if none was.
    var sentHead: [UInt8] = []
    var sent = Content()
    var head: HTTPResponseHead?
    /// The content of the response, decoded.
    var received = Content()
    private(set) var failure: HTTPError?
    private(set) var times = TransferTimes()
    /// The address of the server; nil without a connection.
    private(set) var address: String?

    init(_ request: HTTPRequest) {
        self.request = request
        request.body?.withUnsafeBytes { sent.append($0) }
    }

    /// Ends it, while the handle still knows the transfer.
    func end(_ failure: HTTPError?, _ handle: EasyHandle) {
        self.failure = failure
        times = TransferTimes(of: handle)
        address = handle.info(text: CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The response as far as it is kept; nil without a head.
    var response: HTTPResponse? { head.map { HTTPResponse(head: $0, body: received.bytes) } }
}
