package import Errands
package import OAuth
package import System
package import Wire

/// One request whose response is collected whole, as a group of its own: one to an endpoint of an authorization server, or
/// with a token to its userinfo endpoint. No redirect is followed. It is sent again with a token that is renewed; after a
/// failed name lookup, connection or TLS handshake, since nothing was sent; and where its ``Repetition`` allows that, also
/// after a broken connection and a status that may pass.
package struct CollectedCall {
    /// Makes the request of the next attempt, after the result of the last one; nil if there is to be none.
    package typealias Remake = (ServerRequest.Result) -> Errand<HTTPRequest?>

    private var group: CallGroup
    private let request: ServerRequest
    private let notify: (Retry) -> Void
    private let remake: Remake?
    private let renew: ((AccessToken) -> Errand<AccessToken?>)?
    private let clock: () -> Int
    /// What came of the last attempt.
    private var last: ServerRequest.Result?

    /// A call that is not sent yet.
    ///
    /// - Parameters:
    ///   - token: what the request is sent with; nil for nothing, or where the request itself has a credential.
    ///   - remake: for a request that has something for one attempt only; not beside a token.
    ///   - renew: gives another token, once, for the one that is refused; nil if it fails.
    ///   - clock: the seconds since 1970 after a pause or a renewal, for the proof that is made then.
    package init(
        _ request: ServerRequest, with token: AccessToken? = nil, retries: RetryPolicy = .brief,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        notify: @escaping (Retry) -> Void = { _ in }, remake: Remake? = nil,
        renew: ((AccessToken) -> Errand<AccessToken?>)? = nil, clock: @escaping () -> Int = { Clock.now }
    ) {
        var policy = retries
        policy.repetition = min(policy.repetition, request.repetition)
        group = CallGroup(
            token: token, isAnonymous: token == nil, isRenewable: renew != nil, redirects: .none, retries: policy,
            random: random)
        (self.request, self.notify, self.remake, self.renew, self.clock) = (request, notify, remake, renew, clock)
        _ = group.add(APIRequest(request.message, passing: request.passing))
    }

    package func errand(at moment: Moment) -> Errand<ServerRequest.Result> {
        var call = self
        while true {
            switch call.group.next(at: moment) {
            case .send(let id, let attempt):
                guard let remake, let last = call.last else { return call.sending(attempt.signed, id) }
                return remake(last).then { [call] message in
                    message.map { call.sending($0, id) } ?? .done(last)
                }
            case .renew(.refused(let token)):
                guard let renew else { preconditionFailure("a token is renewed where it can be") }
                return renew(token).then { [call] token in
                    var call = call
                    call.group.renewed(token)
                    return call.errand(at: Moment(time: moment.time, seconds: clock()))
                }
            case .retry(_, let retry): notify(retry)
            case .wait(let end?):
                return .pause(until: end) { [call] in call.errand(at: Moment(time: end, seconds: clock())) }
            case .finish(_, let outcome): return .done(call.result(of: outcome))
            case .renew(.due), .wait(nil), .done: preconditionFailure("a call has a token, and one request")
            }
        }
    }

    private func sending(_ message: HTTPRequest, _ id: CallGroup.ID) -> Errand<ServerRequest.Result> {
        var request = request
        request.message = message
        return .send(request) { (result, moment) in receiving(result, of: id, at: moment).errand(at: moment) }
    }

    private func receiving(_ result: ServerRequest.Result, of id: CallGroup.ID, at moment: Moment) -> CollectedCall {
        var call = self
        call.last = result
        switch result {
        case .success(let response):
            _ = call.group.receive(response.head, for: id, at: moment)
            call.group.ended(id, held: response.body, at: moment)
        case .failure(let error): call.group.failed(id, error, at: moment)
        }
        return call
    }

    private func result(of outcome: CallOutcome) -> ServerRequest.Result {
        switch (outcome, last) {
        case (.answered, let last?), (.notRenewed, let last?): last
        case (.lost(let error, _), _): .failure(error)
        case (.answered, nil), (.notRenewed, nil), (.stopped, _):
            preconditionFailure("an answer has come, and no redirect was followed")
        }
    }
}
