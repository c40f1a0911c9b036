internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// Connects the HTTP server and the sandbox, which need each other: the sandbox's URLs contain the server's port.
final class Backend {
    /// The sandbox, once it is made.
    var sandbox: SandboxServer?
    private let log: RequestLog
    /// What a `Host` field may say.
    private var authorities: Set<String> = []

    /// Makes one without a sandbox.
    init(log: RequestLog) { self.log = log }

    /// Adds an address of the server.
    func allow(port: Int, isSecure: Bool, issuer: String) {
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            authorities.insert("\(host):\(port)")
            // Clients omit the default port.
            if port == (isSecure ? 443 : 80) { authorities.insert(host) }
        }
        // A proxy in front may pass the name that its clients use.
        guard let url = WebURL(issuer), let host = url.host else { return }
        authorities.insert(host + (url.port.map { ":\($0)" } ?? ""))
        if let port = url.effectivePort { authorities.insert("\(host):\(port)") }
    }

    /// Passes a request to the sandbox, with the current time.
    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        guard isMeant(request) else {
            return LoopbackResponse(
                status: 400, headers: [HTTPField("Content-Type", "text/plain")],
                body: .bytes(Array("the Host field names another server\n".utf8)))
        }
        guard let sandbox else { preconditionFailure("a request is answered before the server runs") }
        let request = SandboxRequest(
            method: request.method, path: request.path, query: request.query, headers: request.headers,
            body: request.body, certificate: request.certificate.map { ClientCertificate($0) })
        let response = sandbox.respond(to: request, now: Clock.now)
        if let fault = sandbox.idleFault {
            Diagnostics.tell("warning: the fault \(fault) changed nothing: the response has no such member")
        }
        if log.isWanted { log.write(sandbox.logEntry(request, response)) }
        return LoopbackResponse(response)
    }

    /// Whether the `Host` of a request is this server. A web page can resolve its own name to this machine (DNS
    /// rebinding) and would then be allowed to read the responses.
    private func isMeant(_ request: LoopbackRequest) -> Bool {
        request.authority.map { authorities.contains($0.asciiLowercased) } ?? false
    }
}

extension ClientCertificate {
    /// The certificate for the sandbox.
    fileprivate init(_ certificate: LoopbackClientCertificate) {
        self.init(
            der: certificate.der, isTrusted: certificate.isTrusted, subject: certificate.subject,
            names: certificate.names.map { ($0.kind.rawValue, $0.text) })
    }
}

extension LoopbackResponse {
    /// The response for the HTTP server.
    fileprivate init(_ response: SandboxResponse) {
        self.init(status: response.status, headers: response.headers)
        delay = .milliseconds(Int64(response.delay * 1000))
        switch response.content {
        case .bytes(let bytes): body = .bytes(bytes)
        case .filler(let count): body = .filler(count)
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
    /// This many bytes of the pattern, a block at a time.
    fileprivate static func filler(_ count: Int) -> LoopbackBody {
        let block = Array(repeatElement(SandboxResponse.pattern, count: 1024).joined())
        var rest = count
        return .generated(length: count) {
            guard rest > 0 else { return .end }
            let piece = block.prefix(rest)
            rest -= piece.count
            return .bytes(Array(piece))
        }
    }
}
