package import Wire

/// A request whose response is collected whole.
package struct ServerRequest {
    package var message: HTTPRequest
    package var withCertificate: Bool
    /// When the request may be sent again; one of an idempotent method always.
    package var repetition: Repetition
    /// The statuses that may pass at this server, besides those that may pass everywhere.
    package var passing: [Int] = []
    /// Whether the head is the whole response: its content may have no end.
    package var endsAtHead = false
    /// The most bytes of content that are accepted, after decoding.
    package var maximumBody = Self.limit
    /// The time limit in seconds, in place of that of the options; nil for none of its own.
    package var maximumTime: Double?
    /// Whether the content so far is all that is wanted: it may have no end. nil for the whole.
    package var isEnough: (([UInt8]) -> Bool)?
    /// Whether it may still begin; asked before the first byte leaves, after the connection stands. nil for always.
    package var mayBegin: (@Sendable () -> Bool)?
    /// How the server of the request is reached; nil as the options of the process say.
    package var route: Route?
    /// Whether it goes to the metadata service of the machine: plain http to a link-local address, without a proxy, within
    /// seconds or not at all.
    package var isForMetadata = false
    /// Whether the content of the answer is a secret of no known name, which no trace shows.
    package var answersSecret = false
    /// Whether its content has a token, which is a use of it.
    package var sendsToken = false
    /// The keys of AWS that it is signed with (Signature Version 4).
    package var signature: AWSSignature?

    /// The most bytes of a response.
    package static let limit = 1 << 20
    package typealias Result = Swift.Result<HTTPResponse, HTTPError>

    package init(message: HTTPRequest, withCertificate: Bool = true, repetition: Repetition = .unsent) {
        (self.message, self.withCertificate, self.repetition) = (message, withCertificate, repetition)
    }
}

/// What a request to a service of AWS is signed with: its `Authorization` field is made as it is sent.
package struct AWSSignature: Sendable {
    /// The signing scope: `aws:amz:REGION:SERVICE`, as libcurl takes it.
    package let scope: String
    package let (keyID, secret): (String, String)

    package init(region: String, service: String, keyID: String, secret: String) {
        (scope, self.keyID, self.secret) = ("aws:amz:\(region):\(service)", keyID, secret)
    }
}
