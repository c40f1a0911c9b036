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
