internal import Calling
internal import Calls
internal import HTTP
internal import Loopback
internal import OAuth
internal import Redaction
internal import Sessions
internal import Shell
internal import System
internal import Wire

/// The API behind one name: the requests to it, those that wait, and its token.
final class ProxyUpstream: ProxyExchangeOwner {
    /// The most requests that are under way at once, and that wait for the end of a limit.
    private static let (width, queueLimit) = (128, 256)
    /// How long a request waits for the end of others.
    private static let patience = Duration.seconds(10)
    /// The longest limit that requests wait for, in seconds; after a longer one they are answered.
    private static let longestPause = 30

    let name: String
    /// Where paths begin, without a slash at the end.
    let base: WebURL
    /// The field that the token goes into, in lower case.
    let field: String
    var isDue = false
    var keptCount = 0
    private let settings: ProxySettings
    private let session: Session
    private var lanes: [ProxyLane] = []
    private var waiting: ArraySlice<ProxyExchange> = []
    /// Until when the API asks for no requests.
    private var pause: MonotonicTime?
    /// When the age of a token was looked at last.
    private var looked: (lane: ProxyLane, second: Int)?
    private var ofToken: (token: String, redactor: Redactor)?

    /// - Throws: exit 2, 3, 8 or 11 for a token that cannot be used, exit 9 for one that is not for its `api_base`.
    init(_ name: String, _ settings: ProxySettings, _ session: Session, log: UseLog?) throws(Failure) {
        (self.name, self.settings) = (name, settings)
        var session = session
        session.transport = session.transport.logging(as: name, to: log)
        self.session = session
        let source = try TokenSource(login: name, session, members: ProxySettings.members)
        let document = source.document
        let isBased = try asFailure(document.string("api_base")) != nil
        let resources = try asFailure(document.strings("resource"))
        guard isBased || resources.count == 1 else {
            throw .usage("the token of \(name) does not say where its API is", hint: "give --api-base URL")
        }
        let url = try CallTarget.url(isBased ? CallTarget("/") : nil, named: name, document: document)
        try CallTarget.checkOrigin(of: url, document: document, allowed: [])
        guard url.query == nil, let base = WebURL(url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text)
        else {
            throw .usage("\(url.withoutQuery) cannot be put before a path")
        }
        self.base = base
        field = try asFailure(document.authorizationField()).name?.asciiLowercased ?? "authorization"
        lanes = [try lane(source)]
    }

    private func lane(_ source: TokenSource) throws(Failure) -> ProxyLane {
        var options = try session.apiOptions(of: session.transport.serving(source.document))
        (options.compressed, options.userAgent) = (false, "")
        let made = Box<ProxyLane>()
        let driver = try CallDriver(
            token: try source.firstToken(), source: source, retries: .none, redirects: .none, over: session,
            options: options, notifyRetry: { _, _ in },
            makeReceiver: { id, disposition in
                guard let exchange = made.value?.exchanges[id] else {
                    preconditionFailure("a request has its exchange")
                }
                return exchange.receiver(disposition)
            })
        let lane = ProxyLane(driver)
        made.value = lane
        return lane
    }

    /// Notes a request that a rule refuses.
    func note(refused message: HTTPRequest, _ status: Int) {
        var request = TokenUse.Request(message, at: session.world.moment)
        request.status = status
        session.transport.note(request)
    }

    func redacted(_ text: String) -> String { session.diagnostics.redactor.redact(text) }

    /// How many requests have clients that wait for the end of an answer.
    private(set) var count = 0
}

/// What a closure is given before it is there.
private final class Box<Value: AnyObject> { weak var value: Value? }

extension ProxyUpstream {
    /// Takes a request, which is sent when its content is there and others have made room.
    func add(_ exchange: ProxyExchange) {
        count += 1
        if let pause, pause > .now {
            let left = Int(pause.milliseconds(since: .now) + 999) / 1000
            guard left <= Self.longestPause, waiting.count < Self.queueLimit else {
                let message = "the API of \(name) takes no requests for \(left) s"
                return exchange.fail(ProxyProblem(status: 503, message: message, exit: .apiRefused, wait: left))
            }
        }
        waiting.append(exchange)
        isDue = true
    }

    func close(_ exchange: ProxyExchange) {
        count -= 1
        waiting.removeAll { $0 === exchange }
        // An answer that the client has whole ends by itself, and is noted so.
        if !exchange.isDelivered, let (lane, id) = exchange.place, lane.exchanges.removeValue(forKey: id) != nil {
            lane.driver.drop(id)
        }
        isDue = true
    }

    func note(_ head: HTTPResponseHead) {
        guard head.status == 429 || head.status == 503,
            let wait = RateLimit.wait(after: head, now: session.world.seconds), wait > 0
        else { return }
        pause = .now + .seconds(min(wait, head.status == 429 ? 86_400 : Self.longestPause))
    }

    func leak() -> ProxyLeak? {
        guard let token = lanes.last?.driver.token?.token, token.utf8.count >= 8 else { return nil }
        if ofToken?.token != token { ofToken = (token, Redactor(secrets: [token])) }
        return ofToken.map { ProxyLeak(token, reveals: $0.redactor.reveals) }
    }

    func location(_ text: String, for head: ProxyExchange.Head) -> String {
        guard let target = head.url.resolving(written: text), target.origin == base.origin else { return text }
        let (path, inside) = (target.path, base.path == "/" ? "" : base.path)
        guard path == inside || path.hasPrefix(inside + "/") else { return text }
        return head.prefix + path.dropFirst(inside.utf8.count) + (target.query.map { "?\($0)" } ?? "")
            + (target.fragment.map { "#\($0)" } ?? "")
    }

    /// Sends what can be sent, and carries out what need not be waited for. Not inside a step of the engine.
    ///
    /// - Returns: when it is to be called at the latest; nil for when something happens.
    func advance() -> MonotonicTime? {
        isDue = false
        begin()
        var due = refuseLate()
        for lane in lanes {
            do throws(Failure) {
                if let moment = try carryOn(lane) { due = min(due ?? moment, moment) }
            } catch {
                for (id, exchange) in lane.exchanges {
                    exchange.fail(ProxyProblem(error))
                    lane.driver.drop(id)
                }
                lane.exchanges = [:]
            }
        }
        lanes = lanes.dropLast().filter { !$0.exchanges.isEmpty } + lanes.suffix(1)
        if let pause, !waiting.isEmpty { due = min(due ?? pause, pause) }
        return due
    }

    /// Answers requests that have waited too long for others to end.
    ///
    /// - Returns: when the next has.
    private func refuseLate() -> MonotonicTime? {
        guard pause == nil else { return nil }
        while let first = waiting.first(where: \.isReady), first.start + Self.patience <= .now {
            waiting.removeAll { $0 === first }
            first.fail(
                ProxyProblem(
                    status: 503, message: "\(Self.width) requests to the API of \(name) are under way", wait: 1))
        }
        return waiting.first(where: \.isReady).map { $0.start + Self.patience }
    }

    private func begin() {
        if let pause {
            guard pause <= .now else { return }
            self.pause = nil
        }
        while let place = waiting.firstIndex(where: \.isReady),
            lanes.reduce(0, { $0 + $1.exchanges.count }) < Self.width
        {
            let exchange = waiting.remove(at: place)
            do throws(Failure) {
                let lane = try current()
                try renewIfDue(lane)
                let id = lane.driver.add(exchange.request)
                lane.exchanges[id] = exchange
                exchange.place = (lane, id)
            } catch {
                exchange.fail(ProxyProblem(error))
            }
        }
    }

    /// Has the token renewed, if its time is over, which is looked at once a second.
    private func renewIfDue(_ lane: ProxyLane) throws(Failure) {
        let now = session.world.seconds
        guard looked.map({ $0.lane !== lane || $0.second != now }) ?? true else { return }
        looked = (lane, now)
        try lane.driver.renewIfDue()
    }

    /// The lane of the next request. After a renewal that failed it is another one: a person may have logged in again.
    private func current() throws(Failure) -> ProxyLane {
        guard let last = lanes.last, last.driver.renewalFailure == nil else {
            let lane = try lane(try TokenSource(login: name, session, members: ProxySettings.members))
            lanes.append(lane)
            return lane
        }
        return last
    }

    private func carryOn(_ lane: ProxyLane) throws(Failure) -> MonotonicTime? {
        while true {
            switch try lane.driver.event() {
            case .waiting(let end): return end
            case .done: return nil
            case .finished(let id, let outcome):
                guard let exchange = lane.exchanges.removeValue(forKey: id) else { continue }
                switch outcome {
                case .answered(let head, _):
                    lane.driver.keepStepUp(by: head)
                    exchange.finish()
                case .notRenewed:
                    let missing = Failure(.loginNeeded, .loginNeeded, "the API refuses the token of \(name)")
                    exchange.fail(ProxyProblem(lane.driver.renewalFailure ?? missing))
                case .stopped(let error): exchange.fail(ProxyProblem(status: 502, message: error.message))
                case .lost(let error, let isOpen):
                    var failure = Failure(error, stake: .repeatable)
                    if isOpen {
                        (failure.exit, failure.hint) = (.unknownOutcome, "the API may have carried the request out")
                    }
                    exchange.fail(ProxyProblem(failure))
                }
            }
        }
    }

    /// Before the end of the process: what a renewal brings is stored.
    func finish() {
        for lane in lanes {
            lane.driver.finishRenewal()
            session.engine.run(lane.driver.source.keepingNonces())
        }
    }
}
