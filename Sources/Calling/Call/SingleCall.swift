package import Calls
internal import System
package import Wire
package import Shell
internal import Tokens

/// One call: its request, and what becomes of its response.
package final class SingleCall {
    private let request: APIRequest
    /// Where the response goes; nil after the end.
    package var result: CallResult?
    private let diagnostics: Diagnostics
    private let cache: CallCache?
    private let download: Download?
    private var receiver: CallReceiver?
    private var waiting: WaitingLine?
    /// Whether the caller asked for a change, and there is none: without output the file stays (RFC 9110 §15.4.5).
    private var isUnchanged = false
    /// The request that was begun last, and the stored response to it, which is used as it is or validated.
    private var current: (message: HTTPRequest, stored: StoredResponse?, isFresh: Bool)

    /// - Parameter cache: where responses are stored; nil for nowhere.
    package init(_ request: APIRequest, result: consuming CallResult, cache: CallCache?, diagnostics: Diagnostics) {
        self.cache = cache
        current = (request.message, nil, false)
        download = result.download
        self.request = download?.request(request) ?? request
        self.diagnostics = diagnostics
        self.result = consume result
    }

    /// - Parameter disposition: what becomes of the content behind a head.
    package func makeReceiver(_ disposition: @escaping (HTTPResponseHead) -> Disposition) -> CallReceiver {
        guard let sink = result?.sink else { preconditionFailure("the result is written once") }
        let receiver = CallReceiver(
            sink: sink, progress: result?.progress, disposition: disposition,
            filter: { [unowned self] piece, head in result?.feed(piece, of: head) ?? false },
            plan: { [unowned self] head in plan(for: head) })
        self.receiver = receiver
        return receiver
    }

    private func plan(for head: HTTPResponseHead) -> CallReceiver.Plan {
        waiting?.end()
        let plan = isValidation(head) ? nil : result?.plan(for: head, copyLimit: cache == nil ? nil : CallCache.limit)
        return plan ?? CallReceiver.Plan(destination: .memory(limit: CallReceiver.errorLimit))
    }

    private func isValidation(_ head: HTTPResponseHead) -> Bool {
        current.stored != nil && head.status == 304 && head.url == current.message.url
    }

    /// Carries the call out until the response is written.
    ///
    /// - Throws: as `answer(by:)` and `CallResult.write(_:)`.
    package func run(by driver: CallDriver) throws(Failure) -> Exit {
        if let line = result?.waitingLine { waiting = WaitingLine(line, for: WebURL(request.message.url)?.host ?? "") }
        if let waiting { driver.engine.add(waiting) }
        defer {
            if let waiting { driver.engine.remove(waiting) }
            waiting?.end()
        }
        do throws(Failure) {
            _ = begin(request, by: driver)
            let answer = try answer(by: driver)
            try result?.write(answer)
            return try end()
        } catch {
            throw download?.withHint(for: error) ?? error
        }
    }

    /// Adds a request to those of the driver, unless a stored response answers it. A stored one that is too old is
    /// validated.
    ///
    /// - Returns: whether the request was added.
    package func begin(_ request: APIRequest, by driver: CallDriver) -> Bool {
        let stored = cache?.response(to: request.message, with: driver.token)
        let isFresh = stored.map { cache?.isFresh($0) == true } ?? false
        current = (request.message, stored, isFresh)
        guard !isFresh else { return false }
        guard let conditions = stored?.conditions, !conditions.isEmpty else {
            current.stored = nil
            _ = driver.add(request)
            return true
        }
        var message = request.message
        message.headers += conditions
        _ = driver.add(APIRequest(message))
        return true
    }

    /// Waits for the response to the request that was begun last.
    ///
    /// - Returns: the receiver of a response that is no error.
    /// - Throws: exit 2 for a filter that does not compile, 6 or 12 if there is no response, 7 for a status of 400 and
    ///   above, 8 where a person must log in, 9 for a redirect that is not followed, and what writing throws.
    package func answer(by driver: CallDriver) throws(Failure) -> CallReceiver {
        if current.isFresh, let stored = current.stored {
            try result?.awaitFilter()
            return try answer(with: stored)
        }
        let outcome = try outcome(by: driver)
        // A filter error takes precedence over the result of the request.
        try result?.awaitFilter()
        switch outcome {
        case .answered(let head, let note): return try answer(head, note, driver)
        case .stopped(let error): throw Failure(error)
        case .lost(let error, let isOpen):
            receiver?.passHeld()
            let failure = Failure(error, stake: isOpen ? .open : .repeatable)
            guard isOpen, error.mayPass, let hint = CallFailure.hint(for: request, driver.retries)
            else { throw failure }
            throw failure.adding(hint: hint)
        case .notRenewed(let head):
            guard let failure = driver.renewalFailure else { preconditionFailure("a renewal that failed has a reason") }
            guard let head else { throw failure }
            try driver.markRefused(by: head)
            let refusal = refusal(of: head, nil, driver)
            try writeError(head, try deliver())
            throw failure.suffixed("; \(refusal.message)")
        }
    }

    /// Delivers the content of the response that counts, and returns its receiver.
    private func deliver() throws(Failure) -> CallReceiver {
        guard let receiver else { preconditionFailure("an answer has come through a receiver") }
        receiver.deliverInspected()
        try receiver.checkWriting()
        return receiver
    }

    private func answer(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver
    ) throws(Failure) -> CallReceiver {
        let receiver = try deliver()
        isUnchanged = head.status == 304 && !isValidation(head)
        if isValidation(head), let stored = current.stored {
            let validated = stored.validated(by: head, now: Clock.now)
            cache?.store(validated, to: current.message, with: driver.token)
            return try answer(with: validated)
        }
        guard head.status < 400 || download?.isComplete == true else {
            driver.keepStepUp(by: head)
            let failure = refusal(of: head, note, driver)
            try writeError(head, receiver)
            throw failure
        }
        if head.status == 200, head.url == current.message.url, note == nil, let cache, result?.hasStopped == false {
            let response = receiver.wholeContent.flatMap {
                StoredResponse(HTTPResponse(head: head, body: $0), now: Clock.now)
            }
            cache.store(response, to: current.message, with: driver.token)
        }
        return receiver
    }

    /// Waits for the outcome of the request that was begun last. A download whose response was not all of the rest goes
    /// on.
    private func outcome(by driver: CallDriver) throws(Failure) -> CallOutcome {
        while let (_, outcome) = try driver.next() {
            guard let download, case .answered(let head, _) = outcome, try download.goesOn(after: head) else {
                return outcome
            }
            _ = driver.add(request)
        }
        preconditionFailure("one request has one outcome")
    }

    /// Delivers a stored response as if it had come now.
    ///
    /// - Throws: exit 11.
    private func answer(with stored: StoredResponse) throws(Failure) -> CallReceiver {
        let head = stored.head(url: current.message.url, now: Clock.now)
        let receiver = makeReceiver { _ in .deliver }
        _ = receiver.receive(head: head) && stored.body.withUnsafeBytes { receiver.receive(content: $0) }
        try receiver.checkWriting()
        return receiver
    }

    /// - Throws: exit 11.
    package func end() throws(Failure) -> Exit {
        guard let result = result.take() else { preconditionFailure("the result ends once") }
        let isEmpty = result.sink.written + result.sink.backlog == 0
        return try result.end(keepsFile: !isUnchanged || !isEmpty)
    }

    private func refusal(
        of head: HTTPResponseHead, _ note: CallOutcome.Note?, _ driver: CallDriver
    ) -> Failure {
        CallFailure(head, note, receiver?.content ?? [], by: driver, diagnostics.redactor)
            .failure(of: request)
    }

    /// Writes the body of a response with a status of 400 and above where the options say.
    private func writeError(_ head: HTTPResponseHead, _ receiver: CallReceiver) throws(Failure) {
        guard var result = result.take() else { preconditionFailure("the result ends once") }
        if result.takesErrors {
            do throws(Failure) {
                try result.write(receiver)
                _ = try result.end(keepsFile: false)
            } catch {
                // The exit status follows from the response; other errors are only reported.
                diagnostics.tell(error)
            }
        } else if result.errorBody == .stderr, !receiver.content.isEmpty {
            diagnostics.body(receiver.content)
        }
    }
}
