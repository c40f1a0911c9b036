internal import Glibc
internal import HTTP
internal import Sandbox
internal import System
internal import Wire

/// Fetches the keys of clients while other requests are answered, all on one thread (libcurl's multi interface).
final class KeyFetcher {
    /// A request that waits for keys.
    struct Waiting {
        /// The number of its response at the HTTP server.
        let number: Int
        /// The request.
        let request: SandboxRequest
        /// What has been fetched since it came.
        var done: Set<KeyFetch> = []
    }

    /// A fetch that has not ended, and the requests that wait for it.
    private struct Job {
        let fetch: KeyFetch
        /// When it may start.
        let due: MonotonicTime
        var waiting: [Waiting]
        /// The transfer, once it has started.
        var transfer: (id: TransferID, buffer: ResponseBuffer)?
    }

    private var jobs: [Job] = []
    /// When the same fetch may start again.
    private var pauses: [KeyFetch: MonotonicTime] = [:]
    private var transfers: Transfers?

    /// The time for a fetch as a whole, in seconds.
    private static let longest: Double = 5
    /// The time from the start of a fetch to the next one of the same keys. A request that needs them again before waits.
    private static let pause = Duration.seconds(1)

    /// Whether a request waits.
    var isBusy: Bool { !jobs.isEmpty }

    /// When the next fetch may start; nil if all have started, or wait for the end of one of the same keys.
    private var nextMoment: MonotonicTime? {
        jobs.lazy.filter { $0.transfer == nil && !self.isRunning($0.fetch) }.map(\.due).min()
    }

    /// Lets a request wait for keys that are fetched after it came, since they may have changed just before.
    func add(_ waiting: Waiting, for fetch: KeyFetch) {
        if let index = jobs.firstIndex(where: { $0.fetch == fetch && $0.transfer == nil }) {
            jobs[index].waiting.append(waiting)
        } else {
            jobs.append(Job(fetch: fetch, due: pauses[fetch] ?? .now, waiting: [waiting]))
        }
    }

    /// Carries the fetches on until something happens, or until a moment.
    ///
    /// - Parameters:
    ///   - background: what goes on meanwhile; it may add requests.
    ///   - sandbox: takes what was fetched.
    /// - Returns: the requests that can be answered.
    func advance(
        until moment: MonotonicTime?, beside background: Transfers.Background, for sandbox: SandboxServer
    ) -> [Waiting] {
        var answerable = start(for: sandbox)
        // Where all fetches wait for their time, there may be none: an empty one waits for the descriptors all the same.
        guard answerable.isEmpty, let transfers = transfers ?? (try? Transfers()) else { return answerable }
        transfers.background = background
        let end = [moment, nextMoment].compactMap(\.self).min()
        let ended = transfers.poll(until: end, waking: Transfers.Waking()).ended
        transfers.background = nil
        for (id, failure) in ended {
            guard let index = jobs.firstIndex(where: { $0.transfer?.id == id }),
                let buffer = jobs[index].transfer?.buffer
            else { preconditionFailure("a transfer that no fetch has started ends") }
            let document = Self.document(of: buffer.result(after: failure))
            answerable += finish(jobs.remove(at: index), document, for: sandbox)
        }
        // An idle connection would keep a server with one thread from serving others.
        if jobs.isEmpty { self.transfers = nil }
        return answerable
    }

    /// Starts the fetches that are due, one at a time for the same keys.
    ///
    /// - Returns: the requests whose keys cannot be fetched.
    private func start(for sandbox: SandboxServer) -> [Waiting] {
        var answerable: [Waiting] = []
        let now = MonotonicTime.now
        pauses = pauses.filter { $0.value > now }
        while let index = jobs.firstIndex(where: { job in
            job.transfer == nil && job.due <= now && !isRunning(job.fetch)
        }) {
            do throws(HTTPError) {
                jobs[index].transfer = try send(jobs[index].fetch)
                pauses[jobs[index].fetch] = now + Self.pause
            } catch {
                let failed = jobs.remove(at: index)
                answerable += finish(failed, .failure(KeyFetchFailure(error.message)), for: sandbox)
            }
        }
        return answerable
    }

    private func isRunning(_ fetch: KeyFetch) -> Bool { jobs.contains { $0.fetch == fetch && $0.transfer != nil } }

    private func send(_ fetch: KeyFetch) throws(HTTPError) -> (TransferID, ResponseBuffer) {
        let transfers = if let made = self.transfers { made } else { try Transfers() }
        self.transfers = transfers
        var options = TransportOptions { getenv($0).map { String(cString: $0) } }
        options.maximumTime = Self.longest
        options.userAgent = "oap-sandbox"
        let request = HTTPRequest(
            method: "GET", url: fetch.url, headers: [HTTPField("Accept", "application/jwk-set+json, application/json")])
        let buffer = ResponseBuffer(limit: KeyFetch.limit)
        return (try transfers.start(request, options: options, receiver: buffer), buffer)
    }

    /// - Returns: the requests that can be answered; the others wait for other keys.
    private func finish(
        _ job: Job, _ document: Result<[UInt8], KeyFetchFailure>, for sandbox: SandboxServer
    ) -> [Waiting] {
        if let problem = sandbox.keep(document, of: job.fetch) {
            Diagnostics.tell("warning: client \(job.fetch.clientID): \(problem)")
        }
        var answerable: [Waiting] = []
        for var waiting in job.waiting {
            waiting.done.insert(job.fetch)
            if let next = sandbox.keyFetch(for: waiting.request, without: waiting.done) {
                add(waiting, for: next)
            } else {
                answerable.append(waiting)
            }
        }
        return answerable + takeServed(by: job.fetch, sandbox)
    }

    /// Takes the requests that came after a fetch had started, and need no other after all.
    private func takeServed(by fetch: KeyFetch, _ sandbox: SandboxServer) -> [Waiting] {
        guard let index = jobs.firstIndex(where: { $0.fetch == fetch }) else { return [] }
        func isServed(_ waiting: Waiting) -> Bool {
            sandbox.keyFetch(for: waiting.request, without: waiting.done) == nil
        }
        let served = jobs[index].waiting.filter(isServed)
        jobs[index].waiting.removeAll(where: isServed)
        if jobs[index].waiting.isEmpty { jobs.remove(at: index) }
        return served
    }

    private static func document(of response: Result<HTTPResponse, HTTPError>) -> Result<[UInt8], KeyFetchFailure> {
        switch response {
        case .success(let response) where response.head.status == 200: .success(response.body)
        case .success(let response):
            .failure(KeyFetchFailure("the server answered with status \(response.head.status)"))
        case .failure(let error): .failure(KeyFetchFailure(error.message))
        }
    }
}
