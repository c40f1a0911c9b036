import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// A way in which a kept token is renewed.
enum RenewalCaller: CaseIterable {
    case token
    case call
    case batch
    case watch
    case keepFresh

    /// Whether it goes on after a renewal that failed, and tries again.
    var isPatient: Bool { self == .watch || self == .keepFresh }
}

extension RenewalOutcome {
    /// The exit status where the token that was to be renewed cannot be used any more.
    fileprivate var status: Int {
        switch self {
        case .issued: 0
        case .refused: 8
        case .unavailable, .lost: 12
        case .unusable, .unusableAndRotated: 9
        case .metadataMissing: 10
        case .storeFull: 11
        }
    }

    /// How many token requests the renewal makes.
    fileprivate var requests: Int { self == .metadataMissing || self == .storeFull ? 0 : 1 }

    /// Whether another attempt may bring a token, while the store stays as full as it is.
    fileprivate var mayPass: Bool { self != .issued && self != .refused && self != .storeFull }
}

@Suite("Renewal, everywhere")
struct RenewalEverywhereTests {
    @Test(
        "a renewal of a token that is due and still good is made once, loses nothing, and the best token there is is used",
        arguments: RenewalCaller.allCases, RenewalOutcome.allCases)
    func stillGood(caller: RenewalCaller, outcome: RenewalOutcome) throws {
        let (managed, server) = try home(expiresIn: 40, outcome)
        let before = try managed.stored()
        // Who waits for more attempts has the token of a later one.
        let isRetried = caller.isPatient && outcome.mayPass
        let requests = outcome.requests + (isRetried ? 1 : 0)
        let isRenewed = outcome == .issued || isRetried
        let used = isRenewed ? "at-\(requests)" : "at-0"

        let result = try run(caller, in: managed, outcome, until: used)
        if caller == .watch { result.expect(signal: SIGTERM) } else { result.expect(status: 0) }
        if !caller.isPatient {
            let lines = Array(repeating: used, count: caller == .batch ? 3 : 1)
            result.expect(output: lines.map { $0 + "\n" }.joined())
            let warnings = result.errorText.components(separatedBy: ": warning: ").count - 1
            #expect(warnings == (outcome == .issued ? 0 : 1), "\(result)")
        }
        #expect(server.tokenRequests == requests, "\(result)")
        if isRetried { #expect(try #require(server.pause) > .milliseconds(500), "the server is not stormed") }
        try expectStored(before, renewed: isRenewed ? requests : nil, outcome, in: managed)
        try expectUsable(outcome, isGood: true, in: managed, server)
    }

    @Test(
        "a renewal of a token that has expired is made again after 503 alone, loses nothing, and decides how the command ends",
        arguments: RenewalCaller.allCases, RenewalOutcome.allCases)
    func expired(caller: RenewalCaller, outcome: RenewalOutcome) throws {
        let (managed, server) = try home(expiresIn: -10, outcome)
        let before = try managed.stored()
        let number = outcome == .issued ? 1 : outcome == .unavailable ? 2 : nil
        let result = try run(caller, in: managed, outcome, until: number.map { "at-\($0)" })
        if caller == .watch && number != nil {
            result.expect(signal: SIGTERM)
        } else {
            result.expect(status: number == nil ? outcome.status : 0)
        }
        #expect(server.tokenRequests == number ?? outcome.requests, "\(result)")
        let calls = server.responder.requests.count { $0.target == "/me" }
        let expected = number == nil ? 0 : caller == .batch ? 3 : caller == .call ? 1 : 0
        #expect(calls == expected, "nothing is sent without a token: \(result)")
        result.expect(nowhere: "at-0").expect(nowhere: "rt-0").expect(nowhere: "rt-rotated")
        try expectStored(before, renewed: number, outcome, in: managed)
        try expectUsable(outcome, isGood: number != nil, in: managed, server)
    }
}

extension RenewalEverywhereTests {
    /// A home with a token of this server.
    private func home(expiresIn seconds: Int, _ outcome: RenewalOutcome) throws -> (ManagedHome, RenewalServer) {
        let managed = try ManagedHome(expiresIn: seconds)
        let server = try RenewalServer(outcome)
        let end: JSONObject = ["refresh_token_expires_at": .integer(Int(time(nil)) + 9999)]
        try managed.put(try managed.stored().with(server.members).with(end))
        return (managed, server)
    }

    /// Runs a caller to its end. One that would run forever is ended when it hands out a certain token.
    ///
    /// - Parameter token: that token; nil where it ends before it hands out any.
    private func run(
        _ caller: RenewalCaller, in managed: ManagedHome, _ outcome: RenewalOutcome, until token: String?
    ) throws -> ProgramResult {
        let file = managed.home.path("watched")
        let filter = ["-r", "--jq", caller == .batch ? ".body.access_token" : ".access_token"]
        let waiting = "until [ \"$(cat $OAP_TOKEN_FILE 2>/dev/null)\" = '\(token ?? "")' ]; do sleep 0.02; done"
        let words: [String] =
            switch caller {
            case .token: ["token", "work"]
            case .call: ["call", "-p", "work", "/me"] + filter
            case .batch: ["call", "--batch", "-p", "work", "--parallel", "1"] + filter
            case .watch: ["token", "work", "--watch", "-o", file]
            case .keepFresh: ["run", "work", "--keep-fresh", "--", "sh", "-c", waiting]
            }
        var program = managed.oap(words)
        program.deadline = .seconds(20)
        if caller == .batch { program.input = .text(String(repeating: #"{"url":"/me"}"# + "\n", count: 3)) }
        if outcome == .storeFull {
            program.environment.merge(try FaultLibrary.fault("posix_fallocate", ENOSPC)) { $1 }
        }
        let running = try program.start()
        if caller == .watch, token != nil {
            var wait = Program.shell(waiting, environment: ["OAP_TOKEN_FILE": file])
            wait.deadline = .seconds(20)
            try wait.run().expect(status: 0)
            running.send(signal: SIGTERM)
        }
        return try running.finish()
    }

    /// Expects the store to hold what the renewal left of the token that was there before it.
    ///
    /// - Parameter number: the number of the token request that brought the token; nil where none did.
    private func expectStored(
        _ before: JSONObject, renewed number: Int?, _ outcome: RenewalOutcome, in managed: ManagedHome
    ) throws {
        let stored = try managed.stored()
        if let number {
            #expect(stored["access_token"] == .string("at-\(number)"))
            #expect(stored["refresh_token"] == .string("rt-\(number)"))
            #expect(stored["team"] == before["team"])
            #expect((stored["expires_at"]?.integer ?? 0) > Int(time(nil)) + 3000)
        } else if outcome == .refused {
            var rest = before
            rest.remove(["refresh_token", "refresh_token_expires_at"])
            rest["refresh_refused_at"] = stored["refresh_refused_at"]
            #expect(stored == rest)
            #expect(stored["refresh_refused_at"]?.integer != nil)
        } else if outcome == .unusableAndRotated {
            // Nobody knows the end of the new one.
            let rotated = before.with(["refresh_token": "rt-rotated"])
            #expect(stored == rotated.setting("refresh_token_expires_at", to: nil))
        } else {
            #expect(stored == before)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: managed.folder).sorted()
        #expect(files == ["work.json", "work.lock"])
    }

    /// Expects the next command to get a token, where the server has one left to give.
    ///
    /// - Parameter isGood: whether the token that is stored can be used as it is.
    private func expectUsable(
        _ outcome: RenewalOutcome, isGood: Bool, in managed: ManagedHome, _ server: RenewalServer
    ) throws {
        let before = server.tokenRequests
        let stored = try managed.stored()["access_token"]?.string ?? ""
        let next = try managed.oap("token", "work").run()
        if outcome == .refused {
            #expect(server.tokenRequests == before)
            if isGood { next.expect(status: 0).expect(output: "at-0\n") } else { next.expect(status: 8) }
            return
        }
        // A token that is due is renewed now, one that was renewed serves.
        let number = stored == "at-0" ? before + 1 : before
        next.expect(status: 0).expect(output: "at-\(number)\n")
        #expect(server.tokenRequests == number)
    }
}
