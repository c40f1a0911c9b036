import Foundation
import Synchronization
import Wire

/// An authorization server that others wrote, started by its script in `Tests/Peers` and ended with this process.
package final class Peer: Sendable {
    /// The servers there are.
    package enum Server: String, Sendable, CaseIterable {
        case glewlwyd
        case django = "django-oauth-toolkit"
        /// An MCP server, which knows no client or person beforehand, and no OpenID Connect.
        case mcp

        /// Those with clients and persons.
        package static let allCases: [Server] = [.glewlwyd, .django]
    }

    /// What the starter says of the server: `name`, `metadata` (RFC 8414), `clients` (RFC 7591) by `client_id`, `user`,
    /// `ca` (a path, or null without TLS), `quirks`.
    package let description: JSONObject

    private let state: TemporaryDirectory
    private let running: Mutex<RunningProgram?>

    /// Starts a server and waits until it can be used.
    ///
    /// - Parameter settings: the variables of its starter, for example `["TLS": "1"]`.
    /// - Throws: ``ProgramFailure`` when it does not start.
    package init(_ server: Server, settings: [String: String] = [:]) throws {
        state = try TemporaryDirectory()
        let starter = try Self.starter(server, state: state, settings: settings).start()
        do {
            description = try JSON(parsing: starter.firstLine()).object ?? [:]
        } catch var failure as ProgramFailure {
            failure.reason += "; the server's log: " + ((try? state.read("log")) ?? "none")
            throw failure
        }
        running = Mutex(starter)
    }

    deinit { stop() }

    /// The server with these settings, started by the first test that asks for it and stopped when the tests end.
    ///
    /// - Throws: ``ProgramFailure`` when it does not start.
    package static func shared(_ server: Server, settings: [String: String] = [:]) throws -> Peer {
        try started.withLock { started in
            let name = "\(server) \(settings.sorted { $0.key < $1.key })"
            if started.isEmpty { atexit { Peer.started.withLock { $0.removeAll() } } }
            let peer = try started[name] ?? Peer(server, settings: settings)
            started[name] = peer
            return peer
        }
    }

    private static let started = Mutex<[String: Peer]>([:])

    /// The endpoints and the issuer, under their names of RFC 8414.
    package var metadata: JSONObject { description["metadata"]?.object ?? [:] }

    /// The file with the certificate of the server's authority, when it was started with `TLS`.
    package var certificateAuthority: String? { description["ca"]?.string }

    /// What the server has logged so far.
    ///
    /// - Throws: when it has no log.
    package func log() throws -> String { try state.read("log") }

    /// A client document as `oap` reads it: the server's metadata and the client of this name.
    ///
    /// - Throws: ``MissingFixture`` when there is no such client.
    package func client(_ name: String) throws -> JSONObject {
        guard let client = description["clients"]?.object?[name]?.object else { throw MissingFixture(name: name) }
        var document = metadata
        for member in client.members { document[member.name] = member.value }
        return document
    }

    /// Logs in, consents, and gives back the redirect that the client would get.
    ///
    /// - Parameters:
    ///   - url: an authorization URL, or a `verification_uri_complete` (then the last page's URL is given back).
    ///   - denies: whether the person refuses instead.
    /// - Throws: ``ProgramFailure`` when the server does not play along.
    package func authorize(_ url: String, denies: Bool = false) throws -> String {
        var program = Program(path: Self.script("authorize"), arguments: [state.path, url])
        program.environment = ["DENY": denies ? "1" : "0"]
        let result = try program.run()
        guard result.ending == .status(0) else { throw ProgramFailure(reason: "no answer", result: result) }
        return result.text.trimmingCharacters(in: .newlines)
    }

    /// Ends the server and waits for that.
    private func stop() {
        running.withLock { starter in
            starter?.closeInput()
            _ = try? starter?.finish()
            starter = nil
        }
    }

    /// The starter of a server. It runs until its input is closed.
    package static func starter(
        _ server: Server, state: TemporaryDirectory, settings: [String: String] = [:]
    ) -> Program {
        var program = Program(path: script(server.rawValue), arguments: [state.path])
        program.input = .open
        // Where the servers are installed.
        program.environment = ProcessInfo.processInfo.environment.filter {
            ["HOME", "XDG_CACHE_HOME"].contains($0.key)
        }
        program.environment.merge(settings) { _, setting in setting }
        return program
    }

    private static func script(_ name: String) -> String { "\(Fixture.project)/Tests/Peers/\(name)" }
}
