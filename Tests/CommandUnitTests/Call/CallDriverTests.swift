import Calls
import Foundation
import HTTP
import OAuth
import Redaction
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Requests of one group")
struct CallDriverTests {
    private let folder: TemporaryDirectory
    private let file: String

    init() throws {
        folder = try TemporaryDirectory()
        file = folder.path("token.json")
    }

    /// A driver whose token, a file, the API refuses; each request may take two seconds.
    private func driver(endpoint: Responder) throws -> CallDriver {
        let token: JSONObject = [
            "client_id": "c", "token_endpoint": .string(endpoint.url()), "access_token": "at-0",
            "refresh_token": "rt-0", "token_type": "Bearer", "expires_in": .number("3600"),
            "expires_at": .number(String(Int(Date().timeIntervalSince1970) + 3600)),
        ]
        try JSON.object(token).text.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        let arguments = try CommandTable.program().parse(["call", "--token-file", file, "-m", "2", "/"])
        let session = try Session(
            arguments: arguments, environment: Environment.process, world: .own, interrupts: Signals.interrupts,
            diagnostics: Diagnostics(command: "call", isStrict: false, redactor: Redactor()),
            program: { CommandTable.program() })
        let source = try TokenSource(session, members: [], isAnonymous: false)
        let settings = try CallSettings(arguments)
        return try CallDriver(
            token: try source.token(), source: source, retries: settings.retries, redirects: settings.redirects,
            over: session, options: try session.apiOptions(of: session.transport), notifyRetry: { _, _ in },
            makeReceiver: { _, disposition in
                CallReceiver(sink: .standardOutput, disposition: disposition) { _ in
                    .init(destination: .memory(limit: CallReceiver.limit))
                }
            })
    }

    /// An API that refuses the first token at `/refused`, and answers at `/slow` when that has happened.
    private func api() throws -> Responder {
        let refused = Responder.Gate()
        return try Responder { request in
            if request.target == "/slow" { return .text("slow").after(refused) }
            return request.head.contains("Bearer at-0\r\n")
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
                    .opening(refused) : .text("new token")
        }
    }

    private func add(_ target: String, of api: Responder, to driver: CallDriver) -> CallGroup.ID {
        driver.add(APIRequest(HTTPRequest(method: "GET", url: api.url(target))))
    }

    private func status(_ done: (id: CallGroup.ID, outcome: CallOutcome)?) throws -> (CallGroup.ID, Int) {
        let done = try #require(done)
        guard case .answered(let head, nil) = done.outcome else {
            Issue.record("\(done.outcome)")
            return (done.id, 0)
        }
        return (done.id, head.status)
    }

    @Test("a transfer with a time limit ends well while the renewal waits for the lock of another process")
    func waitForLock() throws {
        let endpoint = try Responder(.json(#"{"access_token":"at-1","token_type":"Bearer"}"#))
        let api = try api()
        let driver = try driver(endpoint: endpoint)
        let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        let slow = add("/slow", of: api, to: driver)
        let refused = add("/refused", of: api, to: driver)
        #expect(try status(driver.next()) == (slow, 200))
        #expect(endpoint.requests.isEmpty)
        close(lock)
        #expect(try status(driver.next()) == (refused, 200))
        #expect(try driver.next() == nil)
        #expect(endpoint.requests.count == 1)
    }

    @Test("a transfer with a time limit ends well while the token endpoint takes its time")
    func slowEndpoint() throws {
        let answer = Responder.Gate()
        let endpoint = try Responder(
            .json(#"{"access_token":"at-1","token_type":"Bearer","refresh_token":"rt-1"}"#).after(answer))
        let api = try api()
        let driver = try driver(endpoint: endpoint)
        let slow = add("/slow", of: api, to: driver)
        let refused = add("/refused", of: api, to: driver)
        #expect(try status(driver.next()) == (slow, 200))
        answer.open()
        #expect(try status(driver.next()) == (refused, 200))
        let stored = try String(contentsOfFile: file, encoding: .utf8)
        #expect(stored.contains("at-1") && stored.contains("rt-1"))
    }
}
