internal import Engine
internal import Errands
internal import Glibc
internal import HTTP
internal import Sandbox
internal import System
internal import Wire

/// Fetches the keys of clients while other requests are answered.
final class KeyFetcher {
    /// A request that waits for keys.
    struct Waiting {
        /// The number of its response at the HTTP server.
        let number: Int
        let request: SandboxRequest
        /// What has been fetched since it came.
        var done: Set<KeyFetch> = []
    }

    /// A fetch that has not ended, and the requests that wait for it.
    private struct Job {
        let fetch: KeyFetch
        var waiting: [Waiting]
        var isSent = false
    }

    private let engine: Engine
    private let sandbox: SandboxServer
    private let answer: (Waiting) -> Void
    private var jobs: [Job] = []
    /// When the same fetch may start again.
    private var pauses: [KeyFetch: MonotonicTime] = [:]

    /// The time for a fetch as a whole, in seconds.
    private static let longest: Double = 5
    /// The time from the start of a fetch to the next one of the same keys. A request that needs them again before waits.
    private static let pause = Duration.seconds(1)

    /// Calls `answer` with a request whose keys are there, or cannot be fetched.
    init(_ engine: Engine, for sandbox: SandboxServer, answer: @escaping (Waiting) -> Void) {
        (self.engine, self.sandbox, self.answer) = (engine, sandbox, answer)
    }

    /// How the sandbox reaches the servers of clients.
    static func options() -> TransportOptions {
        var options = TransportOptions { getenv($0).map { String(cString: $0) } }
        options.maximumTime = longest
        options.userAgent = "oap-sandbox"
        // An idle connection would keep a server with one thread from serving others.
        options.keepsConnection = false
        return options
    }

    /// Lets a request wait for keys that are fetched after it came, since they may have changed just before.
    func add(_ waiting: Waiting, for fetch: KeyFetch) {
        if let index = jobs.firstIndex(where: { $0.fetch == fetch && !$0.isSent }) {
            jobs[index].waiting.append(waiting)
        } else {
            jobs.append(Job(fetch: fetch, waiting: [waiting]))
            if jobs.count(where: { $0.fetch == fetch }) == 1 { start(fetch) }
        }
    }

    /// Starts a fetch when its time has come; one at a time for the same keys.
    private func start(_ fetch: KeyFetch) {
        let now = MonotonicTime.now
        pauses = pauses.filter { $0.value > now }
        let message = HTTPRequest(
            method: "GET", url: fetch.url, headers: [HTTPField("Accept", "application/jwk-set+json, application/json")])
        var request = ServerRequest(message: message)
        request.maximumBody = KeyFetch.limit
        let errand = Errand<ServerRequest.Result>.pause(until: pauses[fetch] ?? now) { [self, request] in
            pauses[fetch] = .now + Self.pause
            if let index = jobs.firstIndex(where: { $0.fetch == fetch }) { jobs[index].isSent = true }
            return .send(request) { result, _ in .done(result) }
        }
        engine.start(errand) { [self] result in finish(fetch, Self.document(of: result)) }
    }

    /// Answers the requests that waited for a fetch; the others wait for other keys.
    private func finish(_ fetch: KeyFetch, _ document: Result<[UInt8], SandboxError>) {
        guard let index = jobs.firstIndex(where: { $0.fetch == fetch && $0.isSent }) else {
            preconditionFailure("a fetch ends that was sent")
        }
        let job = jobs.remove(at: index)
        if let problem = sandbox.keep(document, of: fetch) {
            Diagnostics.tell("warning: client \(fetch.clientID): \(problem)")
        }
        for var waiting in job.waiting {
            waiting.done.insert(fetch)
            if let next = sandbox.keyFetch(for: waiting.request, without: waiting.done) {
                add(waiting, for: next)
            } else {
                answer(waiting)
            }
        }
        serve(fetch)
        if jobs.contains(where: { $0.fetch == fetch }) { start(fetch) }
    }

    /// Answers the requests that came after a fetch had started, and need no other after all.
    private func serve(_ fetch: KeyFetch) {
        guard let index = jobs.firstIndex(where: { $0.fetch == fetch }) else { return }
        let isServed = { [sandbox] (waiting: Waiting) in
            sandbox.keyFetch(for: waiting.request, without: waiting.done) == nil
        }
        let served = jobs[index].waiting.filter(isServed)
        jobs[index].waiting.removeAll(where: isServed)
        if jobs[index].waiting.isEmpty { jobs.remove(at: index) }
        served.forEach(answer)
    }

    private static func document(of response: Result<HTTPResponse, HTTPError>) -> Result<[UInt8], SandboxError> {
        switch response {
        case .success(let response) where response.head.status == 200: .success(response.body)
        case .success(let response):
            .failure(SandboxError("the server answered with status \(response.head.status)"))
        case .failure(let error): .failure(SandboxError(error.message))
        }
    }
}
