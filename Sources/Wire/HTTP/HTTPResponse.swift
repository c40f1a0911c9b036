/// A whole response, its content decoded from any content coding.
package struct HTTPResponse: Sendable, Equatable {
    package var head: HTTPResponseHead
    package var body: [UInt8]

    package init(head: HTTPResponseHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}

/// The status line and the header fields of a response.
package struct HTTPResponseHead: Sendable, Equatable {
    /// The status line as it was received, for example `HTTP/1.1 200 OK`.
    package var statusLine: String
    package var status: Int
    package var headers: [HTTPField]
    /// The URL that was asked.
    package var url: String

    package init(statusLine: String = "", status: Int, headers: [HTTPField] = [], url: String = "") {
        (self.statusLine, self.status, self.headers, self.url) = (statusLine, status, headers, url)
    }
}
