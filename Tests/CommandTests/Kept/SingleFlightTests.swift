import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Many processes that want a token at the moment of expiry, and the one that renews it killed on its way.
@Suite("A token that many want at once")
struct SingleFlightTests {
    /// Where the token is: the lock of a file is that of the store.
    private static let places = Extent.of([ManagedHome.Place.store], all: ManagedHome.Place.allCases)

    @Test(
        "R-07 a token is renewed once for a crowd of processes of all commands, which all get the new one",
        arguments: places)
    func crowd(place: ManagedHome.Place) throws {
        let (managed, api) = (try ManagedHome(place), try ManagedHome.api())
        let count = Extent.of(90, all: 300)
        let running = try (0..<count).map { try managed.asking($0, api: api).start() }
        for process in running { #expect(try process.finish().expect(status: 0).text == "at-1\n") }
        #expect(managed.endpoint.requests.count == 1)
        #expect(api.requests.count == (place == .store ? count / 3 : count / 2))
    }

    @Test("R-07 a token is renewed once for many processes, also where it lives no longer than they want it to")
    func shortLived() throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let managed = try ManagedHome(expiresIn: 1000, arrival: arrival, answer: answer)
        let running = try (0..<20).map { _ in try managed.oap("token", "work", "--min-ttl", "3600").start() }
        #expect(arrival.wait())
        try managed.waitForLock(running)
        answer.open()
        for process in running { #expect(try process.finish().expect(status: 0).text == "at-1\n") }
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test(
        "a renewed token is stored before a signal ends the process; the second signal does not wait",
        arguments: [
            SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGXCPU, SIGPROF, SIGPOLL, SIGPWR,
        ], [false, true])
    func signals(first: Int32, isSecond: Bool) throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let managed = try ManagedHome(arrival: arrival, answer: answer)
        var program = managed.oap("token", "work")
        program.deadline = .seconds(15)  // less than the patience with the server
        let process = try program.start()
        #expect(arrival.wait())
        process.send(signal: first)
        _ = try process.errorLine { $0.contains("waiting for the new token") }
        let second = first == SIGINT ? SIGTERM : SIGINT
        if isSecond { process.send(signal: second) } else { answer.open() }
        let result = try process.finish().expect(signal: isSecond ? second : first)
        #expect(result.output.isEmpty)
        answer.open()
        #expect(try managed.stored()["access_token"] == (isSecond ? "at-0" : "at-1"))
        try managed.oap("token", "work").run().expect(status: isSecond ? 8 : 0)
    }

    @Test("a signal that comes twice at once, as timeout(1) sends it, is one signal")
    func doubledSignal() throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let managed = try ManagedHome(arrival: arrival, answer: answer)
        let process = try managed.oap("token", "work").start()
        #expect(arrival.wait())
        process.send(signal: SIGTERM)
        _ = try process.errorLine { $0.contains("waiting for the new token") }
        process.send(signal: SIGTERM)
        answer.open()
        try process.finish().expect(signal: SIGTERM)
        #expect(try managed.stored()["access_token"] == "at-1")
    }

    /// Where the process that holds the lock dies: the system call that is not carried out any more.
    struct End: CustomTestStringConvertible {
        let testDescription: String
        let call: String
        var number = 1
        let isSpent: Bool
        let isStored: Bool
        /// The length of the temporary file at that moment; nil without one.
        var draft: ClosedRange<Int>?

        /// The room that is kept on the disk until the new token is there.
        private static let room = 65_536...100_000

        static let all = [
            End(testDescription: "before it connects", call: "connect", isSpent: false, isStored: false, draft: room),
            End(
                testDescription: "before it sends the request", call: "sendto", isSpent: false, isStored: false,
                draft: room),
            End(
                testDescription: "before it reads the answer", call: "recvfrom", isSpent: true, isStored: false,
                draft: room),
            End(
                testDescription: "before it writes the new token", call: "write", isSpent: true, isStored: false,
                draft: room),
            End(
                testDescription: "before the new token is on the disk", call: "fsync", isSpent: true, isStored: false,
                draft: 100...1000),
            End(
                testDescription: "before the new token takes the old one's place",
                call: "?rename,?renameat,?renameat2", isSpent: true, isStored: false, draft: 100...1000),
            End(
                testDescription: "before the folder is on the disk", call: "fsync", number: 2, isSpent: true,
                isStored: true),
            End(testDescription: "before it prints", call: "write", number: 2, isSpent: true, isStored: true),
        ]
    }

    @Test(
        "a token outlives the process that is killed while it renews it: another does, or all want a login",
        arguments: End.all, places)
    func killed(end: End, place: ManagedHome.Place) throws {
        let (managed, api) = (try ManagedHome(place), try ManagedHome.api())
        let holder = try managed.asking(place == .store ? 0 : 1, api: api).stopping(at: end.call, number: end.number)
            .start()
        _ = try holder.errorLine { $0.contains("stopped by SIGSTOP") }
        if end.call == "recvfrom" { #expect(managed.endpoint.requests.count == 1) }
        // The next one sweeps it, as soon as the lock is free.
        let drafts = try managed.drafts()
        #expect(drafts.count == (end.draft == nil ? 0 : 1) && drafts.allSatisfy { end.draft?.contains($0) == true })
        // Who finds the new token there needs no lock.
        let waiting = try managed.start(10, api: api, waiting: !end.isStored)
        holder.send(signal: SIGKILL)
        try holder.finish().expect(signal: SIGKILL)
        try expect(waiting, of: managed, place, isSpent: end.isSpent, isStored: end.isStored)
    }

    @Test(
        "a token is lost with the process that is killed while the server answers, and all others say so",
        arguments: ManagedHome.Place.allCases)
    func killedBeforeTheAnswer(place: ManagedHome.Place) throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        let (managed, api) = (try ManagedHome(place, arrival: arrival, answer: answer), try ManagedHome.api())
        let holder = try managed.asking(0, api: api).start()
        #expect(arrival.wait())
        let waiting = try managed.start(10, api: api)
        holder.send(signal: SIGKILL)
        try holder.finish().expect(signal: SIGKILL)
        answer.open()
        try expect(waiting, of: managed, place, isSpent: true, isStored: false)
    }

    /// Expects of those who waited what the state tells in which the dead process has left the server and the file.
    private func expect(
        _ waiting: [RunningProgram], of managed: ManagedHome, _ place: ManagedHome.Place, isSpent: Bool, isStored: Bool
    ) throws {
        let results = try waiting.map { try $0.finish() }
        guard isSpent, !isStored else {
            for result in results { #expect(result.expect(status: 0).text == "at-1\n") }
            #expect(managed.endpoint.requests.count == 1)
            #expect(try managed.stored()["refresh_token"] == "rt-1" && managed.drafts().isEmpty)
            return
        }
        for result in results {
            result.expect(status: 8)
            #expect(result.output.isEmpty && result.errorText.contains("oap: hint: "), "\(result)")
        }
        let refused = results.filter { $0.errorText.contains("invalid_grant") }
        // The first one drops the refresh token.
        #expect(refused.count == 1)
        #expect(managed.endpoint.requests.count == 1 + refused.count)
        // What the dead process had written of the new token is gone.
        #expect(try managed.drafts().isEmpty)
    }
}

extension Program {
    /// This program, which stops for good in the place of a system call. Only SIGKILL is left for it then.
    ///
    /// - Parameters:
    ///   - calls: the system calls as strace(1) names them.
    ///   - number: which one of them, counted from 1.
    fileprivate func stopping(at calls: String, number: Int) -> Program {
        var program = self
        program.path = "/usr/bin/strace"
        // With -D the program is the child of the test, and strace its grandchild.
        program.arguments =
            ["-D", "-e", "trace=\(calls)", "-e", "inject=\(calls):error=EIO:signal=STOP:when=\(number)"]
            + [path] + arguments
        return program
    }
}
