package import Wire

package struct LoopbackResponse {
    /// The status code, from 200.
    package var status: Int
    /// The header fields; `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are made by the server.
    package var headers: [HTTPField]
    package var body: LoopbackBody
    /// Fields behind content in chunks.
    package var trailers: [HTTPField] = []
    /// How long to wait before the first byte; other connections are served meanwhile.
    package var delay = Duration.zero
    /// Whether the connection ends with this response.
    package var closes = false
    /// The number under which the response is held back; nil to send it. The server is finished while one is held back,
    /// and `answerHeld` sends another in its place.
    package var heldAs: Int?
    /// Whether the server is finished with this response, when it has been sent.
    package var isLast = false

    package init(status: Int, headers: [HTTPField] = [], body: LoopbackBody = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// The content of a response.
package enum LoopbackBody {
    case bytes([UInt8])
    /// Pieces from the function, in constant memory. Without a length they are sent in chunks. If the function ends
    /// before the length is reached, the connection is closed: the client sees a truncated response.
    case generated(length: Int?, () -> LoopbackPiece)
    /// What the taker of the request gives (``LoopbackTaker``), in constant memory. Without a length it is sent in chunks.
    case taken(length: Int?)
    /// Nothing at all, no status line either: the connection is reset (RST).
    case reset
}

/// The next piece of generated content.
package enum LoopbackPiece {
    /// These bytes, at least one.
    case bytes([UInt8])
    /// Nothing is sent for this time; then the function is called again.
    case pause(Duration)
    /// The connection is reset (RST).
    case reset
    case end
}
