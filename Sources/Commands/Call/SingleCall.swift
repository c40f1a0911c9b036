internal import Calls
internal import OAuth
internal import Wire

/// One call: its request, and what becomes of its response.
final class SingleCall {
    private let request: APIRequest
    private var result: CallResult?
    private let diagnostics: Diagnostics
    private var receiver: CallReceiver?

    /// Prepares the call.
    init(_ request: APIRequest, result: consuming CallResult, diagnostics: Diagnostics) {
        self.request = request
        self.diagnostics = diagnostics
        self.result = consume result
    }

    /// Says that the request will be sent again.
    func tell(_ retry: Retry) { diagnostics.tell(Self.text(of: retry)) }

    /// The message for a retry.
    static func text(of retry: Retry) -> String {
        let cause =
            switch retry.cause {
            case .response(let head):
                "\(WebURL(head.url)?.withoutQuery ?? head.url) answered \(head.status)"
                    + (head.status == 403 ? ", a rate limit" : "")
            case .failure(let error): error.message
            }
        let tenths = Int((retry.seconds * 10).rounded(.up))
        return "\(cause); trying again in \(tenths / 10).\(tenths % 10) s (\(retry.number) of \(retry.limit))"
    }

    /// Makes the receiver of the next transfer.
    ///
    /// - Parameter disposition: what becomes of the content behind a head.
    func makeReceiver(_ disposition: @escaping (HTTPResponseHead) -> Disposition) -> CallReceiver {
        guard let receiver = result?.receiver(disposition) else {
            preconditionFailure("the result is written once")
        }
        self.receiver = receiver
        return receiver
    }

    /// Carries the call out until the response is written.
    ///
    /// - Throws: exit 6 or 12 if there is no response, 7 for a status of 400 and above, 8 where a person must log in, 9
    ///   for a redirect that is not followed, and what writing throws.
    func run(by driver: CallDriver) throws(Failure) -> Exit {
        _ = driver.add(request)
        guard let (_, outcome) = try driver.next() else { preconditionFailure("one request has one outcome") }
        return try finish(outcome, driver)
    }

    private func finish(_ outcome: CallOutcome, _ driver: CallDriver) throws(Failure) -> Exit {
        guard var result = result.take() else { preconditionFailure("the result is written once") }
        // A filter error takes precedence over the result of the request.
        try result.settleFilter()
        switch outcome {
        case .answered(let head, let note): return try finish(head, note, driver, into: result)
        case .stopped(let error):
            var failure = Failure(error.kind.exit, error.kind, error.message)
            failure.httpStatus = error.status
            throw failure
        case .lost(let error, let isOpen): throw Failure(error, stake: isOpen ? .open : .repeatable)
        case .notRenewed(let head):
            guard var failure = driver.renewalFailure else { preconditionFailure("a renewal that failed has a reason") }
            try head.map { (head) throws(Failure) in try driver.markRefused(by: head) }
            if let head { failure.message += "; \(explained(head, nil, driver).message)" }
            throw failure
        }
    }

    private func explained(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver
    ) -> Failure {
        CallFailure(
            head: head, note: note, content: receiver?.content ?? [], document: driver.document,
            login: driver.login, redactor: diagnostics.redactor
        ).failure(of: request, scheme: driver.scheme)
    }

    private func finish(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver, into result: consuming CallResult
    ) throws(Failure) -> Exit {
        guard let receiver else { preconditionFailure("an answer has come through a receiver") }
        receiver.settle()
        try receiver.checkWriting()
        guard head.status >= 400 else { return try result.finish(receiver, head: head) }
        let failure = explained(head, note, driver)
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
