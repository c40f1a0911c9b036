internal import Calls
internal import CommandSpec
internal import HTTP
internal import OAuth
internal import Wire

/// Carries out the steps of a call: sends, renews, and hands the response to the result.
///
/// It is a class: libcurl's callbacks reach the call group through it while a transfer runs.
final class CallDriver {
    private var group: CallGroup
    private let request: CallRequest
    private let source: TokenSource
    private var result: CallResult?
    private let client: HTTPClient
    private let diagnostics: Diagnostics
    private var scheme = "Bearer"
    private var receiver: CallReceiver?
    private var renewalFailure: Failure?

    /// Prepares the call.
    ///
    /// - Parameter token: the token to begin with; nil if it must be renewed first.
    init(
        _ request: CallRequest, token: AccessToken?, source: TokenSource, redirects: RedirectPolicy,
        result: consuming CallResult, client: HTTPClient, diagnostics: Diagnostics
    ) {
        self.request = request
        self.source = source
        group = CallGroup(token: token, isRenewable: source.isRenewable, redirects: redirects)
        self.client = client
        self.diagnostics = diagnostics
        if let token { scheme = token.scheme }
        self.result = consume result
    }

    /// Carries out the steps until the response is written.
    ///
    /// - Throws: exit 6 or 12 if there is no response, 7 for a status of 400 and above, 8 where a person must log in, 9
    ///   for a redirect that is not followed, and what writing throws.
    func run() throws(Failure) -> Exit {
        _ = group.add(request.request)
        while true {
            switch group.next() {
            case .send(let id, let message, let upload, let isBare):
                try send(id, message, upload: upload, isBare: isBare)
            case .renew(let reason): renew(because: reason)
            case .finish(_, let outcome): return try finish(outcome)
            case .wait, .done: preconditionFailure("one request that is not under way is sent or finished")
            }
        }
    }

    private func renew(because reason: TokenLedger.Reason) {
        do throws(Failure) {
            let token = try source.renewed(because: reason)
            (scheme, renewalFailure) = (token.scheme, nil)
            group.renewed(token)
        } catch {
            renewalFailure = error
            group.renewed(nil)
        }
    }

    private func send(
        _ id: CallGroup.ID, _ message: HTTPRequest, upload: (any ContentSource)?, isBare: Bool
    ) throws(Failure) {
        guard let receiver = result?.receiver(isAnswer: { self.group.receive($0, for: id) == .deliver }) else {
            preconditionFailure("the result is written once")
        }
        self.receiver = receiver
        do throws(HTTPError) {
            try client.stream(message, upload: upload, withCertificate: !isBare, receiver: receiver)
            group.ended(id)
        } catch {
            switch error {
            case .invalidRequest(let reason): throw .usage(reason)
            case .aborted:
                // The receiver stopped the transfer: report its write error. Content beyond its limit is not needed.
                try receiver.checkWriting()
                group.ended(id)
            default: group.failed(id, error)
            }
        }
    }

    private func finish(_ outcome: CallOutcome) throws(Failure) -> Exit {
        guard var result = result.take() else { preconditionFailure("the result is written once") }
        // A filter error takes precedence over the result of the request.
        try result.settleFilter()
        switch outcome {
        case .answered(let head, let note): return try finish(head, note, into: result)
        case .stopped(let error):
            var failure = Failure(error.kind.exit, error.kind, error.message)
            failure.httpStatus = error.status
            throw failure
        case .lost(let error, let isRepeatable): throw Failure(error, stake: isRepeatable ? .repeatable : .spends)
        case .notRenewed(let head):
            guard var failure = renewalFailure else { preconditionFailure("a renewal that failed has a reason") }
            if let head { failure.message += "; \(explained(head).message)" }
            throw failure
        }
    }

    private func explained(_ head: HTTPResponseHead) -> Failure {
        CallFailure(head: head, content: receiver?.content ?? [], redactor: diagnostics.redactor)
            .failure(of: request.request, scheme: scheme)
    }

    private func finish(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, into result: consuming CallResult
    ) throws(Failure) -> Exit {
        guard let receiver else { preconditionFailure("an answer has come through a receiver") }
        guard head.status >= 400 else { return try result.finish(receiver, head: head) }
        var failure = explained(head)
        if note == .contentNotReplayable {
            failure.kind = .contentNotReplayable
            failure.hint =
                "the token may have expired, and content of more than 16 MiB from a pipe cannot be sent again: "
                + "use a file, or renew the token with oap refresh first"
        }
        guard !result.takesErrors else {
            do throws(Failure) {
                _ = try result.finish(receiver, head: head)
            } catch {
                // The exit status follows from the response; other errors are only reported.
                diagnostics.tell(error)
            }
            throw failure
        }
        if result.errorBody == "stderr", !receiver.content.isEmpty {
            diagnostics.body(receiver.content)
        }
        throw failure
    }
}
