package import Errands
package import HTTP
internal import Glibc
package import System
package import Wire

/// Is told of the end of each of its transfers.
package protocol TransferOwner: AnyObject {
    /// The failure is nil for a complete response.
    func ended(_ id: TransferID, _ failure: HTTPError?)
}

/// Owns all that a process waits for: transfers, timers, programs, listeners, and the signals that are held. One thread:
/// nothing waits but the engine, and nothing but it may wait inside a step.
package final class Engine {
    /// Signals that must wait for something, as the process holds them.
    package struct Interrupts {
        /// Readable when a signal has come that is held; nil for none.
        let descriptor: () -> Int32?
        /// Ends the process by a signal that nothing holds any more.
        let deliver: () -> Void
        /// Whether one has come that is held: the wait ends once for it, also where its coming was not seen.
        let hasCome: () -> Bool

        package init(
            descriptor: @escaping () -> Int32?, deliver: @escaping () -> Void, hasCome: @escaping () -> Bool = { false }
        ) {
            (self.descriptor, self.deliver, self.hasCome) = (descriptor, deliver, hasCome)
        }

        package static var none: Interrupts { Interrupts(descriptor: { nil }, deliver: {}) }
    }

    private let open: () throws(HTTPError) -> Transfers
    private let options: () throws(HTTPError) -> TransportOptions
    private let interrupts: Interrupts
    /// How far the run's clock is ahead; nil where pauses are waited for.
    private let skipped: SkippedTime?
    private var opened: Transfers?
    private var owners: [TransferID: any TransferOwner] = [:]
    private var errands: [RunningErrand] = []
    private var listeners: [any Listener] = []
    /// Whether a step is under way: it may start work, and not wait for it.
    private var isInside = false
    /// Whether a wait has ended for a held signal.
    private var hasHeard = false

    /// An engine without work. Nothing is opened before the first transfer.
    ///
    /// - Parameters:
    ///   - options: how the requests of errands reach their servers.
    ///   - open: opens the transfers of the process, for the first one.
    package init(
        interrupts: Interrupts = .none, skipping skipped: SkippedTime? = nil,
        options: @escaping () throws(HTTPError) -> TransportOptions,
        open: @escaping () throws(HTTPError) -> Transfers
    ) {
        (self.interrupts, self.skipped, self.options, self.open) = (interrupts, skipped, options, open)
    }

    private var now: MonotonicTime { skipped.map { .now + .milliseconds($0.milliseconds) } ?? .now }

    /// Carries an errand out, and whatever else was started meanwhile. Not inside a step.
    package func run<Value>(_ errand: Errand<Value>) -> Value {
        precondition(!isInside, "nothing waits inside a step")
        var value: Value?
        start(errand) { value = $0 }
        while true {
            if let value { return value }
            turn()
        }
    }

    package func run<Value, Failure>(_ attempt: Attempt<Value, Failure>) throws(Failure) -> Value {
        let result: Result<Value, Failure> = run(attempt)
        return try result.get()
    }

    /// Starts an errand, which goes on in every turn.
    ///
    /// - Parameter finish: called with the value, at once if nothing must be waited for.
    @discardableResult
    package func start<Value>(_ errand: Errand<Value>, then finish: @escaping (Value) -> Void = { _ in }) -> Job {
        let wasInside = isInside
        isInside = true
        defer { isInside = wasInside }
        let job = Job(errand, then: finish)
        if !job.isOver { errands.append(RunningErrand(job, arranged: arrange(job))) }
        return job
    }

    /// Waits until a job is over: a renewal, before the process ends. Not inside a step.
    package func finish(_ job: Job) { while !job.isOver { turn() } }

    package func add(_ listener: any Listener) { listeners.append(listener) }

    package func remove(_ listener: any Listener) { listeners.removeAll { $0 === listener } }

    /// Starts a transfer of an owner that has many; see ``Transfers/start(_:upload:options:withCertificate:receiver:)``.
    package func send(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, options: TransportOptions,
        withCertificate: Bool = true, receiver: any ResponseReceiver, owner: any TransferOwner
    ) throws(HTTPError) -> TransferID {
        let id = try transfers().start(
            request, upload: upload, options: options, withCertificate: withCertificate, receiver: receiver)
        owners[id] = owner
        return id
    }

    /// Ends a transfer of an owner, which is not told of it.
    package func cancel(_ id: TransferID) {
        owners[id] = nil
        opened?.cancel(id)
    }

    /// Goes on with a transfer that its receiver, or the source of its content, has paused. Not called by a receiver.
    package func resume(_ id: TransferID) { opened?.resume(id) }

    /// Waits once, at most until a moment, then takes one step for each whose turn has come. Not inside a step.
    package func turn(until end: MonotonicTime? = nil) {
        precondition(!isInside, "nothing waits inside a step")
        interrupts.deliver()
        let (ended, ready) = wait(until: end)
        isInside = true
        for (id, failure) in ended { land(id, failure) }
        goOn(ready.map(\.descriptor))
        for listener in listeners {
            // The same descriptor may be ready for one listener and not for another.
            let own = ready.isEmpty ? [] : listener.watched.filter(ready.contains).map(\.descriptor)
            if !own.isEmpty || listener.due.map({ $0 <= now }) == true { listener.serve(own) }
        }
        isInside = false
        interrupts.deliver()
    }

    private func transfers() throws(HTTPError) -> Transfers {
        if let opened { return opened }
        let transfers = try open()
        opened = transfers
        return transfers
    }
}

extension Engine {
    private func wait(until end: MonotonicTime?) -> (ended: [Transfers.Ended], ready: [Watched]) {
        // Asked after each step of the transfers: loops, since a batch has thousands.
        let waited = { [self] in
            var (due, watched) = (end, [Watched]())
            for errand in errands {
                if let moment = errand.due { due = due.map { min($0, moment) } ?? moment }
                watched += errand.watched
            }
            for listener in listeners {
                if let moment = listener.due { due = due.map { min($0, moment) } ?? moment }
                watched += listener.watched
            }
            if let descriptor = interrupts.descriptor() { watched.append(Watched(descriptor)) }
            if !hasHeard, interrupts.hasCome() {
                hasHeard = true
                due = now
            }
            return (until: due, watched: watched)
        }
        if let opened, !opened.isEmpty {
            return opened.carryOn {
                let (due, watched) = waited()
                return (due.map { $0 + .milliseconds(-(skipped?.milliseconds ?? 0)) }, watched)
            }
        }
        let (due, watched) = waited()
        if let skipped, let due, watched.isEmpty { skipped.skip(to: due, from: now) }
        precondition(due != nil || !watched.isEmpty, "something ends each wait")
        var events = watched.map { pollfd(fd: $0.descriptor, events: $0.events(POLLIN, POLLOUT), revents: 0) }
        let left = due?.milliseconds(since: now) ?? -1
        guard poll(&events, nfds_t(events.count), Int32(clamping: left)) > 0 else { return ([], []) }
        return ([], zip(events, watched).filter { $0.0.revents != 0 }.map(\.1))
    }

    private func land(_ id: TransferID, _ failure: HTTPError?) {
        if let owner = owners.removeValue(forKey: id) { return owner.ended(id, failure) }
        for errand in errands {
            guard case .transfer(id, let buffer) = errand.arranged else { continue }
            resume(errand, .response(buffer.result(after: failure)))
        }
    }

    private func goOn(_ ready: [Int32]) {
        for errand in errands {
            switch errand.arranged {
            case .program(let program): program.serve(ready).map { resume(errand, .end($0)) }
            case .moment(let end) where end <= now: resume(errand, .moment)
            case .failed(let reply): resume(errand, reply)
            case .moment, .transfer: continue
            }
        }
        errands.removeAll(where: \.job.isOver)
    }

    private func resume(_ errand: RunningErrand, _ reply: Job.Reply) {
        errand.job.resume(reply, at: Moment(time: now, seconds: Clock.now + (skipped?.milliseconds ?? 0) / 1000))
        if !errand.job.isOver { errand.arranged = arrange(errand.job) }
    }

    private func arrange(_ job: Job) -> RunningErrand.Arranged {
        switch job.rest {
        case .pause(let end, _)?: return .moment(end)
        case .done?, nil: return .moment(now)
        case .run(let program, _)?:
            do throws(Errno) {
                return .program(try RunningProgram(program))
            } catch {
                return .failed(.end(.notStarted(error)))
            }
        case .send(let request, _)?:
            do throws(HTTPError) {
                let buffer = ResponseBuffer(
                    limit: request.maximumBody, endsAtHead: request.endsAtHead, isEnough: request.isEnough)
                var options = try self.options()
                options.route = request.route ?? options.route
                if request.isForMetadata { options.reachMetadata() }
                options.maximumTime = request.maximumTime ?? options.maximumTime
                (options.mayBegin, options.signature) = (request.mayBegin, request.signature)
                options.answersSecret = request.answersSecret
                let id = try transfers().start(
                    request.message, options: options, withCertificate: request.withCertificate, receiver: buffer)
                return .transfer(id, buffer)
            } catch {
                return .failed(.response(.failure(error)))
            }
        }
    }
}

/// An errand that was started, and what its next step waits for.
private final class RunningErrand {
    enum Arranged {
        case transfer(TransferID, ResponseBuffer)
        case program(RunningProgram)
        case moment(MonotonicTime)
        /// What was needed could not begin: the next turn says so.
        case failed(Job.Reply)
    }

    let job: Job
    var arranged: Arranged

    init(_ job: Job, arranged: Arranged) { (self.job, self.arranged) = (job, arranged) }

    var due: MonotonicTime? {
        switch arranged {
        case .transfer: nil
        case .program(let program): program.due
        case .moment(let end): end
        case .failed: .now
        }
    }

    var watched: [Watched] { if case .program(let program) = arranged { program.watched } else { [] } }
}
