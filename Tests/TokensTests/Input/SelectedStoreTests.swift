import Errands
import JOSE
import TestSupport
import Testing
import TokenStore
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// The store that variables select, and its key.
@Suite("The selected store")
struct SelectedStoreTests {
    private let home: TemporaryDirectory
    private let script = Script()

    init() throws { home = try TemporaryDirectory(inMemory: true) }

    private func session(_ variables: [String: String], _ words: [String] = ["token", "work"]) throws -> Session {
        let arguments = try CommandTable.program().parse(words)
        return try Session.played(arguments, at: home.path, in: .played(by: script), variables: variables) { _ in }
    }

    /// The variables of a cluster, with the file of a new key.
    private func cluster(_ addresses: String) throws -> [String: String] {
        let key = try home.write(JSON.object(SymmetricKey().members).text, to: "key")
        return ["OAP_STORE": "etcd:\(addresses)", "OAP_STORE_KEY_FILE": key]
    }

    @Test("an answer that was kept for a cluster by another spelling of its addresses is taken over")
    func spelled() throws {
        let text = "https://b.example:2379,https://a.example:2379"
        let session = try session(try cluster(text))
        let folders = try session.environment.folders.shared()
        let file = "work.\(String(repeating: "A", count: 22)).late"
        let former = "\(folders)/\(Digest.sha256.hexadecimal("etcd:\(text)").prefix(16))"
        try PrivateFile.prepareFolder(former)
        try home.write("{}", to: String("\(former)/\(file)".dropFirst(home.path.count + 1)))
        _ = try session.inputs.store()
        #expect(try !PrivateFile.names(in: former).contains(file))
        let others = try PrivateFile.names(in: folders).filter { !former.hasSuffix($0) }
        #expect(try others.map { try PrivateFile.names(in: "\(folders)/\($0)") } == [[file]])
    }

    @Test("what machines share is sealed: without a key, or with two of them, there is no store")
    func key() throws {
        let variables = try cluster("https://a.example:2379")
        #expect(try session(variables).inputs.store() is SharedStore)
        for (name, value) in [
            ("OAP_STORE_KEY_FILE", nil), ("OAP_STORE_KEY_FILE", ""), ("OAP_STORE_KEY_FILE", home.path("none")),
            ("OAP_STORE_KEY_COMMAND", home.path("key")), ("OAP_STORE_KEY_COMMAND", ""),
        ] as [(String, String?)] {
            var others = variables
            others[name] = value
            let failure = #expect(throws: Failure.self) { try session(others).inputs.store() }
            #expect(failure?.exit == .fileFailed, "\(name)")
        }
    }

    @Test("an empty address is none: the token would be stored elsewhere")
    func empty() throws {
        #expect(throws: Failure.self) { try session(["OAP_STORE": ""]).inputs.store() }
        #expect(throws: Failure.self) { try session(["OAP_STORE": "https://a.example"]).inputs.store() }
        let named = try session(["OAP_STORE": ""], ["token", "work", "--store", "file:\(home.path)"])
        #expect(throws: Never.self) { try named.inputs.store() }
    }
}
