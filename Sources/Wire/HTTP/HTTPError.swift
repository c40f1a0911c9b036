/// Why there is no complete response.
package enum HTTPError: Error, Sendable, Equatable {
    case library(String)
    case invalidURL(String)
    case invalidRequest(String)
    /// Plain `http` to a host that is not loopback. The URL is without its query.
    case insecureTransport(url: String)
    /// The connection failed. `requestSent`: bytes of the request may have reached the server, so that its outcome is
    /// unknown.
    case network(stage: Stage, message: String, requestSent: Bool)
    case certificate(CertificateFault, message: String)
    case proxy(status: Int, message: String)
    /// The proxy, whose address has no user, wants a user name and a password, or refuses those it got: the status 407.
    case proxyUser(at: String, isRefused: Bool)
    /// The response is not HTTP, or its content coding is broken.
    case malformedResponse(String)
    case tooLarge(limit: Int, of: String = "the response")
    case inflated(ratio: Int)
    case aborted
    case file(path: String, message: String)
}

extension HTTPError {
    /// The stage that a connection had reached.
    package enum Stage: String, Sendable {
        case dns
        case connect
        case tls
        /// The peer answered the TLS handshake, but not with TLS: another attempt would end the same way.
        case notTLS
        case timeout
        case read
        /// A connection that an earlier request had used ended before the response began.
        case stale
        /// The time in which the request could begin was over when the connection stood.
        case late
    }

    /// Whether another attempt may go better, after a failure of the name lookup, the connection, the TLS handshake, or in
    /// time. A certificate that is not trusted, a peer without TLS and a broken response are not among them.
    package var mayPass: Bool {
        switch self {
        case .proxy(let status, _): HTTPStatus.mayPass(status)
        case .network(let stage, _, _): stage != .notTLS
        default: false
        }
    }

    /// What is wrong with a certificate.
    package enum CertificateFault: Sendable {
        /// No trusted authority has issued the certificate.
        case authority
        /// The certificate names other hosts.
        case host
        /// The certificate has expired, or is not valid yet.
        case time
        /// The certificate is the client's own, which the server refuses, or misses: the request had no effect.
        case client
    }

    /// The sentence for the user: lower case, no full stop, no secret and no query.
    package var message: String {
        switch self {
        case .library(let reason): "libcurl cannot be used: \(reason) (Debian package libcurl4)"
        case .invalidURL(let url): "no request can be sent to this URL: \(url)"
        case .invalidRequest(let reason): reason
        case .insecureTransport(let url): "plain http is for loopback only: \(url)"
        case .network(_, let message, _), .certificate(_, let message), .proxy(_, let message),
            .malformedResponse(let message):
            message
        case .proxyUser(let proxy, false): "the proxy \(proxy) wants a user name and a password (407)"
        case .proxyUser(let proxy, true): "the proxy \(proxy) refuses the user name and the password (407)"
        case .tooLarge(let limit, let part): "\(part) is larger than \(limit) bytes"
        case .inflated(let ratio): "the response decompresses to more than \(ratio) times its size"
        case .aborted: "the transfer was stopped"
        case .file(let path, let message): "\(path): \(message)"
        }
    }

    /// In place of a path: the trusted certificates that the system has.
    package static let certificatesOfSystem = "the certificates of the system"

    package var requestSent: Bool {
        switch self {
        case .network(_, _, let requestSent): requestSent
        case .malformedResponse, .tooLarge, .inflated, .aborted: true
        case .library, .invalidURL, .invalidRequest, .insecureTransport, .certificate, .proxy, .proxyUser, .file: false
        }
    }
}
