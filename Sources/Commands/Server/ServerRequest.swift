internal import Wire

/// A request to an endpoint, whose response is collected whole.
struct ServerRequest {
    /// The request.
    let message: HTTPRequest
    /// Whether the client certificate is shown.
    var withCertificate = true
    /// Whether sending it twice does no harm, though its method may.
    var isRepeatable = false

    /// The most bytes of a response.
    static let limit = 1 << 20
    /// What comes of it.
    typealias Result = Swift.Result<HTTPResponse, HTTPError>
}
