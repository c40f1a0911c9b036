package import Calls
internal import Errands
internal import OAuth
internal import System
package import Wire
package import Shell
package import Sessions

/// The requests of standard input, and their answers (oap-call(1), BATCH). Lines are read while fewer requests are under
/// way than there may be, so that memory is bounded.
package final class Batch {
    /// A request that is under way.
    private struct Sent {
        let line: BatchLine
        let id: JSON
        let request: APIRequest
        var receiver: CallReceiver?
    }

    private let requests: BatchRequests
    private var endpoint: ResourceEndpoint
    private let output: BatchOutput
    private let journal: BatchJournal?
    private let session: Session
    private let run: String
    private let width: Int
    private let shard: BatchShard?
    private let interval: Duration?
    private let retries: RetryPolicy
    private var input = BatchInput()
    private let progress: ProgressLine?
    private var sent: [CallGroup.ID: Sent] = [:]
    private var count = 0
    /// How many requests are done, those that failed included.
    private var done = 0
    private var failed = 0
    /// Why requests are sent again, as far as it was said: once for all, until one is answered.
    private var saidCauses: Set<String> = []
    private var lastNumber = 0
    private var order: BatchOrder
    private var nextStart = MonotonicTime.now
    private var nextCheck = MonotonicTime.now
    /// Why no further line is read.
    private var stop: Failure?
    /// The failure with the highest status.
    private var worst: Failure?

    package init(_ session: Session, _ settings: CallSettings, requests: BatchRequests) throws(Failure) {
        (width, shard) = (settings.width, settings.shard)
        interval = settings.interval.map { .seconds($0) }
        order = BatchOrder(isKept: settings.isOrdered, limit: 16 * width)
        retries = settings.retries
        self.session = session
        progress = ProgressLine(session.diagnostics, session.form)
        self.requests = requests
        endpoint = try requests.endpoint()
        let new = try requests.run()
        journal = try settings.journal.map { (path) throws(Failure) in
            try BatchJournal(path: path, run: new)
        }
        run = journal?.run ?? new
        output = try BatchOutput(session.form, session.diagnostics)
    }

    package func tell(_ id: CallGroup.ID, _ retry: Retry) {
        guard saidCauses.insert(retry.brief).inserted else { return }
        session.diagnostics.tell(retry, of: (sent[id]?.line.number).map { "line \($0)" })
    }

    package func makeReceiver(
        _ id: CallGroup.ID, _ disposition: @escaping (HTTPResponseHead) -> Disposition
    ) -> CallReceiver {
        let receiver = CallReceiver(sink: .standardOutput, disposition: disposition) { _ in
            .init(destination: .memory(limit: CallReceiver.limit))
        }
        sent[id]?.receiver = receiver
        return receiver
    }

    /// Sends the requests and prints the answers.
    ///
    /// - Throws: the highest status of a line; exit 6 or 8 where the rest of the lines was not read; exit 11.
    package func run(by driver: CallDriver) throws(Failure) -> Exit {
        Signals.hold(.line)
        defer { Signals.release(.line, delivers: true) }
        while true {
            try admit(to: driver)
            switch try driver.event() {
            case .finished(let id, let outcome): try finish(id, outcome, driver)
            case .waiting(let end): try wait(until: end, driver)
            case .done where isAtEnd && output.sink.backlog == 0: return try end()
            case .done: try wait(until: nil, driver)
            }
        }
    }

    private func end() throws(Failure) -> Exit {
        try record(try output.flush())
        try output.end()
        progress?.end()
        if stop == nil { try journal?.checkEnd(after: lastNumber) }
        let counted = "\(failed) of \(count) requests failed"
        if let stop {
            let failure = count > 0 ? stop.suffixed("; \(counted)") : stop
            guard journal != nil, failure.leavesOpen else { throw failure }
            throw failure.adding(hint: "run the same command again to continue with the lines that are left")
        }
        if let earlier = journal?.failures, earlier.exit.rawValue > worst?.exit.rawValue ?? 0 {
            let kind = ErrorKind.allCases.first { $0.exit == earlier.exit } ?? .httpStatus
            let requests = earlier.count == 1 ? "a request" : "\(earlier.count) requests"
            throw Failure(
                earlier.exit, kind, "\(requests) failed in an earlier run",
                hint: "the answers are in its output; to send them again, put their lines into a batch of their own")
        }
        if let worst { throw worst.prefixed(count == 1 ? "the request failed: " : "\(counted), one of them: ") }
        return .done
    }

    private var isAtEnd: Bool { stop != nil || input.isAtEnd && input.isEmpty }

    private func wait(until end: MonotonicTime?, _ driver: CallDriver) throws(Failure) {
        try record(try output.flush())
        endIfSignalled(driver)
        if isAtEnd, driver.size == 0, output.sink.backlog == 0 { return }  // Nothing could end the wait.
        progress?.draw { seconds in
            let left = input.rest.map { ", \(Int(min(seconds * $0, 1e9).rounded(.up))) s left" } ?? ""
            return "\(done) done, \(failed) failed, \(Int(Double(done) / seconds)) a second\(left)"
        }
        let mayRead = hasRoom(driver) && !isAtEnd && nextStart <= .now
        let watch = DescriptorWatch(
            (mayRead ? [Watched(0)] : []) + (output.sink.waiting.map { [Watched($0, .writable)] } ?? []))
        let start = hasRoom(driver) && !isAtEnd && !mayRead ? nextStart : nil
        let first = [end, start, progress?.due].compactMap(\.self).min()
        try session.engine.listening(watch) { () throws(Failure) in try driver.wait(until: first, isBeside: true) }
        endIfSignalled(driver)
    }

    /// Ends by a signal that came meanwhile; what was printed is printed in whole lines.
    private func endIfSignalled(_ driver: CallDriver) {
        guard Signals.isPending else { return }
        driver.finishRenewal()
        if let written = try? output.flush(isLast: true) { try? record(written) }
        progress?.end()
        Signals.release(.line, delivers: true)
    }
}

extension Batch {
    private func hasRoom(_ driver: CallDriver) -> Bool {
        driver.size < width && output.sink.backlog < BatchOutput.limit && !order.isFull
    }

    /// Reads lines and sends their requests, as long as there is room.
    private func admit(to driver: CallDriver) throws(Failure) {
        if nextCheck <= .now {
            try driver.renewIfDue()
            nextCheck = .now + .seconds(1)
        }
        var ready: [Sent] = []
        do throws(Failure) {
            while stop == nil, hasRoom(driver), driver.size + ready.count < width, nextStart <= .now {
                guard let line = input.next() else {
                    guard !input.isAtEnd, input.isReadable else { break }
                    try input.read()
                    continue
                }
                lastNumber = line.number
                if let next = try take(line) {
                    ready.append(next)
                    if let interval { nextStart = max(nextStart, .now) + interval }
                }
            }
        } catch {
            stop = error
        }
        guard !ready.isEmpty, prepare(ready) else { return }
        for next in ready { sent[driver.add(next.request)] = next }
    }

    /// Records the requests that may not be repeated, before they are sent.
    ///
    /// - Returns: whether they may be sent now.
    private func prepare(_ ready: [Sent]) -> Bool {
        guard let journal else { return true }
        let unrepeatable = ready.filter { !$0.request.message.isIdempotent }
        for next in unrepeatable { journal.note("s", next.line.number, next.line.checksum) }
        guard !unrepeatable.isEmpty else { return true }
        do throws(Failure) {
            // Of requests that were sent, only those that still are under way lack their end in the file.
            try record(try output.flush())
            try journal.write(isDurable: true)
            return true
        } catch {
            stop = error
            for next in ready { finish(next.line, next.id, error) }
            return false
        }
    }

    /// The request of a line; nil for one that is not to be sent.
    private func take(_ line: BatchInput.Line) throws(Failure) -> Sent? {
        let checksum = journal == nil ? 0 : BatchJournal.checksum(line)
        let state = try journal?.state(of: line.number, checksum) ?? .open
        guard state != .done, shard?.takes(line.bytes ?? [], number: line.number) != false else { return nil }
        guard !line.isBlank else {
            journal?.note("d", line.number, checksum)
            return nil
        }
        let place = BatchLine(number: line.number, checksum: checksum, place: count)
        count += 1
        var members: JSONObject?
        do throws(Failure) {
            let read = try BatchRequests.members(of: line)
            members = read
            let request = try requests.request(read, key: "\(run)-\(line.number)", at: endpoint)
            guard state == .open || retries.repetition == .always else {
                throw Failure(
                    .unknownOutcome, .outcomeUnknown, "the last run sent the request, but ended before the response",
                    hint: "check what the server did; to send the request again: \(CallOption.retryAllMethods.name)")
            }
            return Sent(line: place, id: BatchRequests.id(of: read, line.number), request: request)
        } catch {
            finish(place, BatchRequests.id(of: members, line.number), error)
            return nil
        }
    }

    private func finish(_ id: CallGroup.ID, _ outcome: CallOutcome, _ driver: CallDriver) throws(Failure) {
        guard let request = sent.removeValue(forKey: id) else { preconditionFailure("an outcome is of a request") }
        let content = request.receiver?.content ?? []
        switch outcome {
        case .answered(let head, let note):
            if head.status < 400 { saidCauses = [] }
            endpoint.note(head, to: request.request.message.url)
            guard content.count < CallReceiver.limit else {
                let failure = AnswerMemory.tooLarge(
                    "the response is larger than \(CallReceiver.limit >> 20) MiB",
                    hint: "to get a response of any size, send the request without --batch")
                return finish(request.line, request.id, failure)
            }
            if head.status >= 400 { driver.keepStepUp(by: head) }
            let refusal =
                head.status < 400 ? nil : CallFailure(head, note, content, by: driver, session.diagnostics.redactor)
            let failure = refusal?.failure(of: request.request)
            if refusal?.exit(of: request.request) == .unavailable,
                let wait = RateLimit.wait(after: head, now: Clock.now), Double(wait) > retries.maximumTime
            {
                stop = stop ?? failure
            }
            // What comes as events is an array of them, as a filter finds them without --batch.
            let isOfEvents = MediaType(head.headers.first("Content-Type") ?? "").isEventStream
            let events = isOfEvents ? EventStream.array(of: content, limit: CallReceiver.limit) : nil
            let answer = BatchAnswer.Content.response(head, events ?? content)
            finish(BatchAnswer(line: request.line, id: request.id, content: answer, failure: failure))
        case .stopped(let error):
            finish(request.line, request.id, Failure(error))
        case .lost(let error, let isOpen):
            finish(request.line, request.id, Failure(error, stake: isOpen ? .open : .repeatable))
        case .notRenewed(let head):
            guard let failure = driver.renewalFailure else {
                preconditionFailure("a renewal that failed has a reason")
            }
            if stop == nil, let head { try driver.markRefused(by: head) }
            stop = stop ?? failure
            finish(request.line, request.id, failure)
        }
    }

    private func finish(_ line: BatchLine, _ id: JSON, _ failure: Failure) {
        let error = failure.document(stage: "call", session.diagnostics.redactor)
        finish(BatchAnswer(line: line, id: id, content: .error(error), failure: failure))
    }

    /// Prints an answer, when its turn has come.
    private func finish(_ answer: BatchAnswer) {
        var answer = answer
        (answer.line.exit, answer.line.isOpen) = (answer.failure?.exit, answer.failure?.leavesOpen == true)
        for answer in order.take(answer) { print(answer) }
    }

    private func print(_ answer: BatchAnswer) {
        let filterFailure = output.print(answer)
        if let filterFailure { session.diagnostics.tell("line \(answer.line.number): \(filterFailure.message)") }
        done += 1
        let failures = [answer.failure, filterFailure].compactMap(\.self)
        if !failures.isEmpty { failed += 1 }
        for failure in failures { worst = .worse(worst, failure) }
    }

    /// Records the lines whose answers are written. One that may be sent again is not done.
    private func record(_ lines: [BatchLine]) throws(Failure) {
        guard let journal else { return }
        for line in lines { journal.note(line.letter, line.number, line.checksum) }
        do throws(Failure) {
            try journal.write()
        } catch {
            stop = stop ?? error
        }
    }
}
