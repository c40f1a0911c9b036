internal import Engine
internal import HTTP
internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// Connects the HTTP server and the sandbox, which need each other: the sandbox's URLs contain the server's port.
final class Backend {
    /// The sandbox, once it is made, and what fetches the keys that it needs.
    private var made: (sandbox: SandboxServer, fetcher: KeyFetcher)?
    private let log: RequestLog
    /// The number of the last request that waits for keys.
    private var lastNumber = 0
    /// The hosts that a `Host` field may name. The port does not matter: some clients leave it out (Perl's Net::OAuth2), and
    /// so does a proxy (nginx with `$host`).
    private var hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    init(log: RequestLog) { self.log = log }

    /// Lets a `Host` field name the issuer: a proxy in front may pass the name that its clients use.
    func allow(issuer: String) { if let host = WebURL(issuer)?.host { hosts.insert(host) } }

    /// Passes a request to the sandbox, with the current time; at once, or when the keys are there that it needs.
    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        guard isMeant(request) else {
            let reason = "the Host field names another server"
            refuse(request.method, request.path, status: 400, reason)
            return LoopbackResponse(
                status: 400, headers: [HTTPField("Content-Type", "text/plain")], body: .bytes(Array("\(reason)\n".utf8))
            )
        }
        let request = SandboxRequest(
            method: request.method, path: request.path, query: request.query, headers: request.headers,
            body: request.body, certificate: request.certificate.map { ClientCertificate($0) })
        guard let fetch = running.sandbox.keyFetch(for: request) else { return carryOut(request) }
        lastNumber += 1
        running.fetcher.add(KeyFetcher.Waiting(number: lastNumber, request: request), for: fetch)
        var response = LoopbackResponse(status: 503)
        response.heldAs = lastNumber
        return response
    }

    func begin(_ sandbox: SandboxServer, _ engine: Engine, answering server: LoopbackServer) {
        let fetcher = KeyFetcher(engine, for: sandbox) { [unowned self] waiting in
            server.answerHeld(waiting.number, with: carryOut(waiting.request))
        }
        made = (sandbox, fetcher)
    }

    private var running: (sandbox: SandboxServer, fetcher: KeyFetcher) {
        guard let made else { preconditionFailure("a request is answered before the server runs") }
        return made
    }

    private func carryOut(_ request: SandboxRequest) -> LoopbackResponse {
        let sandbox = running.sandbox
        let response = sandbox.respond(to: request, now: Clock.now)
        if let fault = sandbox.idleFault {
            Diagnostics.tell("warning: the fault \(fault) changed nothing: the response has no such member")
        }
        if log.isWanted { log.write(sandbox.logEntry(request, response)) }
        return LoopbackResponse(response)
    }

    /// The answer to a request whose path ends with `/early/STATUS`, before its content is read; nil for another.
    func early(_ request: LoopbackRequest) -> LoopbackResponse? {
        let parts = request.path.split(separator: "/")
        guard parts.count > 1, parts[parts.count - 2] == "early", let status = Int(parts[parts.count - 1]),
            (200...599).contains(status), isMeant(request)
        else { return nil }
        return LoopbackResponse(
            status: status, headers: [HTTPField("Content-Type", "text/plain")], body: .bytes(Array("early\n".utf8)))
    }

    /// Records a request that does not reach the sandbox.
    func refuse(_ method: String, _ path: String, status: Int, _ reason: String) {
        log.write([
            "time": .integer(Clock.now), "method": .string(method), "path": .string(path), "status": .integer(status),
            "error_description": .string(reason),
        ])
    }

    /// Whether the `Host` of a request is this server. A web page can resolve its own name to this machine (DNS
    /// rebinding) and would then be allowed to read the responses.
    private func isMeant(_ request: LoopbackRequest) -> Bool {
        guard let url = request.authority.flatMap({ WebURL("http://\($0)/") }), url.userinfo == nil, url.path == "/",
            url.query == nil, url.fragment == nil
        else { return false }
        return url.host.map(hosts.contains) ?? false
    }
}

extension ClientCertificate {
    fileprivate init(_ certificate: LoopbackClientCertificate) {
        self.init(
            der: certificate.der, isTrusted: certificate.isTrusted, subject: certificate.subject,
            names: certificate.names)
    }
}

extension LoopbackResponse {
    fileprivate init(_ response: SandboxResponse) {
        self.init(status: response.status, headers: response.headers)
        delay = .milliseconds(Int64(response.delay * 1000))
        switch response.content {
        case .bytes(let bytes): body = .bytes(bytes)
        case .filler(let filler):
            body = .filler(filler)
            trailers = filler.trailer.map { [$0] } ?? []
        case .truncated(let bytes, let announced):
            var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
            body = .generated(length: announced) {
                defer { rest = nil }
                return rest.map { .bytes($0) } ?? .end
            }
        case .reset: body = .reset
        }
    }
}

extension LoopbackBody {
    /// Bytes of the pattern, a block at a time.
    fileprivate static func filler(_ filler: SandboxResponse.Filler) -> LoopbackBody {
        let block = Array(repeatElement(SandboxResponse.pattern, count: 1024).joined())
        // A slow body comes in twenty parts.
        let part = filler.seconds > 0 ? max(filler.count / 20, 1) : block.count
        var (sent, hasPaused) = (0, false)
        return .generated(length: filler.isChunked ? nil : filler.count) {
            if let place = filler.reset, sent >= place { return .reset }
            guard sent < filler.count else { return .end }
            if filler.seconds > 0, sent > 0, !hasPaused {
                hasPaused = true
                return .pause(.seconds(filler.seconds * Double(part) / Double(filler.count)))
            }
            hasPaused = false
            let place = sent % SandboxResponse.pattern.count
            let size = min(part, block.count - place, filler.count - sent, filler.reset.map { $0 - sent } ?? .max)
            sent += size
            return .bytes(Array(block[place..<place + size]))
        }
    }
}
