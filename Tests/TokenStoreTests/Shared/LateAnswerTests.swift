import Foundation
import JOSE
import StoreSupport
import System
import TestSupport
import Testing

@testable import TokenStore

@Suite("Answers that the store could not take")
struct LateAnswerTests {
    private let fleet: SimulatedFleet

    init() throws { fleet = try SimulatedFleet() }

    @Test(
        "a new token whose write has an unknown outcome is stored once, and leaves no file",
        arguments: [SimulatedCluster.Fate.applied, .later, .never])
    func unknownStore(fate: SimulatedCluster.Fate) throws {
        let held = try fleet.claiming(fleet.first)
        fleet.cluster.log = []
        fleet.cluster.fates = [fate]
        try fleet.run(held.save(TokenText.token(2), over: nil))
        let revision = fleet.cluster.records[fleet.name.text]?.revision
        if fate == .later { fleet.cluster.applyPending() }
        #expect(fleet.cluster.records[fleet.name.text]?.revision == revision)
        #expect(try fleet.token == TokenText.token(2) && fleet.record?.claim == nil && fleet.first.late.isEmpty)
        #expect(fleet.cluster.log == ["replace", "read"] + (fate == .applied ? [] : ["replace"]))
    }

    @Test("answers in the folder of another spelling of the address are taken over, and nothing else of it")
    func adopted() throws {
        let home = try TemporaryDirectory()
        let name = try TokenName("work")
        let (former, own) = (home.path("former"), home.path("own"))
        try LateAnswers.adopt(from: former, to: own)
        #expect(!home.contains("own"))
        try PrivateFile.prepareFolder(former)
        let nonce = String(repeating: "A", count: 22)
        _ = LateAnswers(of: name, in: former).keep("sealed", from: "rt", nonce: nonce)
        try home.write("", to: "former/work.lock")
        for _ in 1...2 {
            try LateAnswers.adopt(from: former, to: own)
            let found = try LateAnswers(of: name, in: own).all()
            #expect(found.map(\.path) == ["\(own)/work.\(nonce).late"] && found.first?.answer?.token == "sealed")
            #expect(try LateAnswers(of: name, in: former).all().isEmpty && home.contains("former/work.lock"))
        }
        // The folder itself.
        try LateAnswers.adopt(from: own, to: own)
        #expect(try LateAnswers(of: name, in: own).all().count == 1)
        chmod(former, 0o777)
        #expect(throws: StoreError.unsafe(path: former, .writable)) { try LateAnswers.adopt(from: former, to: own) }
    }

    @Test("with the store away the answer is kept in a sealed file, used, and offered once, by the next command")
    func offered() throws {
        try fleet.leaveLateAnswer()
        let file = try #require(fleet.first.late.first)
        let place = SealedFile(path: fleet.first.folder + "/" + file)
        #expect(fleet.first.told.count == 1 && fleet.first.told[0].contains(file), "\(fleet.first.told)")
        #expect(try place.mode == 0o600 && !place.text.contains("token 2"))
        #expect(try fleet.token == TokenText.token(1) && fleet.record?.claim != nil)
        // The claim is still there: nobody else is waited for.
        let start = fleet.time.passed
        #expect(try fleet.run(fleet.first.process().load(fleet.name))?.bytes == TokenText.token(2))
        #expect(fleet.time.passed - start < 1000)
        #expect(try fleet.record?.claim == nil && fleet.record?.again == 0 && fleet.first.late.isEmpty)
        fleet.cluster.log = []
        _ = try fleet.run(fleet.first.process().load(fleet.name))
        #expect(fleet.cluster.log == ["read"])
    }

    @Test("a late answer is stored over the claim of another machine, whose own request is refused then")
    func overAnother() throws {
        try fleet.leaveLateAnswer()
        fleet.time.pass(seconds: 30)
        _ = fleet.time.run(fleet.second.process().held(fleet.name))
        fleet.time.pass(seconds: 30)
        let other = try fleet.claiming(fleet.second)
        _ = try fleet.run(fleet.first.process().load(fleet.name))
        #expect(try fleet.token == TokenText.token(2) && fleet.record?.claim == nil)
        // It was refused: what is stored is not marked.
        #expect(try fleet.run(other.load())?.bytes == TokenText.token(2))
        #expect(other.claimed == nil)
        #expect(throws: StoreError.self) { try fleet.run(other.save(TokenText.refused(1), over: .text("0"))) }
        #expect(try fleet.token == TokenText.token(2))
    }

    @Test("a late answer repairs a record that was marked meanwhile")
    func marked() throws {
        try fleet.leaveLateAnswer()
        fleet.time.pass(seconds: 30)
        _ = fleet.time.run(fleet.second.process().held(fleet.name))
        fleet.time.pass(seconds: 30)
        try fleet.run(fleet.claiming(fleet.second).save(TokenText.refused(1), over: nil))
        #expect(try fleet.run(fleet.first.process().load(fleet.name))?.bytes == TokenText.token(2))
    }

    @Test("a late answer is dropped where the record is newer, or was deleted", arguments: [true, false])
    func dropped(isDeleted: Bool) throws {
        try fleet.leaveLateAnswer()
        fleet.time.pass(seconds: 30)
        _ = fleet.time.run(fleet.second.process().held(fleet.name))
        fleet.time.pass(seconds: 30)
        let other = try fleet.holding(fleet.second)
        if isDeleted {
            #expect(try fleet.run(other.remove()))
        } else {
            try fleet.run(other.save(TokenText.token(7), over: nil))
        }
        let kept = try fleet.run(fleet.first.process().load(fleet.name))
        #expect(kept?.bytes == (isDeleted ? nil : TokenText.token(7)) && fleet.first.late.isEmpty)
        #expect(fleet.first.told.count == 2 && fleet.first.told[1].contains("older"), "\(fleet.first.told)")
    }

    @Test("a late answer is kept while the store is away, and while the record is sealed by another key")
    func kept() throws {
        try fleet.leaveLateAnswer()
        fleet.first.records.isCut = true
        #expect(throws: SimulatedRecords.away) { try fleet.run(fleet.first.process().load(fleet.name)) }
        #expect(throws: SimulatedRecords.away) { try fleet.run(fleet.first.process().held(fleet.name)) }
        fleet.first.records.isCut = false
        let ours = try #require(fleet.cluster.records[fleet.name.text]?.bytes)
        let other = Seal(key: try SymmetricKey(), place: "simulated")
        let record = ClaimedRecord(token: String(decoding: try other.sealing([1], fleet.name), as: UTF8.self))
        fleet.cluster.set(fleet.name, record.bytes)
        #expect(throws: StoreError.self) { try fleet.run(fleet.first.process().load(fleet.name)) }
        #expect(fleet.first.late.count == 1 && fleet.cluster.records[fleet.name.text]?.bytes == record.bytes)
        fleet.cluster.set(fleet.name, ours)
        #expect(try fleet.run(fleet.first.process().load(fleet.name))?.bytes == TokenText.token(2))
    }

    @Test(
        "a file that cannot be read, or that another key sealed, is kept and named, and not offered", arguments: 0..<3)
    func unreadable(kind: Int) throws {
        try fleet.leaveLateAnswer()
        let path = try fleet.first.folder + "/" + #require(fleet.first.late.first)
        let token = String(
            decoding: try Seal(key: SymmetricKey(), place: "simulated").sealing(TokenText.token(2), fleet.name),
            as: UTF8.self)
        let text = [#"{"v":1,"from":"1"#, #"{"v":1,"from":"1","token":"\#(token)"}"#, #"{"v":2}"#][kind]
        try SealedFile(path: path).write(text)
        #expect(try fleet.run(fleet.first.process().load(fleet.name))?.bytes == TokenText.token(1))
        #expect(fleet.first.late.count == 1 && fleet.first.told.last?.contains(path) == true, "\(fleet.first.told)")
    }

    @Test("the answers of a name that begins like another are its own")
    func names() throws {
        let home = try TemporaryDirectory()
        let (short, long) = (try TokenName("a"), try TokenName("a.b"))
        _ = LateAnswers(of: long, in: home.path).keep("sealed", from: "rt", nonce: String(repeating: "A", count: 22))
        #expect(try LateAnswers(of: short, in: home.path).all().isEmpty)
        #expect(try LateAnswers(of: long, in: home.path).all().map(\.answer?.token) == ["sealed"])
    }

    @Test(
        "a file of another machine is offered if this version reads it and the key here opens it, and changes nothing else",
        arguments: [
            (1, true, "work", true), (2, true, "work", false), (1, false, "work", false), (1, true, "other", false),
        ])
    func ofOtherMachine(version: Int, isOwnKey: Bool, name: String, isStored: Bool) throws {
        let seal = Seal(key: isOwnKey ? fleet.key : try SymmetricKey(), place: "simulated")
        let token = String(decoding: try seal.sealing(TokenText.token(2), TokenName(name)), as: UTF8.self)
        let file = Array(#"{"v":\#(version),"from":"1","token":"\#(token)"}"#.utf8)
        // Its folder is not made yet.
        let result = fleet.time.run(fleet.second.process().offer(file, to: fleet.name))
        #expect(((try? result.get()) != nil) == isStored)
        #expect(try fleet.token == TokenText.token(isStored ? 2 : 1))
    }

    @Test("a disk without room is noticed before the request; one that fails after it costs only the file")
    func disk() throws {
        let held = try fleet.claiming(fleet.first)
        #expect(throws: StoreError.self) { try held.reserve(1 << 50) }
        try held.reserve(5000)
        try FileManager.default.removeItem(atPath: fleet.first.folder)
        #expect(throws: StoreError.self) { try held.reserve(5000) }
        try fleet.run(held.save(TokenText.token(2), over: nil))
        #expect(try fleet.token == TokenText.token(2))
    }

    @Test("the mark of a refusal is no answer: it is not stored over another's claim, and leaves no file")
    func refusalIsNoAnswer() throws {
        let held = try fleet.claiming(fleet.first)
        fleet.time.pass(seconds: 30)
        _ = fleet.time.run(fleet.second.process().held(fleet.name))
        fleet.time.pass(seconds: 30)
        let other = try fleet.claiming(fleet.second)
        for bytes in [TokenText.refused(1), TokenText.changed(1)] {
            #expect(throws: StoreError.self) { try fleet.run(held.save(bytes, over: .text("0"))) }
        }
        #expect(try fleet.record?.again == 1 && fleet.record?.claim != nil && fleet.first.late.isEmpty)
        try fleet.run(other.save(TokenText.token(2), over: nil))
        #expect(try fleet.token == TokenText.token(2))
    }

    @Test(
        "a mark whose write has an unknown outcome is written once, over one's own claim alone",
        arguments: [SimulatedCluster.Fate.applied, .later, .never])
    func unknownMark(fate: SimulatedCluster.Fate) throws {
        let held = try fleet.claiming(fleet.first)
        fleet.cluster.fates = [fate]
        try fleet.run(held.save(TokenText.refused(1), over: nil))
        if fate == .later { fleet.cluster.applyPending() }
        #expect(try fleet.token == TokenText.refused(1) && fleet.record?.claim == nil && fleet.first.late.isEmpty)
    }

    @Test("a mark whose write never came is not written over the claim that another machine has made meanwhile")
    func lateMark() throws {
        let held = try fleet.claiming(fleet.first)
        var other = try #require(try fleet.record)
        other.claim = try ClaimedRecord.Claim(seconds: 20)
        fleet.cluster.fates = [.never]
        fleet.first.records.before = { [fleet] request in
            if request == "read" { fleet.cluster.set(fleet.name, other.bytes) }
        }
        let error = #expect(throws: StoreError.self) { try fleet.run(held.save(TokenText.refused(1), over: nil)) }
        #expect(error == held.changed)
        #expect(try fleet.record == other)
    }
}

/// A file of a machine's disk.
private struct SealedFile {
    let path: String

    var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    var mode: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
        }
    }

    func write(_ text: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
