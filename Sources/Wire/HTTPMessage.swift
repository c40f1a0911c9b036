/// One header field of a request or response (RFC 9110 §5).
package struct HTTPField: Sendable, Equatable {
    /// The field name as it is written; names compare without case.
    package var name: String
    /// The field value, without white space around it.
    package var value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPField] {
    /// The values of the fields of a name, in order. Names compare without case (RFC 9110 §5.1).
    package func values(of name: String) -> [String] {
        filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// The first value of a field, if there is one.
    package func first(_ name: String) -> String? { values(of: name).first }
}

extension String {
    /// Equal except for the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The text with only the ASCII letters in lower case.
    package var asciiLowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }
}

extension UInt8 {
    /// The byte, with an ASCII capital in lower case.
    package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// A request of the protocol; the module HTTP sends it.
package struct HTTPRequest: Sendable, Equatable {
    /// The method, for example `POST`.
    package var method: String
    /// The absolute URL.
    package var url: String
    /// The header fields, without those of the transport.
    package var headers: [HTTPField]
    /// The content, or nil for a request without one.
    package var body: [UInt8]?

    /// Makes a request.
    package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether the method is idempotent (RFC 9110 §9.2.2).
    package var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method) }
}

/// The status line and the header fields of a response.
package struct HTTPResponseHead: Sendable, Equatable {
    /// The status line as it was received, for example `HTTP/1.1 200 OK`.
    package var statusLine: String
    /// The status code.
    package var status: Int
    /// The header fields in order.
    package var headers: [HTTPField]
    /// The URL of the request.
    package var url: String

    /// Makes a response head.
    package init(statusLine: String = "", status: Int, headers: [HTTPField] = [], url: String = "") {
        self.statusLine = statusLine
        self.status = status
        self.headers = headers
        self.url = url
    }
}

/// A whole response, its content decoded from any content coding.
package struct HTTPResponse: Sendable, Equatable {
    /// The status line and header fields.
    package var head: HTTPResponseHead
    /// The content.
    package var body: [UInt8]

    /// Makes a response.
    package init(head: HTTPResponseHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
