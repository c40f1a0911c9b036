/// A whole response, its content decoded from any content coding.
package struct HTTPResponse: Sendable, Equatable {
    package var head: HTTPResponseHead
    package var body: [UInt8]

    package init(head: HTTPResponseHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}
