package import Wire

/// Sends requests one at a time, and waits for each response.
package final class HTTPClient {
    /// What the next requests are sent with.
    package var options: TransportOptions
    /// Carries them out. Nothing else may run on it while a request is sent.
    package let transfers: Transfers

    /// Makes a client.
    package init(options: TransportOptions, over transfers: Transfers) {
        self.options = options
        self.transfers = transfers
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
        let id = try transfers.start(request, options: options, withCertificate: withCertificate, receiver: buffer)
        guard let ended = transfers.poll().ended.first, ended.id == id else {
            preconditionFailure("one transfer runs at a time, and ends")
        }
        return try buffer.result(after: ended.failure).get()
    }
}
