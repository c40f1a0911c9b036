package import Errands
package import OAuth
package import System
internal import Wire

/// One request whose response is collected whole, as a group of its own: one to an endpoint of an authorization server, or
/// with a token to its userinfo endpoint. No redirect is followed. It is sent again with a token that is renewed; after a
/// failed name lookup, connection or TLS handshake, since nothing was sent; where repeating does no harm, also after a
/// broken connection and a status that may pass.
package struct CollectedCall {
    private var group: CallGroup
    private let request: ServerRequest
    private let notify: (Retry) -> Void
    private let renew: ((AccessToken) -> Errand<AccessToken?>)?
    private var response: HTTPResponse?

    package static let limit = 2
    /// The seconds after the first attempt in which another may begin. A server that asks for a longer pause is not
    /// waited for.
    static let maximumTime = 10.0

    /// A call that is not sent yet.
    ///
    /// - Parameters:
    ///   - token: what the request is sent with; nil for nothing, or where the request itself has a credential.
    ///   - renew: gives another token, once, for the one that is refused; nil if it fails.
    package init(
        _ request: ServerRequest, with token: AccessToken? = nil, retries: Int = Self.limit,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        notify: @escaping (Retry) -> Void = { _ in }, renew: ((AccessToken) -> Errand<AccessToken?>)? = nil
    ) {
        var policy = RetryPolicy()
        (policy.limit, policy.maximumTime) = (retries, Self.maximumTime)
        policy.includesAllMethods = request.isRepeatable
        group = CallGroup(
            token: token, isAnonymous: token == nil, isRenewable: renew != nil, redirects: .none, retries: policy,
            random: random)
        (self.request, self.notify, self.renew) = (request, notify, renew)
        _ = group.add(APIRequest(request.message))
    }

    package func errand(at moment: Moment) -> Errand<ServerRequest.Result> {
        var call = self
        while true {
            switch call.group.next(at: moment) {
            case .send(let id, let message, _, _):
                var request = request
                request.message = message
                return .send(request) { [call] (result, moment) in
                    call.receiving(result, of: id, at: moment).errand(at: moment)
                }
            case .renew(.refused(let token)):
                guard let renew else { preconditionFailure("a token is renewed where it can be") }
                return renew(token).then { [call] token in
                    var call = call
                    call.group.renewed(token)
                    return call.errand(at: moment)
                }
            case .retry(_, let retry): notify(retry)
            case .wait(let end?):
                return .pause(until: end) { [call] in call.errand(at: Moment(time: end, seconds: moment.seconds)) }
            case .finish(_, let outcome): return .done(call.result(of: outcome))
            case .renew(.due), .wait(nil), .done: preconditionFailure("a call has a token, and one request")
            }
        }
    }

    private func receiving(_ result: ServerRequest.Result, of id: CallGroup.ID, at moment: Moment) -> CollectedCall {
        var call = self
        switch result {
        case .success(let response):
            call.response = response
            _ = call.group.receive(response.head, for: id, at: moment)
            call.group.ended(id, held: response.body, at: moment)
        case .failure(let error): call.group.failed(id, error, at: moment)
        }
        return call
    }

    private func result(of outcome: CallOutcome) -> ServerRequest.Result {
        switch (outcome, response) {
        case (.answered, let response?), (.notRenewed, let response?): .success(response)
        case (.lost(let error, _), _): .failure(error)
        case (.answered, nil), (.notRenewed, nil), (.stopped, _):
            preconditionFailure("an answer has come, and no redirect was followed")
        }
    }
}
