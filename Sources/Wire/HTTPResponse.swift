/// A whole response, its content decoded from any content coding.
package struct HTTPResponse: Sendable, Equatable {
    /// The status line and header fields.
    package var head: HTTPResponseHead
    /// The content.
    package var body: [UInt8]

    package init(head: HTTPResponseHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
