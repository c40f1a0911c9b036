internal import Glibc
internal import JOSE
internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// The sandbox on a port of 127.0.0.1.
struct Service {
    private let sandbox: SandboxServer
    private let loopback: LoopbackServer

    /// Makes the keys, binds a port and listens.
    ///
    /// - Parameter port: 0 for a free one.
    /// - Throws: with status 6, when the port is in use or a library is missing.
    init(settings: SandboxSettings, port: Int) throws(Failure) {
        let backend = Backend()
        loopback = try Self.listen(port: port) { backend.answer($0) }
        backend.port = loopback.port
        do throws(SandboxError) {
            sandbox = try SandboxServer(
                issuer: "http://127.0.0.1:\(loopback.port)", settings: settings, random: Self.random)
        } catch {
            throw Failure(.unavailable, error.message)
        }
        backend.sandbox = sandbox
    }

    /// The issuer, the prefix of all its URLs.
    var issuer: String { sandbox.issuer }

    /// The client document.
    var clientDocument: JSONObject { sandbox.clientDocument }

    /// Runs until one of the descriptors becomes ready.
    func run(watching descriptors: [Int32]) { _ = loopback.run(watching: descriptors) }

    /// Closes the port and all connections.
    func stop() { loopback.stop() }

    private static func listen(
        port: Int, answer: @escaping (LoopbackRequest) -> LoopbackResponse
    ) throws(Failure) -> LoopbackServer {
        var limits = LoopbackLimits()
        limits.time = .seconds(30)
        limits.connections = 256
        do throws(LoopbackError) {
            return try LoopbackServer(addresses: [.ipv4], port: port, limits: limits, answer: answer)
        } catch {
            throw Failure(.unavailable, error.message, hint: port == 0 ? nil : "without --port, a free port is used")
        }
    }

    private static func random(_ count: Int) -> [UInt8] {
        guard let bytes = try? SecureRandom.bytes(count) else {
            preconditionFailure("the system that made the keys gives no random bytes")
        }
        return bytes
    }
}

/// Connects the HTTP server and the sandbox, which need each other: the sandbox's URLs contain the server's port.
private final class Backend {
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
