import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Many more processes than a person starts, over one token that has expired; one crowd at a time.
@Suite("A crowd over one expired token", .serialized)
struct CrowdTests {
    /// How many processes want the token; the answer waits for the last of them, so that few race as many do.
    private static let count = Extent.of(100, all: 5000)
    /// How many there are where some are killed.
    private static let killable = Extent.of(100, all: 300)
    /// How many of these are not killed.
    private static let left = killable / 5 * 4
    /// How the token is renewed.
    enum Way: CaseIterable {
        case refreshToken, machine
        /// Another token of a login, by its refresh token.
        case derived

        var options: String { self == .derived ? "--scope b" : "" }
    }

    @Test("one request is made for a crowd of processes, which all get the new token", arguments: Way.allCases)
    func one(way: Way) throws {
        let crowd = try Crowd(way)
        let running = try crowd.start(Self.count, kills: false)
        crowd.answer.open()
        #expect(try running.finish().expect(status: 0).text.split(separator: "\n") == ["\(Self.count) 0"])
        let lines = try crowd.managed.home.read("out").split(separator: "\n")
        #expect(lines.count == Self.count && Set(lines) == ["at-new"])
        #expect(crowd.endpoint.requests.count == 1)
    }

    @Test(
        "nothing is lost and none hangs where a fifth of a crowd is killed at random moments",
        arguments: Way.allCases)
    func killed(way: Way) throws {
        let crowd = try Crowd(way)
        let running = try crowd.start(Self.killable, kills: true)
        crowd.answer.open()
        let counts = try running.finish().expect(status: 0).text.split(separator: "\n").reduce(into: [String: Int]()) {
            let pair = $1.split(separator: " ")
            $0[String(pair[1])] = Int(pair[0])
        }
        // What was killed has status 137; some had ended before.
        #expect(counts.keys.allSatisfy { ["0", "137"].contains($0) } && (counts["0"] ?? 0) >= Self.left, "\(counts)")
        let lines = try crowd.managed.home.read("out").split(separator: "\n")
        #expect(Set(lines) == ["at-new"] && lines.count >= Self.left)
        let stored = try crowd.managed.stored()
        #expect(stored["refresh_token"] == "rt-new")
        let derived = stored["derived_tokens"]?.array?.first?.object
        #expect((way == .derived ? derived : stored)?["access_token"] == "at-new")
        let words = ["token", "work"] + way.options.split(separator: " ").map(String.init)
        #expect(try crowd.managed.oap(words).run().expect(status: 0).text == "at-new\n")
    }

    @Test("a process waits for the lock no longer than all attempts may take, and then uses a token that is still good")
    func bounded() throws {
        for (seconds, options, wait) in [
            (30, [], 1), (-10, ["--retry", "0"], 1), (-10, ["--retry-max-time", "1"], 2),
        ] {
            let status = seconds > 0 ? 0 : 6
            let managed = try ManagedHome(expiresIn: seconds)
            let holder = open(managed.lock, O_RDWR | O_CREAT, 0o600)
            defer { close(holder) }
            #expect(flock(holder, LOCK_EX) == 0)
            var program = managed.oap(["token", "work", "--min-ttl", "60", "-m", "1"] + options)
            program.deadline = .seconds(20)
            let result = try program.run().expect(status: status)
            #expect(result.errorText.contains("has been locked by another process for \(wait) seconds"), "\(result)")
            #expect(result.text == (status == 0 ? "at-0\n" : "") && managed.endpoint.requests.isEmpty)
        }
    }
}

/// A home with an expired token, and a token endpoint that answers when all processes have started.
private struct Crowd {
    let managed: ManagedHome
    let endpoint: Responder
    let answer = Responder.Gate()
    private let way: CrowdTests.Way

    init(_ way: CrowdTests.Way) throws {
        self.way = way
        managed = try ManagedHome()
        let answer = answer
        endpoint = try Responder { _ in
            .json(
                #"{"access_token":"at-new","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-new"}"#
            ).after(answer)
        }
        var token = try managed.stored().with(["token_endpoint": .string(endpoint.url("/token"))])
        if way == .machine {
            token = token.with(["grant_type": "client_credentials", "token_endpoint_auth_method": "none"])
            token["refresh_token"] = nil
        }
        try managed.put(token)
    }

    /// Starts processes from one shell, which counts their statuses when they have ended.
    ///
    /// - Parameter kills: whether a fifth of them is killed, each soon after its start.
    func start(_ count: Int, kills: Bool) throws -> RunningProgram {
        let oap = managed.oap("token", "work")
        var shell = Program.shell(
            """
            pids=()
            for ((i = 0; i < \(count); i++)); do
                "\(oap.path)" token work \(way.options) -m 300 >> "$HOME/out" 2>> "$HOME/err" &
                pids+=($!)
                if \(kills) && ((i % 5 == 4)); then kill -9 "${pids[i - RANDOM % 5]}" 2> /dev/null; fi
            done
            echo all started >&2
            for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null; echo $?; done > "$HOME/statuses"
            sort "$HOME/statuses" | uniq -c | sed 's/^ *//'
            """, environment: ["HOME": managed.home.path])
        shell.deadline = .seconds(300)
        let running = try shell.start()
        _ = try running.errorLine { $0 == "all started" }
        return running
    }
}
