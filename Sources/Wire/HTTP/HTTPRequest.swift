/// A request as the protocol makes it; what sends it is another module.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// The absolute URL.
    package var url: String
    /// The header fields beyond those that the transport makes.
    package var headers: [HTTPField]
    package var body: [UInt8]?

    package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }

    /// Whether sending it twice does what sending it once does: by its method (RFC 9110 §9.2.2), or because it has an
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method) || headers.first("Idempotency-Key") != nil
    }
}

/// One header field of a request or response (RFC 9110 §5).
package struct HTTPField: Sendable, Equatable {
    /// The field name as it is written; names compare without case.
    package var name: String
    /// The field value, without white space around it.
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension [HTTPField] {
    /// The values of the fields of a name, in order. Names compare without case (RFC 9110 §5.1).
    package func values(of name: String) -> [String] { filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value) }

    package func first(_ name: String) -> String? { first { $0.name.equalsIgnoringASCIICase(name) }?.value }
}
