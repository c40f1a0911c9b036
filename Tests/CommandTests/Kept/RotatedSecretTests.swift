import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A client secret that is replaced while oap keeps a token fresh")
struct RotatedSecretTests {
    /// Where the secret is.
    enum Place: CaseIterable {
        /// In a file that the token document names.
        case document
        /// In a file that an option names.
        case option
        /// In a file that a variable names.
        case variable
        /// In a file that a command of the profile prints.
        case command
    }

    /// A token endpoint of which each token lasts two seconds, and what it was sent.
    private struct Server {
        let responder: Responder
        /// Open when it has been asked twice.
        let twice = Responder.Gate()

        /// - Parameter rotate: called before the first answer.
        init(_ rotate: @escaping @Sendable () -> Void) throws {
            let count = Mutex(0)
            let twice = twice
            responder = try Responder { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { rotate() } else { twice.open() }
                return .json(#"{"access_token":"at-\#(number)","token_type":"Bearer","expires_in":2}"#)
            }
        }

        /// The credentials of the first two requests.
        var credentials: [String] {
            responder.requests.prefix(2).map {
                let text = ($0.headers.first("Authorization") ?? "").dropFirst("Basic ".count)
                return String(decoding: Data(base64Encoded: String(text)) ?? Data(), as: UTF8.self)
            }
        }
    }

    /// A home with a token that has expired, of a client with a secret.
    private func home(_ server: Server) throws -> ManagedHome {
        let managed = try ManagedHome()
        try managed.put(
            try managed.stored().with([
                "token_endpoint": .string(server.responder.url("/token")),
                "token_endpoint_auth_method": "client_secret_basic",
            ]))
        return managed
    }

    /// The command that keeps the token of a home fresh.
    private func words(_ managed: ManagedHome, watches: Bool) -> [String] {
        watches
            ? ["token", "work", "--watch", "-o", managed.home.path("watched")]
            : ["run", "work", "--keep-fresh", "--", "sh", "-c", "while :; do sleep 0.02; done"]
    }

    @Test(
        "a secret that is replaced in its file is sent with the next renewal", arguments: Place.allCases, [true, false])
    func rotated(place: Place, watches: Bool) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("secret-one", to: "secret")
        chmod(file, 0o600)
        let server = try Server { _ = try? folder.write("secret-two", to: "secret") }
        let managed = try home(server)
        var words = words(managed, watches: watches)
        var environment: [String: String] = [:]
        switch place {
        case .document: try managed.put(try managed.stored().with(["client_secret_file": .string(file)]))
        case .option: words.insert(contentsOf: ["--client-secret-file", file], at: 2)
        case .variable: environment["OAP_CLIENT_SECRET_FILE"] = file
        case .command:
            let profile = managed.home.path(".config/oap/profiles/work.json")
            try managed.home.write(
                #"{"client_id":"c","client_secret_command":["cat","\#(file)"]}"#,
                to: ".config/oap/profiles/work.json")
            chmod(profile, 0o600)
        }
        var program = managed.oap(words)
        program.environment.merge(environment) { $1 }
        let running = try program.start()
        #expect(server.twice.wait())
        running.send(signal: SIGTERM)
        let result = try running.finish().expect(signal: SIGTERM)
        #expect(server.credentials == ["c:secret-one", "c:secret-two"], "\(result)")
    }

    @Test(
        "a secret that came through a pipe, which can be read once, is sent with every renewal",
        arguments: [true, false])
    func pipe(watches: Bool) throws {
        let server = try Server {}
        let managed = try home(server)
        let command = words(managed, watches: watches).map { "'\($0)'" }.joined(separator: " ")
        let options = "--client-secret-file <(printf secret-one)"
        let script = "exec oap \(command.replacing("'work'", with: "'work' \(options)"))"
        let running = try Program.shell(script, environment: ["HOME": managed.home.path]).start()
        #expect(server.twice.wait())
        running.send(signal: SIGTERM)
        let result = try running.finish().expect(signal: SIGTERM)
        #expect(server.credentials == ["c:secret-one", "c:secret-one"], "\(result)")
    }
}
