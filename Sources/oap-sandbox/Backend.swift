internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// Connects the HTTP server and the sandbox, which need each other: the sandbox's URLs contain the server's port.
final class Backend {
    /// The sandbox, once it is made.
    var sandbox: SandboxServer?
    /// The port, once it is known.
    var port = 0

    /// Passes a request to the sandbox, with the current time.
    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        guard isMeant(request) else {
            return LoopbackResponse(
                status: 400, headers: [HTTPField("Content-Type", "text/plain")],
                body: .bytes(Array("the Host field names another server\n".utf8)))
        }
        guard let sandbox else { preconditionFailure("a request is answered before the server runs") }
        let response = sandbox.respond(
            to: SandboxRequest(
                method: request.method, path: request.path, query: request.query, headers: request.headers,
                body: request.body), now: Clock.now)
        return LoopbackResponse(response)
    }

    /// Whether the `Host` of a request is this server. A web page can resolve its own name to this machine (DNS
    /// rebinding) and would then be allowed to read the responses.
    private func isMeant(_ request: LoopbackRequest) -> Bool {
        guard let authority = request.authority?.asciiLowercased else { return false }
        // Clients omit the default port of http.
        return ["127.0.0.1", "localhost", "[::1]"].contains {
            authority == "\($0):\(port)" || port == 80 && authority == $0
        }
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
