package import Wire

/// Collects a response in memory, up to a limit.
package final class ResponseBuffer: ResponseReceiver {
    private var head: HTTPResponseHead?
    private var content: [UInt8] = []
    private var isOverLimit = false
    private let limit: Int
    private let endsAtHead: Bool
    private let isEnough: (([UInt8]) -> Bool)?
    private var hasEnough = false

    /// A buffer for this many bytes of content, after decoding, or for the head alone.
    ///
    /// - Parameter isEnough: whether the content so far is all that is wanted; nil for the whole.
    package init(limit: Int, endsAtHead: Bool = false, isEnough: (([UInt8]) -> Bool)? = nil) {
        (self.limit, self.endsAtHead, self.isEnough) = (limit, endsAtHead, isEnough)
    }

    package func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        return !endsAtHead
    }

    package func receive(content: UnsafeRawBufferPointer) -> Bool {
        isOverLimit = content.count > limit - self.content.count
        if !isOverLimit { self.content.append(contentsOf: content) }
        hasEnough = !isOverLimit && isEnough?(self.content) == true
        return !isOverLimit && !hasEnough
    }

    /// The response of a transfer that has ended.
    package func result(after failure: HTTPError?) -> Result<HTTPResponse, HTTPError> {
        if endsAtHead, let head { return .success(HTTPResponse(head: head, body: [])) }
        if let failure, !hasEnough { return .failure(isOverLimit ? .tooLarge(limit: limit) : failure) }
        guard let head else { preconditionFailure("a transfer that succeeds has delivered a head") }
        return .success(HTTPResponse(head: head, body: content))
    }
}

/// Receives a response as it arrives.
///
/// It is called on the thread that sends, while SIGPIPE is blocked there: a write to a closed pipe gives EPIPE.
package protocol ResponseReceiver: AnyObject {
    /// Whether content is buffered, so that the decompression limit applies. Asked for each piece of the content.
    var keepsContent: Bool { get }

    /// Whether it has no room: content waits at the server until the transfer is resumed. Asked before each piece.
    var isPaused: Bool { get }

    /// Takes the head, before the first byte of the content. False ends the transfer with `HTTPError.aborted`.
    func receive(head: HTTPResponseHead) -> Bool

    /// Takes some of the content, decoded; the memory is valid until the return. False ends the transfer with
    /// `HTTPError.aborted`.
    func receive(content: UnsafeRawBufferPointer) -> Bool
}

extension ResponseReceiver {
    package var keepsContent: Bool { false }
    package var isPaused: Bool { false }
}
