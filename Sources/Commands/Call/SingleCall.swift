internal import Calls
internal import OAuth
internal import Wire

/// One call: its request, and what becomes of its response.
final class SingleCall {
    private let request: APIRequest
    /// Where the response goes; nil after the end.
    var result: CallResult?
    private let diagnostics: Diagnostics
    private var receiver: CallReceiver?

    /// Prepares the call.
    init(_ request: APIRequest, result: consuming CallResult, diagnostics: Diagnostics) {
        self.request = request
        self.diagnostics = diagnostics
        self.result = consume result
    }

    /// Makes the receiver of the next transfer.
    ///
    /// - Parameter disposition: what becomes of the content behind a head.
    func makeReceiver(_ disposition: @escaping (HTTPResponseHead) -> Disposition) -> CallReceiver {
        let filter: (UnsafeRawBufferPointer, HTTPResponseHead) -> Bool = { [unowned self] piece, head in
            result?.feed(piece, of: head) ?? false
        }
        guard let receiver = result?.receiver(disposition, filter: filter) else {
            preconditionFailure("the result is written once")
        }
        self.receiver = receiver
        return receiver
    }

    /// Carries the call out until the response is written.
    ///
    /// - Throws: as `answer(by:)` and `write(_:)`.
    func run(by driver: CallDriver) throws(Failure) -> Exit {
        do throws(Failure) {
            _ = driver.add(request)
            try write(try answer(by: driver))
            return try end()
        } catch {
            discard()
            throw error
        }
    }

    /// A response that is no error.
    struct Answer {
        let head: HTTPResponseHead
        let receiver: CallReceiver
    }

    /// Waits for the response to the request that was added.
    ///
    /// - Throws: exit 2 for a filter that does not compile, 6 or 12 if there is no response, 7 for a status of 400 and
    ///   above, 8 where a person must log in, 9 for a redirect that is not followed, and what writing throws.
    func answer(by driver: CallDriver) throws(Failure) -> Answer {
        guard let (_, outcome) = try driver.next() else { preconditionFailure("one request has one outcome") }
        // A filter error takes precedence over the result of the request.
        try result?.settleFilter()
        switch outcome {
        case .answered(let head, let note):
            guard let receiver else { preconditionFailure("an answer has come through a receiver") }
            receiver.settle()
            try receiver.checkWriting()
            guard head.status < 400 else { throw try refusal(head, note, driver, receiver) }
            return Answer(head: head, receiver: receiver)
        case .stopped(let error):
            var failure = Failure(error.kind.exit, error.kind, error.message)
            failure.httpStatus = error.status
            throw failure
        case .lost(let error, let isOpen):
            receiver?.passHeld()
            throw Failure(error, stake: isOpen ? .open : .repeatable)
        case .notRenewed(let head):
            guard var failure = driver.renewalFailure else { preconditionFailure("a renewal that failed has a reason") }
            try head.map { (head) throws(Failure) in try driver.markRefused(by: head) }
            if let head { failure.message += "; \(explained(head, nil, driver).message)" }
            throw failure
        }
    }

    /// Writes a response.
    ///
    /// - Throws: as `CallResult.write(_:head:)`.
    func write(_ answer: Answer) throws(Failure) { try result?.write(answer.receiver, head: answer.head) }

    /// Ends the result.
    ///
    /// - Throws: exit 11.
    func end() throws(Failure) -> Exit {
        guard let result = result.take() else { preconditionFailure("the result ends once") }
        return try result.end()
    }

    /// Drops the result, and the temporary file of `-o` with it.
    func discard() { result = nil }

    private func explained(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver
    ) -> Failure {
        CallFailure(
            head: head, note: note, content: receiver?.content ?? [], document: driver.document,
            login: driver.login, redactor: diagnostics.redactor
        ).failure(of: request, scheme: driver.scheme)
    }

    /// The failure for a status of 400 and above. The body is written where the options say.
    private func refusal(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver, _ receiver: CallReceiver
    ) throws(Failure) -> Failure {
        let failure = explained(head, note, driver)
        guard var result = result.take() else { preconditionFailure("the result ends once") }
        if result.takesErrors {
            do throws(Failure) {
                try result.write(receiver, head: head)
                _ = try result.end(keepsFile: false)
            } catch {
                // The exit status follows from the response; other errors are only reported.
                diagnostics.tell(error)
            }
        } else if result.errorBody == "stderr", !receiver.content.isEmpty {
            diagnostics.body(receiver.content)
        }
        return failure
    }
}
