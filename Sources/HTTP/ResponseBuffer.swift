package import Wire

/// Collects a response in memory, up to a limit.
package final class ResponseBuffer: ResponseReceiver {
    private var head: HTTPResponseHead?
    private var content: [UInt8] = []
    private var isOverLimit = false
    private let limit: Int
    private let endsAtHead: Bool

    /// A buffer for this many bytes of content, after decoding, or for the head alone.
    package init(limit: Int, endsAtHead: Bool = false) { (self.limit, self.endsAtHead) = (limit, endsAtHead) }

    package func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        return !endsAtHead
    }

    package func receive(content: UnsafeRawBufferPointer) -> Bool {
        isOverLimit = content.count > limit - self.content.count
        if !isOverLimit { self.content.append(contentsOf: content) }
        return !isOverLimit
    }

    /// The response of a transfer that has ended.
    package func result(after failure: HTTPError?) -> Result<HTTPResponse, HTTPError> {
        if endsAtHead, let head { return .success(HTTPResponse(head: head, body: [])) }
        if let failure { return .failure(isOverLimit ? .tooLarge(limit: limit) : failure) }
        guard let head else { preconditionFailure("a transfer that succeeds has delivered a head") }
        return .success(HTTPResponse(head: head, body: content))
    }
}
