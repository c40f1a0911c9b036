internal import Calls
internal import HTTP
internal import OAuth
internal import System
internal import Wire

/// Carries out the steps of a call group and of the renewal of its token, over one engine: no transfer waits for another.
///
/// It is a class: libcurl's callbacks reach the call group through it while transfers run.
final class CallDriver {
    /// Makes the receiver of one transfer; the function says whether a head is that of the final response.
    typealias MakeReceiver = (CallGroup.ID, @escaping (HTTPResponseHead) -> Bool) -> CallReceiver

    /// Why the last renewal failed.
    private(set) var renewalFailure: Failure?
    /// The scheme of the token.
    private(set) var scheme: String
    private var group: CallGroup
    private let source: TokenSource
    private let transfers: Transfers
    private let options: TransportOptions
    private let serverOptions: TransportOptions
    private let makeReceiver: MakeReceiver
    private var running: [TransferID: (id: CallGroup.ID, receiver: CallReceiver)] = [:]
    /// The transfers that have ended and were not reported to the group.
    private var ended: ArraySlice<(id: TransferID, failure: HTTPError?)> = []
    private var renewal: Renewal?

    /// A renewal that has begun, and what it waits for.
    private struct Renewal {
        let machine: TokenRenewal
        var pause: MonotonicTime?
        var buffer: ResponseBuffer?
    }

    /// Makes a driver of a group without requests.
    ///
    /// - Parameters:
    ///   - token: the token to begin with; nil if it must be renewed first.
    ///   - options: how to reach the API.
    /// - Throws: exit 11 without libcurl.
    init(
        token: AccessToken?, source: TokenSource, redirects: RedirectPolicy, over transport: Transport,
        options: TransportOptions, makeReceiver: @escaping MakeReceiver
    ) throws(Failure) {
        transfers = try transport.transfers()
        serverOptions = try transport.client().options
        group = CallGroup(token: token, isRenewable: source.isRenewable, redirects: redirects)
        scheme = token?.scheme ?? "Bearer"
        self.source = source
        self.options = options
        self.makeReceiver = makeReceiver
    }

    /// The document that the token came from.
    var document: JSONObject { source.document.members }

    /// Adds a request to the group.
    func add(_ request: APIRequest) -> CallGroup.ID { group.add(request) }

    /// Carries out steps until a request is done.
    ///
    /// - Returns: the request and its outcome; nil if every request is done.
    /// - Throws: exit 2 for a request that cannot be written, exit 11 if a receiver cannot write. A renewal that has
    ///   begun ends before that.
    func next() throws(Failure) -> (id: CallGroup.ID, outcome: CallOutcome)? {
        do throws(Failure) {
            while true {
                switch group.next() {
                case .send(let id, let message, let upload, let isBare):
                    try send(id, message, upload: upload, isBare: isBare)
                case .renew(let reason): renew(because: reason)
                case .finish(let id, let outcome): return (id, outcome)
                case .wait: try wait()
                case .done: return nil
                }
            }
        } catch {
            finishRenewal()
            throw error
        }
    }

    private func send(
        _ id: CallGroup.ID, _ message: HTTPRequest, upload: (any ContentSource)?, isBare: Bool
    ) throws(Failure) {
        let receiver = makeReceiver(id) { self.group.receive($0, for: id) == .deliver }
        do throws(HTTPError) {
            let transfer = try transfers.start(
                message, upload: upload, options: options, withCertificate: !isBare, receiver: receiver)
            running[transfer] = (id, receiver)
        } catch {
            if case .invalidRequest(let reason) = error { throw .usage(reason) }
            group.failed(id, error)
        }
    }

    /// Waits until a transfer has ended or the renewal goes on.
    private func wait() throws(Failure) {
        if ended.isEmpty { ended = transfers.poll(until: renewal?.pause).ended[...] }
        if let (transfer, failure) = ended.popFirst() {
            if let (id, receiver) = running.removeValue(forKey: transfer) {
                try end(id, receiver, failure)
            } else if let renewal, let buffer = renewal.buffer {
                carryOut(renewal.machine.receive(buffer.result(after: failure)))
            }
        } else if let renewal, let pause = renewal.pause, pause <= .now {
            carryOut(renewal.machine.next(isAlone: running.isEmpty))
        }
    }

    private func end(_ id: CallGroup.ID, _ receiver: CallReceiver, _ failure: HTTPError?) throws(Failure) {
        switch failure {
        case nil: group.ended(id)
        case .aborted?:
            // The receiver stopped the transfer: report its write error. Content beyond its limit is not needed.
            if receiver.writeError != nil { finishRenewal() }
            try receiver.checkWriting()
            group.ended(id)
        case let failure?: group.failed(id, failure)
        }
    }
}

extension CallDriver {
    private func renew(because reason: TokenLedger.Reason) {
        let machine = source.renewal(because: reason)
        renewal = Renewal(machine: machine)
        carryOut(machine.next(isAlone: running.isEmpty))
    }

    private func carryOut(_ step: TokenRenewal.Step) {
        switch step {
        case .pause(let end): renewal?.pause = end
        case .send(let request):
            let buffer = ResponseBuffer(limit: ServerRequest.limit)
            renewal?.pause = nil
            renewal?.buffer = buffer
            do throws(HTTPError) {
                _ = try transfers.start(
                    request.message, options: serverOptions, withCertificate: request.withCertificate, receiver: buffer)
            } catch {
                renewal.map { carryOut($0.machine.receive(.failure(error))) }
            }
        case .finished(let result):
            renewal = nil
            do throws(Failure) {
                let token = try source.token(of: try result.get())
                (scheme, renewalFailure) = (token.scheme, nil)
                group.renewed(token)
            } catch {
                renewalFailure = error
                group.renewed(nil)
            }
        }
    }

    /// Carries the renewal to its end before the process ends: its token must be stored.
    private func finishRenewal() {
        while renewal != nil { try? wait() }
    }
}
