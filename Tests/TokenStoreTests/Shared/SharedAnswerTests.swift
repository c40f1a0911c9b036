import Errands
import Foundation
import StoreSupport
import System
import Testing

@testable import TokenStore

@Suite("One answer of an engine, for the processes of a machine that wait for it")
struct SharedAnswerTests {
    private let fleet: SimulatedFleet

    init() throws { fleet = try SimulatedFleet() }

    private typealias Reading = Attempt<StoredToken?, StoreError>

    /// Begins to read, and then time passes.
    private func begun(_ machine: SimulatedMachine? = nil) -> Reading {
        defer { fleet.time.pass(seconds: 0.1) }
        return (machine ?? fleet.first).process().load(fleet.name)
    }

    private func step(_ reading: inout Reading) {
        guard case .pause(let end, let go) = reading else { return }
        fleet.time.pass(to: max(end, fleet.time.now))
        reading = go()
    }

    /// Reads until the answer is on its way.
    private func ask(_ reading: inout Reading) {
        let count = fleet.cluster.log.count
        while fleet.cluster.log.count == count { step(&reading) }
    }

    private func answer(_ reading: Reading) throws -> [UInt8]? { try fleet.run(reading)?.bytes }

    private var answerFile: String { "\(fleet.first.folder)/work.answer" }

    @Test("who waited before it was asked for has the same answer; who came later asks, and so does another machine")
    func shared() throws {
        var (asking, waiting) = (begun(), begun())
        ask(&asking)
        let late = begun()
        step(&waiting)
        fleet.cluster.set(fleet.name, nil)
        #expect(try answer(asking) == TokenText.token(1))
        #expect(try answer(waiting) == TokenText.token(1))
        #expect(fleet.cluster.log == ["read"])
        #expect(try answer(late) == nil)
        #expect(try answer(begun(fleet.second)) == nil)
        #expect(fleet.cluster.log == ["read", "read", "read"])
    }

    @Test("that there is no token is an answer too")
    func none() throws {
        fleet.cluster.set(fleet.name, nil)
        var (asking, waiting) = (begun(), begun())
        ask(&asking)
        step(&waiting)
        #expect(try answer(asking) == nil)
        #expect(try answer(waiting) == nil)
        #expect(fleet.cluster.log == ["read"])
    }

    @Test("after a failure, and an answer that cannot be kept, each asks for itself")
    func failure() throws {
        var (asking, waiting) = (begun(), begun())
        fleet.first.records.isCut = true
        step(&asking)
        step(&waiting)
        #expect(throws: StoreError.self) { try answer(asking) }
        fleet.first.records.isCut = false
        #expect(try answer(waiting) == TokenText.token(1))

        (asking, waiting) = (begun(), begun())
        fleet.cluster.set(fleet.name, [0xFF])
        fleet.cluster.log = []
        ask(&asking)
        step(&waiting)
        #expect(throws: StoreError.self) { try answer(asking) }
        #expect(throws: StoreError.self) { try answer(waiting) }
        #expect(fleet.cluster.log == ["read", "read"])
    }

    @Test("a process that is stopped while it asks keeps the others off for 90 seconds, one that has ended not at all")
    func stopped() throws {
        var asking: Reading? = begun()
        step(&asking!)
        let start = fleet.time.passed
        #expect(try answer(begun()) == TokenText.token(1))
        #expect((60_000...91_000).contains(fleet.time.passed - start))
        asking = nil
        let later = fleet.time.passed
        #expect(try answer(begun()) == TokenText.token(1))
        #expect(fleet.time.passed - later < 1000)
    }

    @Test("an answer of another start of the machine, and one that is cut off, do not count")
    func unfit() throws {
        let reading = begun()
        let answer = #"{"asked":99999999,"boot":"another","failed":false}"#
        for text in [answer, String(answer.dropLast(3)), "", "[]"] {
            try PrivateFile.replace(answerFile, with: Array(text.utf8))
            #expect(try self.answer(reading) == TokenText.token(1), "\(text)")
        }
    }

    @Test("nothing is left of a token that is removed, and a folder that cannot be used is done without")
    func left() throws {
        #expect(try answer(begun()) == TokenText.token(1))
        #expect(FileManager.default.fileExists(atPath: answerFile))
        #expect(try fleet.run(fleet.run(fleet.first.process().held(fleet.name)).remove()))
        #expect(!FileManager.default.fileExists(atPath: answerFile))

        let file = fleet.first.disk.path("file")
        try Data().write(to: URL(fileURLWithPath: file))
        let answer = SharedAnswer(about: fleet.name, in: "\(file)/shared", by: fleet.first.clock)
        #expect(try fleet.run(answer.get { fleet.first.records.read(fleet.name) }) == nil)
    }
}
