/// Why there is no whole response.
package enum HTTPError: Error, Sendable, Equatable {
    /// libcurl is missing or too old; what the dynamic linker or libcurl said.
    case library(String)
    /// The text is no URL that a request can be sent to.
    case invalidURL(String)
    /// The method or a header field cannot be written into an HTTP message.
    case invalidRequest(String)
    /// Plain `http` to a host that is not loopback. The URL comes without its query.
    case insecureTransport(url: String)
    /// The connection failed. `requestSent` tells that bytes of the request may have reached the server, so that its
    /// outcome is unknown.
    case network(stage: Stage, message: String, requestSent: Bool)
    /// The proxy refused to make the tunnel, with this status (for example 407). Nothing was sent to the server.
    case proxy(status: Int, message: String)
    /// What arrived is not HTTP, or its content coding is broken.
    case malformedResponse(String)
    /// The header, or the content after decoding, is larger than this many bytes.
    case tooLarge(limit: Int)
    /// The content becomes more than so many times larger by decoding it.
    case inflated(ratio: Int)
    /// The receiver wanted no more.
    case aborted
    /// A certificate, a key or the content to send could not be read.
    case file(path: String, message: String)
}

extension HTTPError {
    /// How far a connection had come.
    package enum Stage: String, Sendable {
        case dns
        case connect
        case tls
        case timeout
        case read
    }

    /// The sentence for people: lower case, no full stop, no secret and no query.
    package var message: String {
        switch self {
        case .library(let reason): "libcurl cannot be used: \(reason) (Debian package libcurl4)"
        case .invalidURL(let url): "not a URL for a request: \(url)"
        case .invalidRequest(let reason): reason
        case .insecureTransport(let url): "plain http is for loopback only: \(url)"
        case .network(_, let message, _), .proxy(_, let message), .malformedResponse(let message): message
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .inflated(let ratio): "the answer inflates to more than \(ratio) times what was sent"
        case .aborted: "the transfer was stopped"
        case .file(let path, let message): "\(path): \(message)"
        }
    }

    /// Whether bytes of the request may have reached the server.
    package var requestSent: Bool {
        switch self {
        case .network(_, _, let requestSent): requestSent
        case .malformedResponse, .tooLarge, .inflated, .aborted: true
        case .library, .invalidURL, .invalidRequest, .insecureTransport, .proxy, .file: false
        }
    }
}
