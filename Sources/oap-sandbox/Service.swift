internal import Engine
internal import Glibc
internal import HTTP
internal import JOSE
internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// The sandbox on a port of 127.0.0.1.
struct Service {
    private let sandbox: SandboxServer
    private let loopback: LoopbackServer
    private let backend: Backend
    /// Carries out all that the program waits for.
    let engine = Engine(options: KeyFetcher.options, open: { () throws(HTTPError) in try Transfers() })

    /// Makes the keys, binds a port and listens.
    init(_ invocation: Invocation) throws(Failure) {
        let log = try RequestLog(path: invocation.logFile, isVerbose: invocation.isVerbose)
        let backend = Backend(log: log)
        self.backend = backend
        loopback = try Self.listen(invocation, for: backend)
        let isSecure = invocation.certificate != nil
        address = "\(isSecure ? "https" : "http")://127.0.0.1:\(loopback.port)"
        let issuer = invocation.issuer ?? address
        unnamedHost = Self.unnamedHost(of: issuer, in: invocation.certificate)
        backend.allow(issuer: issuer)
        let certificateAddress = try Self.listenForCertificates(invocation, on: loopback).map { port in
            "https://\(WebURL(issuer)?.host ?? "127.0.0.1"):\(port)"
        }
        do throws(SandboxError) {
            sandbox = try SandboxServer(
                issuer: issuer, certificateAddress: certificateAddress, settings: invocation.settings,
                random: Self.random)
        } catch {
            throw Failure(.unavailable, error.message)
        }
        backend.begin(sandbox, engine, answering: loopback)
        engine.add(loopback)
    }

    /// Where it listens.
    let address: String

    /// The host of the issuer, if the certificate lacks it; nil if all is well.
    let unnamedHost: String?

    var clientDocument: JSONObject { sandbox.clientDocument }

    /// Names the faults that were never used.
    ///
    /// - Returns: whether there are any.
    func tellOfUnusedFaults() -> Bool {
        let unused = sandbox.unusedFaults
        for fault in unused { Diagnostics.tell("warning: the fault \(fault) was never used") }
        return !unused.isEmpty
    }

    func stop() {
        engine.remove(loopback)
        loopback.stop()
    }

    private static func unnamedHost(of issuer: String, in certificate: LoopbackCertificate?) -> String? {
        guard let certificate, let url = WebURL(issuer), url.scheme == "https", let name = url.host else { return nil }
        let host = String(name.drop { $0 == "[" }.prefix { $0 != "]" })
        return ServerCertificate.names(host, in: certificate.chain) == false ? host : nil
    }

    private static func listen(_ invocation: Invocation, for backend: Backend) throws(Failure) -> LoopbackServer {
        var limits = LoopbackLimits()
        limits.time = .seconds(30)
        limits.connections = 256
        return try started(invocation.port == 0 ? nil : "without --port, a free port is used") {
            () throws(LoopbackError) in
            try LoopbackServer(
                addresses: [.ipv4], port: invocation.port, limits: limits, certificate: invocation.certificate,
                refused: {
                    backend.refuse($0, $1, status: $2, "the request is malformed or larger than the server takes")
                },
                early: { backend.early($0) }, answer: { backend.answer($0) })
        }
    }

    /// Listens on the port of `--mtls-port`, and returns the port; nil without the option.
    private static func listenForCertificates(
        _ invocation: Invocation, on loopback: LoopbackServer
    ) throws(Failure) -> Int? {
        guard let port = invocation.certificatePort, var certificate = invocation.certificate else { return nil }
        certificate.asksClients = true
        certificate.clientAuthorities = invocation.clientAuthorities
        let asking = certificate
        return try started(port == 0 ? nil : "with --mtls-port 0, a free port is used") { () throws(LoopbackError) in
            try loopback.listen(addresses: [.ipv4], port: port, certificate: asking)
        }
    }

    private static func started<Value>(
        _ hint: String?, _ listen: () throws(LoopbackError) -> Value
    ) throws(Failure) -> Value {
        do throws(LoopbackError) {
            return try listen()
        } catch .certificate(let reason) {
            throw Failure(.fileFailed, LoopbackError.certificate(reason).message)
        } catch {
            throw Failure(
                .unavailable, error.message, hint: hint)
        }
    }

    private static func random(_ count: Int) -> [UInt8] {
        guard let bytes = try? SecureRandom.bytes(count) else {
            preconditionFailure("the system that made the keys gives no random bytes")
        }
        return bytes
    }
}
