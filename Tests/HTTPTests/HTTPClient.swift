import HTTP
import System
import Wire

/// Sends requests one at a time, and waits for each response.
final class HTTPClient {
    /// What the next requests are sent with.
    var options: TransportOptions
    /// Carries them out. Nothing else may run on it while a request is sent.
    let transfers: Transfers

    /// Makes a client.
    init(options: TransportOptions, over transfers: Transfers) {
        self.options = options
        self.transfers = transfers
    }

    /// Sends a request and returns the whole response, whatever its status; redirects are not followed.
    ///
    /// - Parameters:
    ///   - maximumBody: the most bytes of content that are accepted, after decoding.
    ///   - withCertificate: whether to use the client certificate of the options.
    func send(
        _ request: HTTPRequest, maximumBody: Int, withCertificate: Bool = true
    ) throws(HTTPError) -> HTTPResponse {
        let buffer = ResponseBuffer(limit: maximumBody)
        let failure = try stream(request, withCertificate: withCertificate, to: buffer)
        return try buffer.result(after: failure).get()
    }

    /// Sends a request and hands the response over as it arrives.
    ///
    /// - Returns: why it ended early; nil for a complete response.
    func stream(
        _ request: HTTPRequest, withCertificate: Bool = true, to receiver: any ResponseReceiver
    ) throws(HTTPError) -> HTTPError? {
        let id = try transfers.start(request, options: options, withCertificate: withCertificate, receiver: receiver)
        guard let ended = transfers.poll().first, ended.id == id else {
            preconditionFailure("one transfer runs at a time, and ends")
        }
        return ended.failure
    }
}

extension Transfers {
    /// Carries transfers on until one has ended.
    func poll(until end: MonotonicTime? = nil) -> [Ended] { isEmpty ? [] : carryOn { (end, []) }.ended }
}
