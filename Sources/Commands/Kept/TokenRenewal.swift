internal import Calls
internal import Glibc
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// One renewal of a stored token: hold the lock, load, decide, reserve room, send, save, release. Waiting and sending are
/// left to the caller, which may have other transfers to carry on; everything else happens within a step.
final class TokenRenewal {
    /// What the caller does next.
    enum Step {
        /// Wait until then, and ask for the next step: another process has the lock.
        case pause(until: MonotonicTime)
        /// Send this request, and report its result with `receive`.
        case send(ServerRequest)
        /// The document of the token that is meant, as it is kept now; or exit 8 where a person must log in, every
        /// failure of the request, exit 11.
        case finished(Result<JSONObject, Failure>)
    }

    private let token: ManagedToken
    private let reason: RenewalReason
    private let options: [MemberOption]
    private let narrower: String?
    private let extra: [(name: String, value: String)]
    private let isStrict: Bool

    /// The longest wait for the lock, in seconds: as long as the request of the process that holds it may take.
    private let patience: Int
    private let end: MonotonicTime
    /// The pause before the next attempt to get the lock, in milliseconds.
    private var pause = 5
    /// What the stored token looked like at the last look.
    private var stamp: FileStamp?
    private var held: (any HeldToken & ~Copyable)?
    private var kept: JSONObject = [:]
    /// The search for an endpoint that is missing.
    private var search: IssuerSearch?
    private var exchange: TokenExchange?
    /// Whether the grant is that of a refresh token.
    private var isRefresh = true
    /// The client secret that is sent, or its file, as the token document or the profile has it.
    private var secret: (name: String, value: JSON)?
    /// The refresh token that is sent.
    private var sent: String?
    /// Whether the token request may have left: the token of the response must be saved, whatever happens.
    private var isSending = false
    /// The request that is under way, and its retries.
    private var sending: (request: ServerRequest, exchange: EndpointExchange)?
    /// Whether the refresh token was refused once, while another machine stored a newer one.
    private var isLast = false

    /// A renewal that has not begun.
    ///
    /// - Parameters:
    ///   - options: the options of the command that are members.
    ///   - narrower: a scope to ask for, within the granted one.
    ///   - extra: further parameters of the request.
    ///   - isStrict: whether a token that is still good is not used, with a warning, after a failure.
    init(
        of token: ManagedToken, because reason: RenewalReason, options: [MemberOption] = MemberOption.ofRenewal,
        narrower: String? = nil, extra: [(name: String, value: String)] = [], isStrict: Bool = false
    ) {
        self.token = token
        self.reason = reason
        self.options = options
        self.narrower = narrower
        self.extra = extra
        self.isStrict = isStrict
        patience = min(StoreLock.patience, token.transport.longestRequest ?? StoreLock.patience)
        end = .now + .seconds(patience)
    }

    /// The first step, and the one after a pause.
    func next() -> Step {
        // After the pause before a retry.
        if let sending { return .send(sending.request) }
        return step { () throws(Failure) in try lock() }
    }

    /// Takes the result of a request, and returns the next step.
    func receive(_ result: ServerRequest.Result) -> Step {
        if let planned = sending?.exchange.receive(result, at: .now) {
            token.transport.diagnostics.tell(planned.retry, of: token.failures.task)
            return .pause(until: planned.end)
        }
        sending = nil
        return step { () throws(Failure) in
            guard isSending else {
                if search?.request != nil {
                    try search?.receive(result)
                    return try prepare()
                }
                try exchange?.receiveKeys(result)
                return try sendRequest()
            }
            switch exchange?.receive(result) {
            case .send(let request): return .send(request)
            case .finished(let outcome): return try settle(outcome)
            case nil: preconditionFailure("a result follows a request")
            }
        }
    }

    /// Carries out all steps, while nothing else runs.
    ///
    /// - Throws: exit 8 where a person must log in, every failure of the request, exit 11.
    func run() throws(Failure) -> JSONObject {
        var step = next()
        while true {
            switch step {
            case .pause(let end):
                Pause.wait(until: end)
                step = next()
            case .send(let request): step = receive(try token.transport.attempt(request))
            case .finished(let result): return try result.get()
            }
        }
    }

    private func step(_ body: () throws(Failure) -> Step) -> Step {
        do throws(Failure) {
            let step = try body()
            if case .send(let request) = step {
                let exchange = EndpointExchange(request.message, isRepeatable: request.isRepeatable, at: .now)
                sending = (request, exchange)
            }
            return step
        } catch {
            return finish(.failure(error))
        }
    }

    private func finish(_ result: Result<JSONObject, Failure>) -> Step {
        if isSending { stopSending() }
        held = nil
        let result = result.map(token.view).mapError(token.failures.explained)
        guard case .failure(let failure) = result, let kept = usable(in: failure) else { return .finished(result) }
        return .finished(.success(kept))
    }

    /// The token as it is kept, with a warning, if it was only due for renewal and is good for a second or more.
    private func usable(in failure: Failure) -> JSONObject? {
        guard !isStrict, case .due = reason, failure.exit != .usage else { return nil }
        let kept = token.view(self.kept.members.isEmpty ? (try? token.load()) ?? [:] : self.kept)
        guard let left = kept["expires_at"]?.integer.map({ $0 - Clock.now }), left > 0, kept["refused_at"] == nil,
            (try? token.transport.diagnostics.warn([token.failures.warning(of: failure, left: left)])) != nil
        else { return nil }
        return kept
    }
}

extension TokenRenewal {
    private func lock() throws(Failure) -> Step {
        held = try Failure.storing { () throws(StoreError) in
            do throws(StoreError) {
                return try token.hold(seconds: 0)
            } catch {
                guard case .locked(let path, _) = error else { throw error }
                guard end > .now else { throw .locked(path: path, seconds: patience) }
                return nil
            }
        }
        guard held != nil else { return try wait() }
        kept = try withHeld(token.load)
        return try applies(reason, to: kept) ? try prepare() : finish(.success(kept))
    }

    /// Waits longer from attempt to attempt, since thousands may wait. A token that has changed meanwhile is looked at
    /// without the lock: so those who wait for it do not wait for each other.
    private func wait() throws(Failure) -> Step {
        let now = token.stamp
        if let now, now != stamp {
            stamp = now
            let found = try token.load()
            if try !applies(reason, to: found) { return finish(.success(found)) }
        }
        defer { pause = min(pause * 2, 80) }
        return .pause(until: .now + .milliseconds(pause + Int.random(in: 0...pause)))
    }

    /// Makes the request. Whatever can fail is done before the refresh token is used. What the metadata of the issuer adds
    /// is kept, so that the next renewal need not ask for it.
    private func prepare() throws(Failure) -> Step {
        var (grant, input) = try token.renewalGrant(of: kept, options: options, narrower: narrower, extra: extra)
        isRefresh = grant.kind.renews
        secret = input.ownSecret
        let needed = try lift(try TokenRequest.metadata(for: grant, of: input.document))
        if search == nil {
            search = try IssuerSearch(for: input.document, needing: needed, over: token.transport)
        }
        if let search {
            if let request = search.request { return .send(request) }
            let found = try search.members(for: input.document)
            input = input.adding(found)
            for member in found.members { kept[member.name] = member.value }
        }
        let exchange = try TokenExchange(grant, input: input, over: token.transport)
        sent = grant.parameters["refresh_token"]
        self.exchange = exchange
        _ = try token.transport.client()
        if let request = exchange.keysRequest { return .send(request) }
        return try sendRequest()
    }

    /// Reserves room for the new document, which may be larger. Signals that would end the process are held until the
    /// token is saved.
    private func sendRequest() throws(Failure) -> Step {
        let count = JSON.object(kept).bytes.count + 65_536
        try withHeld { (held) throws(Failure) in
            try Failure.storing { () throws(StoreError) in try held.reserve(count) }
        }
        guard let request = try exchange?.tokenRequest() else { preconditionFailure("the exchange is prepared") }
        Signals.hold()
        isSending = true
        return .send(request)
    }

    private func settle(_ outcome: TokenExchange.Outcome) throws(Failure) -> Step {
        guard let exchange else { preconditionFailure("an outcome follows a request") }
        if case .refused(let error) = outcome, error.kind == .refreshRefused {
            stopSending()
            return try goOn(after: exchange.failure(error))
        }
        if isRefresh, case .unusable(let failure, let rotated?) = outcome {
            // It has replaced the one that was sent, whatever is wrong with the rest of the response.
            try save(kept.setting("refresh_token", to: .string(rotated)).setting("refresh_token_file", to: nil))
            throw failure
        }
        let issued = try exchange.token(of: outcome)
        kept = token.part?.document(of: kept, adding: issued, now: Clock.now) ?? issued.document(from: kept)
        if let secret { kept = Input.replacingSecret(of: kept, by: secret) }
        try save(kept)
        return finish(.success(kept))
    }

    /// A refused refresh token may have been renewed by a process on another machine, which shares the store but not the
    /// lock: then its token is used, or renewed once if it has expired. Otherwise the refresh token is dropped, and
    /// nothing else: the access token is used until it expires.
    private func goOn(after failure: Failure) throws(Failure) -> Step {
        kept = try withHeld(token.load)
        let now = try token.input(options, members: kept).secret("refresh_token")
        guard let now, let sent, !now.isIdentical(to: sent) else {
            // What is wrong may be the other token that was asked for.
            guard token.part == nil else { throw failure }
            if now != nil {
                kept.remove(["refresh_token", "refresh_token_file", "refresh_token_expires_at"])
                kept["refresh_refused_at"] = .integer(Clock.now)
                try save(kept)
            }
            guard TokenDocument.isRenewable(kept, now: Clock.now) else { throw failure }
            return try prepare()
        }
        guard try !isLast && applies(.due(minimum: 0, seen: nil), to: kept) else {
            return finish(.success(kept))
        }
        isLast = true
        return try prepare()
    }

    private func applies(_ reason: RenewalReason, to kept: JSONObject) throws(Failure) -> Bool {
        try lift(try reason.applies(to: token.view(kept), now: Clock.now))
    }

    private func save(_ document: JSONObject) throws(Failure) {
        let bytes = JSON.object(document).bytes + [0x0A]
        try withHeld { (held) throws(Failure) in
            try Failure.storing { () throws(StoreError) in try held.write(bytes) }
        }
    }

    /// Releases the room that is left and the signals that were held.
    private func stopSending() {
        isSending = false
        if let token = held.take() {
            token.releaseRoom()
            held = consume token
        }
        Signals.release()
    }

    /// A value that cannot be copied is not borrowed from a property: it is taken out and put back.
    private func withHeld<Value>(
        _ body: (borrowing any HeldToken & ~Copyable) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let token = held.take() else { preconditionFailure("the lock is held from its step to the last") }
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try body(token))
        } catch {
            result = .failure(error)
        }
        held = consume token
        return try result.get()
    }
}
