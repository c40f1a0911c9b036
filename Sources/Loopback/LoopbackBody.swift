/// The content of a response.
package enum LoopbackBody {
    case bytes([UInt8])
    /// Pieces from the function, in constant memory. Without a length they are sent in chunks. If the function ends
    /// before the length is reached, the connection is closed: the client sees a truncated response.
    case generated(length: Int?, () -> LoopbackPiece)
    /// Nothing at all, no status line either: the connection is reset (RST).
    case reset
}

/// The next piece of generated content.
package enum LoopbackPiece {
    /// These bytes, at least one.
    case bytes([UInt8])
    /// Nothing for this time; then the function is called again.
    case pause(Duration)
    case end
}
