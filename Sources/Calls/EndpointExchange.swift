internal import OAuth
package import System
package import Wire

/// One request to an endpoint of an authorization server, and whether it is sent again: after a failed name lookup,
/// connection or TLS handshake, since nothing was sent; where repeating does no harm, also after a broken connection and
/// a status that may pass. It does no I/O.
package struct EndpointExchange {
    private var exchange: Exchange
    private var retries: Retries

    /// How often a request is sent again.
    static let limit = 2
    /// The seconds after the first attempt in which another may begin. A server that asks for a longer pause is not
    /// waited for.
    static let maximumTime = 10.0

    /// An exchange whose request is about to be sent.
    ///
    /// - Parameter isRepeatable: whether sending it twice does no harm, whatever its method.
    package init(
        _ message: HTTPRequest, isRepeatable: Bool, at moment: Moment,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        var policy = RetryPolicy()
        policy.limit = Self.limit
        policy.maximumTime = Self.maximumTime
        policy.includesAllMethods = isRepeatable
        retries = Retries(policy: policy, random: random)
        exchange = Exchange(APIRequest(message), id: 0)
        exchange.hop.isBare = true
        exchange.start(serial: 0, scheme: nil, at: moment)
    }

    /// Takes the result of an attempt.
    ///
    /// - Returns: the retry, and when it is due; nil if the result is final.
    package mutating func receive(_ result: Result<HTTPResponse, HTTPError>, at moment: Moment) -> Retry.Planned? {
        switch result {
        case .success(let response):
            var verdict = exchange.judge(
                response.head, mayRenew: false, redirects: .none, retries: &retries, at: moment)
            if case .inspect(let head, let note) = verdict {
                verdict = exchange.inspect(head, note, content: response.body, retries: &retries, at: moment)
            }
            guard case .retry(let retry, let end, _) = verdict else { return nil }
            return Retry.Planned(retry: retry, end: end)
        case .failure(let error):
            exchange.fail(error, retries: &retries, at: moment)
            guard case .retrying(let retry, let end) = exchange.state else { return nil }
            return Retry.Planned(retry: retry, end: end)
        }
    }
}
