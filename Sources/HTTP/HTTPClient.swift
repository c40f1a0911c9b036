package import Wire

/// Sends requests, one at a time; connections are reused.
package final class HTTPClient {
    /// What the next requests are sent with.
    package var options: TransportOptions
    private let transfers: Transfers

    /// Makes a client, and loads libcurl if necessary.
    package init(options: TransportOptions, trace: Trace? = nil) throws(HTTPError) {
        self.options = options
        transfers = try Transfers(trace: trace)
    }

    /// Sends a request and returns the whole response, whatever its status; redirects are not followed.
    ///
    /// - Parameters:
    ///   - maximumBody: the most bytes of content that are accepted, after decoding.
    ///   - withCertificate: whether to use the client certificate of the options.
    package func send(
        _ request: HTTPRequest, maximumBody: Int, withCertificate: Bool = true
    ) throws(HTTPError) -> HTTPResponse {
        let buffer = ResponseBuffer(limit: maximumBody)
        return try buffer.response(after: transfer(request, withCertificate: withCertificate, to: buffer))
    }

    /// Sends a request and hands the response over as it arrives, in constant memory.
    ///
    /// - Parameters:
    ///   - upload: the content, in place of the request's own.
    ///   - withCertificate: whether to use the client certificate of the options.
    ///   - receiver: takes the response; it may end the transfer.
    package func stream(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, withCertificate: Bool = true,
        receiver: any ResponseReceiver
    ) throws(HTTPError) {
        let failure = try transfer(request, upload: upload, withCertificate: withCertificate, to: receiver)
        if let failure { throw failure }
    }

    private func transfer(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, withCertificate: Bool,
        to receiver: any ResponseReceiver
    ) throws(HTTPError) -> HTTPError? {
        let id = try transfers.start(
            request, upload: upload, options: options, withCertificate: withCertificate, receiver: receiver)
        guard let ended = transfers.poll().ended.first, ended.id == id else {
            preconditionFailure("one transfer runs at a time, and ends")
        }
        return ended.failure
    }
}
