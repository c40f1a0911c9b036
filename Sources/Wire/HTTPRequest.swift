/// A request as the protocol makes it; what sends it is another module.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// The absolute URL.
    package var url: String
    /// The header fields beyond those that the transport makes.
    package var headers: [HTTPField]
    package var body: [UInt8]?

    package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether sending it twice does what sending it once does: by its method (RFC 9110 §9.2.2), or because it has an
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method) || headers.first("Idempotency-Key") != nil
    }
}
