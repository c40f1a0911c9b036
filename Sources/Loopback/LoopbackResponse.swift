package import Wire

/// What a server answers.
package struct LoopbackResponse {
    /// The status code, from 200.
    package var status: Int
    /// The header fields; `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are made by the server.
    package var headers: [HTTPField]
    /// The content.
    package var body: LoopbackBody
    /// How long to wait before the first byte; others are served meanwhile.
    package var delay = Duration.zero
    /// Whether the connection ends with this answer.
    package var closes = false
    /// Whether `LoopbackServer.run` ends with this answer, when all of it is sent.
    package var isLast = false

    /// Makes a response.
    package init(status: Int, headers: [HTTPField] = [], body: LoopbackBody = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// No answer: the connection is broken off (RST) without a byte.
    package static var reset: LoopbackResponse { LoopbackResponse(status: 500, body: .reset) }
}

/// The content of a response.
package enum LoopbackBody {
    /// These bytes.
    case bytes([UInt8])
    /// As many pieces as the function gives, in constant memory. Without a length they are sent in chunks. Where the
    /// function ends before the length is reached, the connection does too: the client sees a truncated answer.
    case generated(length: Int?, () -> LoopbackPiece)
    /// Nothing at all, no status line either: the connection is broken off (RST).
    case reset
}

/// What comes next in generated content.
package enum LoopbackPiece {
    /// These bytes, at least one.
    case bytes([UInt8])
    /// Nothing for this time; then the function is asked again.
    case pause(Duration)
    /// Nothing more.
    case end
}
