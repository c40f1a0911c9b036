import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("OAP_STORE_KEY_FILE", .inProcess)
struct StoreKeyTests {
    private let plain: StoreHome
    private let store: StoreHome
    private static let file = ".local/state/oap/tokens/work.json"

    init() throws {
        plain = try StoreHome()
        store = try plain.withKey()
    }

    @Test("oap store key makes a key of 256 bits, another each time, in a file of its owner alone")
    func key() throws {
        let key = try #require(JSON(parsing: try store.home.read("key")).object)
        #expect(key.members.map(\.name) == ["kty", "k"] && key["kty"] == "oct")
        #expect(key["k"]?.string.flatMap { Base64.decodeURL($0) }?.count == 32)
        #expect(try store.home.permissions("key") == 0o600)
        #expect(try store.oap("store", "key").run().expect(status: 0).object()["k"] != key["k"])
    }

    @Test("oap store key replaces no file that is there, whatever it is")
    func noOverwriting() throws {
        let before = try store.home.read("key")
        symlink("nowhere", store.home.path("link"))
        for name in ["key", "link"] {
            let path = store.home.path(name)
            let result = try store.oap("store", "key", "-o", path).run()
            if name == "key" {
                result.expect(status: 11).expect(errorLine: "oap: store: cannot write \(path): file exists")
            }
        }
        #expect(try store.home.read("key") == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: store.home.path).allSatisfy { !$0.hasPrefix(".oap") })
    }

    @Test("another key than the one that sealed, or a changed or cut file, is exit 11 with the file untouched")
    func damage() throws {
        try store.put(#"{"access_token":"old","refresh_token":"r","expires_at":1000}"#, as: "work")
        let sealed = Array(try store.home.read(Self.file).utf8)
        func expectRefused(_ home: StoreHome, _ bytes: [UInt8]) throws {
            for arguments in [
                ["token", "work"], ["store", "get", "work"], ["store", "list"], ["store", "put", "work"],
            ] {
                var program = home.oap(input: #"{"access_token":"new"}"#)
                program.arguments = arguments
                let result = try program.run().expect(status: 11)
                #expect(result.errorText.contains("the stored token work"), "\(result)")
                #expect(!result.text.contains("access_token"))
                #expect(FileManager.default.contents(atPath: store.home.path(Self.file)) == Data(bytes))
            }
        }
        var other = store
        try store.oap("store", "key", "-o", store.home.path("other")).run().expect(status: 0)
        other.environment["OAP_STORE_KEY_FILE"] = store.home.path("other")
        try expectRefused(other, sealed)
        try expectRefused(plain, sealed)
        for index in [3, sealed.count / 2, sealed.count - 4] {
            var flipped = sealed
            flipped[index] ^= 1
            try Data(flipped).write(to: URL(fileURLWithPath: store.home.path(Self.file)))
            try expectRefused(store, flipped)
        }
        for count in [0, 1, sealed.count / 2, sealed.count - 1] {
            try Data(sealed.prefix(count)).write(to: URL(fileURLWithPath: store.home.path(Self.file)))
            try expectRefused(store, Array(sealed.prefix(count)))
        }
        try store.oap("store", "delete", "work").run().expect(status: 0)
    }

    @Test("oap store reseal gives every token the new key, also where an earlier run was killed, and loses none")
    func reseal() throws {
        for name in ["a", "b"] { try store.put(#"{"access_token":"\#(name)"}"#, as: name) }
        var new = store
        let (old, path) = (store.home.path("key"), store.home.path("new"))
        try store.oap("store", "key", "-o", path).run().expect(status: 0)
        new.environment["OAP_STORE_KEY_FILE"] = path
        let refused = try new.oap("token", "a").run().expect(status: 11)
        #expect(refused.errorText.contains("hint: use the key with which it was stored (OAP_STORE_KEY_FILE);"))
        // What a killed run leaves: one token has the new key.
        try new.put(#"{"access_token":"c"}"#, as: "c")
        let lines = ["a", "b", "c"].map { "\($0): resealed\n" }.joined()
        try new.oap("store", "reseal", "--old-key-file", old).run().expect(status: 0).expect(output: lines)
            .expectSilence()
        for name in ["a", "b", "c"] {
            try new.oap("token", name).run().expect(status: 0).expect(output: "\(name)\n")
            try store.oap("token", name).run().expect(status: 11)
        }
        // One that neither key opens stays, and the others go on.
        try store.home.write("e30.x", to: ".local/state/oap/tokens/b.json")
        let rest = try store.oap("store", "reseal", "--old-key-file", path).run().expect(status: 11)
        rest.expect(output: "a: resealed\nc: resealed\n")
        #expect(rest.errorText.contains("the stored token b"))
        #expect(try store.home.read(".local/state/oap/tokens/b.json") == "e30.x")
    }

    @Test("oap store reseal needs both keys, and takes no name")
    func resealing() throws {
        try store.put(#"{"access_token":"a"}"#, as: "a")
        let before = try store.home.read(".local/state/oap/tokens/a.json")
        try store.oap("store", "reseal").run().expect(status: 2)
            .expect(errorLine: "oap: hint: OAP_STORE_KEY_FILE names the new key")
        let old = ["--old-key-file", store.home.path("key")]
        try plain.oap("store", "reseal", old[0], old[1]).run().expect(status: 11)
            .expect(errorLine: "oap: store: no key is set to seal with")
        try store.oap("store", "reseal", "a", old[0], old[1]).run().expect(status: 2)
        try store.oap("store", "list", old[0], old[1]).run().expect(status: 2)
        try store.oap("store", "reseal", old[0], store.home.path("none")).run().expect(status: 11)
        #expect(try store.home.read(".local/state/oap/tokens/a.json") == before)
    }

    @Test("a cluster that is away is exit 6: it may answer later, with as many attempts as the options say")
    func away() throws {
        var home = store
        home.environment["OAP_STORE"] = "etcd:http://127.0.0.1:1"
        let words = ["token", "work", "--retry", "0", "--error-document", store.home.path("e.json")]
        var program = home.oap()
        program.arguments = words
        let result = try program.run().expect(status: 6)
        #expect(result.errorText == "oap: token: etcd at http://127.0.0.1:1: connection to 127.0.0.1 port 1 refused\n")
        let error = try JSON(parsing: try store.home.read("e.json")).object
        #expect(error?["retryable"] == true)
        program.arguments = ["token", "work", "--retry-max-time", "0.7"]
        let patient = try program.run().expect(status: 6)
        #expect(patient.errorText.contains("refused; oap asks again for up to"), "\(patient)")
    }

    @Test("a scheme that no request can carry is refused where it is stored, and not only when it is used")
    func scheme() throws {
        for scheme in ["", "a b", "é"] {
            let put = try plain.oap(
                "store", "put", "work", "--authorization-scheme", scheme, input: #"{"access_token":"a"}"#
            ).run()
            put.expect(status: 3)
            #expect(put.errorText.contains("authorization_scheme is not an authentication scheme"), "\(put)")
            let profile: JSONObject = ["client_id": "c", "authorization_scheme": .string(scheme)]
            let set = try plain.oap("profile", "set", "work", input: JSON.object(profile).text).run()
            #expect(set.expect(status: 3).errorText.contains("is not an authentication scheme"), "\(set)")
        }
        #expect(!plain.home.contains(Self.file))
    }

    @Test("OAP_STORE_KEY_FILE refuses a token that is not sealed, says what to do, and leaves it")
    func unsealed() throws {
        try plain.put(#"{"access_token":"old"}"#, as: "work")
        let before = try store.home.read(Self.file)
        for arguments in [["token", "work"], ["store", "put", "work"]] {
            var program = store.oap(input: #"{"access_token":"new"}"#)
            program.arguments = arguments
            let result = try program.run().expect(status: 11)
            #expect(result.errorText.contains("the stored token work is not sealed"))
            #expect(result.errorText.contains("to store a sealed token, first: oap store delete work"))
        }
        #expect(try store.home.read(Self.file) == before)
        try plain.oap("token", "work").run().expect(status: 0).expect(output: "old\n")
    }

    @Test("a key file that others can read, that holds no key or is missing is exit 11, and nothing is stored unsealed")
    func badKeys() throws {
        try store.home.write("{}", to: "none")
        chmod(store.home.path("none"), 0o600)
        try store.home.write(try store.home.read("key"), to: "open")
        chmod(store.home.path("open"), 0o644)
        for name in ["none", "open", "missing"] {
            var home = store
            home.environment["OAP_STORE_KEY_FILE"] = store.home.path(name)
            let result = try home.oap("store", "put", "work", input: #"{"access_token":"new"}"#).run()
            #expect(result.expect(status: 11).errorText.contains(store.home.path(name) + ": "), "\(result)")
            try home.oap("token", "work").run().expect(status: 11)
        }
        #expect(!store.home.contains(Self.file))
    }

    @Test(
        "set but empty is exit 11, as an empty OAP_STORE is, and nothing is stored anywhere",
        arguments: ["OAP_STORE_KEY_FILE", "OAP_STORE"])
    func emptyVariable(name: String) throws {
        var home = store
        home.environment[name] = ""
        for arguments in [["store", "put", "work"], ["store", "list"], ["token", "work"]] {
            var program = home.oap(input: #"{"access_token":"new"}"#)
            program.arguments = arguments
            let result = try program.run().expect(status: 11)
            result.expect(errorLine: "oap: \(arguments[0]): \(name) is set but empty")
        }
        #expect(!store.home.contains(Self.file))
        home.environment["OAP_STORE"] = ""
        home.environment["OAP_STORE_KEY_FILE"] = store.home.path("key")
        let folder = store.home.path("folder")
        try home.oap("store", "put", "work", "--store", "file:\(folder)", input: #"{"access_token":"new"}"#).run()
            .expect(status: 0)
    }
}
