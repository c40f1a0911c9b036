package import Wire

/// Receives a response as it arrives.
///
/// It is called on the thread that sends, while SIGPIPE is blocked there: a write to a closed pipe gives EPIPE.
package protocol ResponseReceiver: AnyObject {
    /// Whether content is buffered, so that the decompression limit applies. Asked for each piece of the content.
    var keepsContent: Bool { get }

    /// Takes the head, before the first byte of the content. False ends the transfer with `HTTPError.aborted`.
    func receive(head: HTTPResponseHead) -> Bool

    /// Takes some of the content, decoded; the memory is valid until the return. False ends the transfer with
    /// `HTTPError.aborted`.
    func receive(content: UnsafeRawBufferPointer) -> Bool
}

extension ResponseReceiver {
    package var keepsContent: Bool { false }
}
