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
        let failure = try stream(request, withCertificate: withCertificate, to: buffer)
        return try buffer.result(after: failure).get()
    }

    /// Sends a request and hands the response over as it arrives.
    ///
    /// - Returns: why it ended early; nil for a complete response.
    package func stream(
        _ request: HTTPRequest, withCertificate: Bool = true, to receiver: any ResponseReceiver
    ) throws(HTTPError) -> HTTPError? {
        let id = try transfers.start(request, options: options, withCertificate: withCertificate, receiver: receiver)
        guard let ended = transfers.poll().ended.first, ended.id == id else {
            preconditionFailure("one transfer runs at a time, and ends")
        }
        return ended.failure
    }
}
