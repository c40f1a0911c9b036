import HTTP
import Wire

extension HTTPClient {
    /// A client with connections of its own.
    convenience init(options: TransportOptions, trace: Trace? = nil) throws(HTTPError) {
        self.init(options: options, over: try Transfers(trace: trace))
    }

    /// Sends a request and hands the response to a receiver.
    func stream(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, receiver: any ResponseReceiver
    ) throws(HTTPError) {
        let id = try transfers.start(request, upload: upload, options: options, receiver: receiver)
        guard let ended = transfers.poll().first, ended.id == id else {
            preconditionFailure("one transfer runs at a time, and ends")
        }
        if let failure = ended.failure { throw failure }
    }
}
