import Foundation
import JOSE
import TestSupport
import Testing
import TokenStore

@Suite("A store that seals")
struct SealedStoreTests {
    private let home: TemporaryDirectory
    private let plain: FileStore
    private let key: SymmetricKey
    private let sealed: SealedStore
    private let work: TokenName
    private let other: TokenName

    init() throws {
        home = try TemporaryDirectory()
        plain = FileStore(folder: home.path("tokens"))
        key = try SymmetricKey()
        sealed = SealedStore(over: plain, key: key, place: "file")
        work = try TokenName("work")
        other = try TokenName("other")
    }

    @Test("a store that seals gives back what was stored, and keeps nothing of it in the clear")
    func roundTrip() throws {
        try sealed.write(Array(#"{"access_token":"secret"}"#.utf8), as: work)
        #expect(try sealed.read(work) == Array(#"{"access_token":"secret"}"#.utf8))
        #expect(try !home.read("tokens/work.json").contains("secret"))
        #expect(try sealed.names() == [work])
        #expect(try sealed.remove(work))
        #expect(try sealed.read(work) == nil)
    }

    @Test("a store that seals keeps room for what it writes, which is longer than what it seals")
    func room() throws {
        let count = 100_000
        let held = try sealed.hold(work)
        try held.reserve(count)
        let draft = try FileManager.default.attributesOfItem(atPath: home.path("tokens/.work.json.new"))
        let kept = try #require(draft[.size] as? Int)
        try held.write([UInt8](repeating: 0x78, count: count))
        let written = try home.read("tokens/work.json").utf8.count
        #expect(written > count && kept >= written)
    }

    @Test("a store that seals opens no token in the place of another, though the key is right")
    func swapped() throws {
        try sealed.write([1], as: work)
        try plain.write(try #require(try plain.read(work)), as: other)
        #expect(throws: StoreError.unopened(other.text, reason: "it was sealed for another name")) {
            try sealed.read(other)
        }
        #expect(try sealed.read(work) == [1])
    }

    @Test("a store that seals opens no token of another store, but those of versions that named no store")
    func otherStore() throws {
        try sealed.write([1], as: work)
        for place in ["etcd:oap", "helper:pass", "File", ""] {
            let store = SealedStore(over: plain, key: key, place: place)
            #expect(throws: StoreError.unopened(work.text, reason: "it was sealed for another store")) {
                try store.read(work)
            }
            #expect(throws: StoreError.self) { try store.write([2], as: work) }
        }
        // The folder may be copied, and is not what the store is named by.
        let copy = FileStore(folder: home.path("copy"))
        try copy.write(try #require(try plain.read(work)), as: work)
        #expect(try SealedStore(over: copy, key: key, place: "file").read(work) == [1])
        try plain.write(Array(try key.encrypt([3], header: ["oap_name": "work"]).utf8), as: work)
        #expect(try sealed.read(work) == [3])
    }

    @Test("a store with another key opens nothing, and stores nothing over what it cannot open")
    func otherKey() throws {
        try sealed.write([1], as: work)
        let before = try home.read("tokens/work.json")
        let wrong = SealedStore(over: plain, key: try SymmetricKey(), place: "file")
        let refused = StoreError.unopened(work.text, reason: "it was encrypted with another key, or changed afterwards")
        #expect(throws: refused) { try wrong.read(work) }
        #expect(throws: refused) { try wrong.write([2], as: work) }
        #expect(try home.read("tokens/work.json") == before)
        #expect(try wrong.remove(work))
    }

    @Test("a store that seals opens nothing to which anything was added")
    func appended() throws {
        try sealed.write([1], as: work)
        let bytes = try #require(try plain.read(work))
        for more in [" x", "\n{}", "\n\n", "."] {
            try plain.write(bytes + Array(more.utf8), as: work)
            #expect(throws: StoreError.self) { try sealed.read(work) }
        }
        // As an editor leaves it.
        try plain.write(bytes + [0x0A], as: work)
        #expect(try sealed.read(work) == [1])
    }

    @Test("a store that seals refuses what is not sealed, and leaves it")
    func unsealed() throws {
        try plain.write(Array("{}".utf8), as: work)
        #expect(throws: StoreError.unsealed(work.text)) { try sealed.read(work) }
        #expect(throws: StoreError.unsealed(work.text)) { try sealed.write([2], as: work) }
        #expect(try home.read("tokens/work.json") == "{}")
    }

    @Test("a store without a key passes everything on, and refuses what is sealed, and leaves it")
    func withoutKey() throws {
        let open = SealedStore(over: plain, key: nil, place: "file")
        try open.write(Array("{}".utf8), as: other)
        #expect(try plain.read(other) == Array("{}".utf8))
        #expect(try open.read(other) == Array("{}".utf8))
        try sealed.write([1], as: work)
        let before = try home.read("tokens/work.json")
        #expect(throws: StoreError.sealed(work.text)) { try open.read(work) }
        #expect(throws: StoreError.sealed(work.text)) { try open.write([2], as: work) }
        #expect(try home.read("tokens/work.json") == before)
    }

    @Test(
        "a store that seals refuses what was cut short, down to nothing, and stores nothing over it",
        arguments: [0, 1, 100, -1])
    func truncated(count: Int) throws {
        try sealed.write([UInt8](repeating: 7, count: 200), as: work)
        let whole = try home.read("tokens/work.json")
        let part = String(whole.prefix(count < 0 ? whole.count - 1 : count))
        try Data(part.utf8).write(to: URL(fileURLWithPath: home.path("tokens/work.json")))
        #expect(throws: StoreError.self) { try sealed.read(work) }
        #expect(throws: StoreError.self) { try sealed.write([2], as: work) }
        #expect(try home.read("tokens/work.json") == part)
    }

    @Test("a store that seals reads its key from a file that nobody else can read")
    func keyFile() throws {
        let text = #"{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#
        let path = try home.write(text, to: "key")
        chmod(path, 0o644)
        #expect(throws: StoreError.unsafe(path: path, .readable(secret: "the key"))) {
            try SealedStore.key(at: path)
        }
        chmod(path, 0o600)
        #expect(try SealedStore.key(at: path).members["kty"] == .string("oct"))
        symlink(path, home.path("link"))
        _ = try SealedStore.key(at: home.path("link"))
    }

    @Test(
        "a store that seals reads no key from a file that holds none",
        arguments: ["", "secret", "{}", #"{"kty":"oct","k":"AAAA"}"#, #"[{"kty":"oct"}]"#])
    func noKey(text: String) throws {
        let path = try home.write(text, to: "key")
        chmod(path, 0o600)
        #expect(throws: StoreError.self) { try SealedStore.key(at: path) }
        #expect(throws: StoreError.self) { try SealedStore.key(at: home.path("missing")) }
    }
}

@Suite("The address of a store")
struct StoreAddressTests {
    @Test("the address of a store is a folder, a helper or a cluster")
    func addresses() throws {
        #expect(try StoreAddress("file:/a:b") == .file("/a:b"))
        #expect(try StoreAddress("file:a b") == .file("a b"))
        #expect(try StoreAddress("helper:pass-2") == .helper("pass-2"))
        guard case .kubernetes(let plain) = try StoreAddress("kubernetes:ci-1"),
            case .kubernetes(let other) = try StoreAddress("kubernetes:ci-1/p-2")
        else {
            Issue.record("it is no address of a cluster")
            return
        }
        #expect(plain.namespace == "ci-1" && plain.prefix == "oap")
        #expect(other.namespace == "ci-1" && other.prefix == "p-2")
    }

    @Test("a seal names the kind of the store and its prefix, which no spelling of the address changes")
    func places() throws {
        let places = [
            "file:/a": "file", "helper:pass": "helper:pass", "etcd:https://b:2379,https://a": "etcd:oap",
            "etcd:https://c/prod/": "etcd:prod", "kubernetes:ci": "kubernetes:ci/oap",
            "kubernetes:ci/p": "kubernetes:ci/p",
        ]
        for (address, place) in places { #expect(try StoreAddress(address).place == place) }
    }

    @Test(
        "what a machine keeps of a cluster is named after its members and the prefix, not after how they are written",
        arguments: [
            (["etcd:https://a:2379"], "etcd:https://a:2379"),
            (
                [
                    "etcd:https://a,https://b:2379", "etcd:https://b:2379,https://a",
                    "etcd:https://A:443/,HTTPS://B:2379/",
                    "etcd:https://b:2379,https://a,https://a:443/oap/",
                ], "etcd:https://a,https://b:2379"
            ),
            (["etcd:https://a/x/y", "etcd:https://a/x/y/", "etcd:https://a:443//x/y"], "etcd:https://a/x/y"),
            (["kubernetes:ci", "kubernetes:ci/oap"], "kubernetes:ci"), (["kubernetes:ci/p"], "kubernetes:ci/p"),
            (["etcd:https://a/X"], "etcd:https://a/X"),
        ])
    func canonical(spellings: [String], text: String) throws {
        for spelling in spellings { #expect(try StoreAddress(spelling).canonical == text, "\(spelling)") }
    }

    @Test(
        "the address of a store is nothing else",
        arguments: [
            "etcd:https://a/p,https://b", "etcd:https://u@a", "etcd:https://a,,https://b", "etcd:https://a?x,https://b",
            "etcd:http://a", "", ":", "file", "file:", "helper:", "pass", "helper:Pass", "helper:../pass", "helper:a b",
            "helper:é",
            "files:/a", " file:/a", "FILE:/a", "keyring:x", "/a", "kubernetes:", "kubernetes:a/b/c", "kubernetes:A",
            "kubernetes:a/", "kubernetes:/a", "kubernetes:a.b", "kubernetes:-a", "kubernetes:a/B", "kubernetes:a?b",
            "kubernetes:\(String(repeating: "a", count: 64))", "kubernetes:a/\(String(repeating: "b", count: 41))",
        ])
    func others(text: String) throws {
        do throws(StoreError) {
            _ = try StoreAddress(text)
            Issue.record("it is taken for a store")
        } catch {
            guard case .badStore = error else { throw error }
        }
    }

    @Test(
        "of an address that is refused the message repeats no more than the name of its kind",
        arguments: [
            ("etcd:https://root:hunter2@a:2379", "etcd:…"), ("helper:../pass", "helper:…"), ("keyring", "keyring"),
            ("file:", "file:"), ("token: ghp_0123", "token:…"), ("-----BEGIN PRIVATE KEY-----", nil),
            ("qzvkxwjyhbgpfmdtnrslcaoeiu", nil), ("9f86d081", nil), ("{\"a\":\"b\"}", nil), ("", nil),
        ])
    func shown(text: String, kind: String?) {
        let error = StoreError.badStore(kind: kind)
        #expect(throws: error) { try StoreAddress(text) }
        #expect(error.message == (kind ?? "the value of --store or OAP_STORE") + " is not a store")
    }
}
