import CommandSpec
import Engine
import Foundation
import OAuth
import Redaction
import System
import TestSupport
import TokenStore
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

/// A stored token `work` in a world that a script plays: no server, no program and no clock but the script's.
final class KeptScene {
    let script = Script()
    private let folder: TemporaryDirectory
    /// What the command does to the outside.
    final class Effects {
        /// What was printed on standard error.
        var said = ""
        /// How many holds of signals have begun and not ended.
        var holds = 0
        /// Whether a signal waits by which the process ends.
        var isEnding = false
    }

    let effects = Effects()
    let session: Session

    /// - Parameter document: the token document that is stored.
    init(_ document: JSONObject, words: [String] = ["token", "work"]) throws {
        folder = try TemporaryDirectory(inMemory: true)
        let world = World(
            time: { [script] in script.milliseconds }, clock: { [script] in script.now },
            random: { count in [UInt8](repeating: 7, count: count) }, isEnding: { [effects] in effects.isEnding },
            hold: { [effects] _, begins in effects.holds += begins ? 1 : -1 }, deliver: {})
        session = try Session.played(try CommandTable.program().parse(words), at: folder.path, in: world) {
            [effects] in effects.said += $0
        }
        try store(document)
    }

    /// Stores a document, as another process does.
    func store(_ document: JSONObject) throws {
        let bytes = JSON.object(document).bytes + [0x0A]
        let store = try session.inputs.store()
        _ = try script.run(store.hold(try TokenName("work")) { $0.save(bytes, over: nil) }).get()
    }

    /// The document as it is stored.
    var stored: JSONObject {
        get throws {
            let token = try script.run(try session.inputs.store().load(try TokenName("work"))).get()
            return try JSON(parsing: token?.bytes ?? []).object ?? [:]
        }
    }

    /// Stores a document without the lock, as a program does that knows nothing of it.
    func overwrite(with document: JSONObject) throws {
        try folder.write(JSON.object(document).text + "\n", to: ".local/state/oap/tokens/work.json")
    }

    var token: ManagedToken { get throws { try session.login("work") } }
}

extension Session {
    /// A session without a process.
    ///
    /// - Parameters:
    ///   - home: the folder of the user.
    ///   - others: further variables.
    ///   - say: is given what is printed on standard error.
    static func played(
        _ arguments: Arguments, at home: String, in world: World, variables others: [String: String] = [:],
        say: @escaping (String) -> Void
    ) throws -> Session {
        // The text of a variable lives as long as the process, as in a real one.
        let variables = others.merging(["HOME": home]) { $1 }.mapValues { text -> UnsafePointer<CChar> in
            UnsafePointer(strdup(text))
        }
        var diagnostics = Diagnostics(
            command: arguments.command?.name ?? "", isStrict: false, redactor: Redactor())
        diagnostics.sink = { say(String(decoding: $0, as: UTF8.self)) }
        return try Session(
            arguments: arguments, environment: Environment({ variables[$0] }, all: { [] }), world: world,
            interrupts: Engine.Interrupts(descriptor: { nil }, deliver: {}), diagnostics: diagnostics,
            program: { CommandTable.program() })
    }
}

extension World {
    /// A world without signals, in which the time of a script passes.
    ///
    /// - Parameter ahead: how far its clock is ahead of the script's, in milliseconds.
    static func played(by script: Script, ahead: Int = 0) -> World {
        World(
            time: { script.milliseconds + ahead }, clock: { script.now },
            random: { count in [UInt8](repeating: 7, count: count) }, isEnding: { false }, hold: { _, _ in },
            deliver: {})
    }
}
