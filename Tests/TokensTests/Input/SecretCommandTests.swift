import Errands
import TestSupport
import Testing
import Wire

@testable import Sessions
@testable import Shell
@testable import Tokens

/// The programs of a profile that print secrets; see oap-documents(5).
@Suite("Programs that print secrets")
struct SecretCommandTests {
    private let scene: KeptScene
    private static let program: JSON = .strings(["/bin/print", "it"])

    init() throws { scene = try KeptScene([:]) }

    private func input(_ profile: JSONObject, _ members: JSONObject = ["client_id": "c"]) throws -> Input {
        try scene.session.inputs.input([], members: members, profile: profile)
    }

    /// The secret as a program gives it that ends so.
    private func secret(_ end: ChildProgram.End) throws -> String? {
        scene.script.end = { _ in end }
        let input = try input(["client_secret_command": Self.program]).with(secrets: ["client_secret"])
        return try scene.script.run(input).get().secret("client_secret")
    }

    @Test("a program is run once for each use, and again for the next")
    func once() throws {
        scene.script.end = { _ in .ended(status: 0, output: Array("s3cret\n".utf8)) }
        let before = try input(["client_secret_command": Self.program])
        #expect(try before.secret("client_secret") == nil)
        #expect(before.names("client_secret"))
        let used = try scene.script.run(before.with(secrets: ["client_secret", "client_secret"])).get()
        let again = try scene.script.run(used.with(secrets: ["client_secret"])).get()
        #expect(try again.secret("client_secret") == "s3cret")
        #expect(scene.script.programs == [["/bin/print", "it"]])
        _ = try scene.script.run(used.unprinted.with(secrets: ["client_secret"])).get()
        #expect(scene.script.programs.count == 2)
        #expect(again.document.members["client_secret"] == nil)
        #expect(again.document.members["client_secret_command"] == nil)
        #expect(again.renewable["client_secret_command"] == true)
        let other = try scene.script.run(again.withoutCommands().with(secrets: ["client_secret"])).get()
        #expect(try other.secret("client_secret") == nil)
    }

    @Test("what it prints is one line, and any other end is no secret")
    func ends() throws {
        for (text, value) in [
            ("s", "s"), ("s\n", "s"), ("s\r\n", "s"), ("", nil), ("\n", nil), ("a\nb", nil), ("a\u{7}", nil),
            ("{}", nil),
        ] {
            #expect((try? secret(.ended(status: 0, output: Array(text.utf8)))) == value, "\(text)")
        }
        for end in [
            .ended(status: 0, output: [0xFF]), .ended(status: 1, output: Array("s".utf8)), .late, .tooLong,
            .notStarted(.noSuchFile),
        ] as [ChildProgram.End] {
            #expect(throws: Failure.self) { try secret(end) }
        }
    }

    @Test("it is named by a profile alone, by an array of strings, and by no relative path")
    func form() throws {
        for value in [
            .string("print"), .object([:]), .array(["print", .integer(1)]), .strings([]), .strings([""]),
            .strings(["./print"]), .strings(["bin/print"]), .strings(["print", "a\u{0}"]),
        ] as [JSON] {
            #expect(throws: Failure.self) { try input(["client_secret_command": value]) }
        }
        for value in [.strings(["print"]), .strings(["/bin/print"]), .null] as [JSON] {
            #expect(throws: Never.self) { try input(["client_secret_command": value]) }
        }
        #expect(throws: Failure.self) { try input([:], ["client_secret_command": Self.program]) }
    }

    @Test("a profile has a secret once, and the document's own goes before the program of a profile")
    func twice() throws {
        for (name, value) in [("client_secret", "s"), ("client_secret_file", "/a/file")] as [(String, JSON)] {
            let both: JSONObject = [name: value, "client_secret_command": Self.program]
            #expect(throws: Failure.self) { try input(both) }
            let own = try input(["client_secret_command": Self.program], ["client_id": "c", name: value])
            _ = scene.script.run(own.with(secrets: ["client_secret"]))
            #expect(own.document.members[name] == value)
        }
        #expect(scene.script.programs.isEmpty)
    }
}
