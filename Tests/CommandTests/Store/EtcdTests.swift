import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Stores of several machines, each a home of its own.
@Suite("A store in etcd")
struct EtcdTests {
    private func record(_ etcd: Etcd) throws -> JSONObject {
        try #require(JSON(parsing: Array(etcd.control("get", "--print-value-only", "test/work").utf8)).object)
    }

    private static func rotating(_ number: Int) -> Responder.Reply {
        .json(
            #"{"access_token":"at-\#(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-\#(number)"}"#
        )
    }

    private func expired(_ endpoint: Responder, refresh: String = "rt-0") -> String {
        JSON.object(endpoint.token.with(["expires_at": 1000, "refresh_token": .string(refresh)])).text
    }

    @Test("what one machine stores, lists, renews and deletes, another one sees; etcd has nothing but sealed records")
    func shared() throws {
        let (etcd, endpoint) = (try Etcd(), try Responder(Self.rotating(1)))
        let machines = try EtcdMachine.make(etcd.store)
        try machines[0].oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        try machines[1].oap("store", "list", "-r", "-q", ".name").run().expect(status: 0).expect(output: "work\n")
        let before = try record(etcd)
        #expect(before["v"] == 1 && before["again"] == 0 && before["claim"] == nil)
        #expect(before["token"]?.string?.hasPrefix("ey") == true)
        try machines[1].oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try machines[0].oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
        let after = try record(etcd)
        #expect(after["claim"] == nil && after["again"] == 0 && after["token"] != before["token"])
        #expect(machines.allSatisfy { $0.files.isEmpty })
        try machines[0].oap("store", "delete", "work").run().expect(status: 0)
        try machines[1].oap("token", "work").run().expect(status: 8)
        try machines[1].oap("store", "list").run().expect(status: 0).expect(output: "")
    }

    @Test("fifty processes on ten machines over one expired token make one request, which no claim outlives")
    func crowd() throws {
        let (arrived, answer) = (Responder.Gate(), Responder.Gate())
        let etcd = try Etcd()
        let endpoint = try Responder { _ in
            arrived.open()
            return Self.rotating(1).after(answer)
        }
        let machines = try EtcdMachine.make(etcd.store, 10)
        try machines[0].oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        let running = try (0..<50).map { try machines[$0 % 10].oap("token", "work").start() }
        #expect(arrived.wait())
        #expect(try record(etcd)["claim"]?.object?["nonce"]?.string?.utf8.count == 22)
        answer.open()
        for process in running { try process.finish().expect(status: 0).expect(output: "at-1\n") }
        #expect(endpoint.requests.count == 1)
        #expect(try record(etcd)["claim"] == nil)
    }

    @Test("a lost answer is asked for once more in the same command, and leaves a doubt; a refusal is marked")
    func outcomes() throws {
        let etcd = try Etcd()
        let lost = Responder.Reply.text("", status: 500)
        let endpoint = try Responder(
            lost, Self.rotating(1), lost, lost, .json(#"{"error":"invalid_grant"}"#, status: 400))
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(try record(etcd)["again"] == 0 && endpoint.requests.count == 2)
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        try machine.oap("token", "work").run().expect(status: 12)
        #expect(try record(etcd)["again"] == 2 && record(etcd)["claim"] == nil)
        try machine.oap("token", "work").run().expect(status: 8)
        #expect(try record(etcd)["again"] == 0 && endpoint.requests.count == 5)
        let kept = try machine.oap("store", "get", "work").run().expect(status: 0).object()
        #expect(kept["refresh_token"] == nil && kept["refresh_token_was"] != nil)
    }

    @Test("who has a good token does not wait for the claim of another machine")
    func early() throws {
        let (etcd, endpoint) = (try Etcd(), try Responder())
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        let soon = endpoint.token.with([
            "expires_at": .integer(Int(Date().timeIntervalSince1970) + 1000), "refresh_token": "rt-0",
        ])
        try machine.oap("store", "put", "work", input: JSON.object(soon).text).run().expect(status: 0)
        var members = try record(etcd)
        members["claim"] = .object(["by": "dead/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 3600])
        try etcd.control("put", "test/work", JSON.object(members).text)
        let result = try machine.oap("token", "work", "--min-ttl", "3000").run().expect(status: 0)
        #expect(result.text == (soon["access_token"]?.string ?? "") + "\n" && result.errorText.isEmpty, "\(result)")
        #expect(try record(etcd) == members && endpoint.requests.isEmpty)
    }

    @Test("a record at the last revision of all is strange: nothing follows it, and nothing is lost")
    func lastRevision() throws {
        let name = Data("test/work".utf8).base64EncodedString()
        let claimed = #"{"v":1,"token":"eyJ","again":0,"claim":{"by":"b","nonce":"n","ttl":20}}"#
        let value = Data(claimed.utf8).base64EncodedString()
        for (revision, number) in [("9223372036854775807", 1), ("0", 2), ("-5", 3), ("", 4)] {
            let etcd = try Responder { _ in
                .json(
                    #"""
                    {"header": {"cluster_id": "1", "revision": "5"},
                    "kvs": [{"key": "\#(name)", "mod_revision": "\#(revision)", "value": "\#(value)"}]}
                    """#)
            }
            let machine = try EtcdMachine.make("etcd:\(etcd.url())/test", 1)[0]
            for command in [["store", "delete", "work"], ["logout", "work"], ["token", "work"]] {
                var program = machine.oap("store", "list")
                program.arguments = command
                let result = try program.run().expect(status: 11)
                #expect(result.errorText.contains("etcd at \(etcd.url())"), "\(number): \(result)")
            }
        }
    }

    @Test("each spelling of the address has the same folder of the machine")
    func spellings() throws {
        let etcd = try Etcd()
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        let address = etcd.store.dropFirst("etcd:".count)
        var formers = Set<String>()
        for (number, spelling) in [
            "etcd:\(address)", "etcd:\(address)/", "etcd:HTTP\(address.dropFirst(4))",
            "etcd:\(etcd.endpoints[0])/,\(address)",
        ].enumerated() {
            var home = machine.home
            home.environment["OAP_STORE"] = spelling
            // Earlier versions named the folder after the text.
            let former = try Program.shell("printf %s '\(spelling)' | sha256sum | cut -c1-16").run().text.prefix(16)
            let late = "other.\(number)AAAAAAAAAAAAAAAAAAAAA.late"
            try machine.home.home.write("{}", to: ".local/state/oap/shared/\(former)/\(late)")
            formers.insert(String(former))
            try home.oap("store", "put", "work\(number)", input: #"{"access_token":"at"}"#).run().expect(status: 0)
        }
        #expect(machine.files.count == 4 && Set(machine.files.map { $0.prefix(16) }).count == 1, "\(machine.files)")
        #expect(formers.count == 4 && formers.contains(machine.files[0].prefix(16).description))
        try machine.oap("store", "list", "-r", "-q", ".name").run().expect(status: 0)
            .expect(output: "work0\nwork1\nwork2\nwork3\n")
    }

    @Test("a client of etcd by others reads the record, and a library of others opens the token in it")
    func judged() throws {
        let etcd = try Etcd()
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        try machine.oap("store", "put", "work", input: #"{"access_token":"at"}"#).run().expect(status: 0)
        let script = """
            import json, sys
            from etcd3gw.client import Etcd3Client
            from joserfc import jwe
            from joserfc.jwk import OctKey
            value, about = Etcd3Client(port=int(sys.argv[1])).get("test/work", metadata=True)[0]
            record = json.loads(value)
            key, registry = OctKey.import_key(json.load(open(sys.argv[2]))), jwe.JWERegistry(strict_check_header=False)
            token = jwe.decrypt_compact(record["token"], key, registry=registry)
            print(record["v"], record["again"], about["version"], token.headers()["oap_name"], token.plaintext.decode())
            """
        let port = try #require(etcd.endpoints[0].split(separator: ":").last.map(String.init))
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        let judge = Program(
            path: cache + "/oap-tests/clients/bin/python",
            arguments: ["-c", script, port, machine.home.home.path("key")])
        let words = try judge.run().expect(status: 0).text
        #expect(words.hasPrefix("1 0 1 work {") && words.contains(#""access_token":"at""#), "\(words)")
    }

    @Test(
        "a claim of a machine that died is taken over when its time is over, as a second request that the record names")
    func takenOver() throws {
        let (etcd, endpoint) = (try Etcd(), try Responder(Self.rotating(1)))
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        var members = try record(etcd)
        members["claim"] = .object(["by": "dead/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 1])
        try etcd.control("put", "test/work", JSON.object(members).text)
        let start = Date()
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(Date().timeIntervalSince(start) > 2)
    }

    @Test("a watch that etcd ends at once, since its revision was compacted, does not hide what happens")
    func compacted() throws {
        let (etcd, endpoint) = (try Etcd(), try Responder(Self.rotating(1)))
        let machines = try EtcdMachine.make(etcd.store)
        try machines[0].oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        let free = try record(etcd)
        var members = free
        members["claim"] = .object(["by": "other/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 3600])
        try etcd.control("put", "test/work", JSON.object(members).text)
        for _ in 0..<3 { try etcd.control("put", "elsewhere", "x") }
        let about = try JSON(parsing: Array(etcd.control("get", "-w", "json", "elsewhere").utf8))
        let revision = try #require(about.object?["header"]?.object?["revision"]?.integer)
        try etcd.control("compact", String(revision))
        let waiting = try machines[1].oap("token", "work").start()
        // The claim was read.
        while !machines[1].hasSeen { usleep(10_000) }
        let start = Date()
        try etcd.control("put", "test/work", JSON.object(free).text)
        try waiting.finish().expect(status: 0).expect(output: "at-1\n")
        #expect(Date().timeIntervalSince(start) < 6)
    }

    @Test("an answer that the store could not take is kept in a sealed file, and offered once")
    func late() throws {
        let etcd = try Etcd()
        let endpoint = try Responder { _ in
            etcd.stop(0)
            return Self.rotating(1)
        }
        let machines = try EtcdMachine.make(etcd.store)
        let (machine, other) = (machines[0], machines[1])
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        let result = try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(result.errorText.contains("until the store has it") && machine.files.count == 1, "\(result)")
        let text = try machine.home.home.read(".local/state/oap/shared/" + machine.files[0])
        #expect(!text.contains("rt-1"))
        try etcd.restart(0)
        let next = try machine.oap("store", "get", "work").run().expect(status: 0)
        #expect(try next.object()["refresh_token"] == "rt-1" && machine.files.isEmpty, "\(next)")
        // The file of a machine that is gone, at another one.
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        let late = other.oap("store", "put", "work", "--if-newer", input: text)
        #expect(try late.run().expect(status: 0).errorText.contains("is stored now"))
        #expect(try other.oap("store", "get", "work").run().expect(status: 0).object()["refresh_token"] == "rt-1")
        try machine.oap("store", "put", "work", input: expired(endpoint, refresh: "rt-7")).run().expect(status: 0)
        #expect(try late.run().expect(status: 0).errorText.contains("older than the stored one"))
        #expect(try other.oap("store", "get", "work").run().expect(status: 0).object()["refresh_token"] == "rt-7")
        try other.oap("store", "put", "work", "--if-newer", input: "{}").run().expect(status: 11)
        try EtcdMachine.make(etcd.store, 1)[0].oap("store", "put", "work", "--if-newer", input: text).run()
            .expect(status: 11)
        var plain = other.home
        plain.environment["OAP_STORE"] = nil
        try plain.oap("store", "put", "work", "--if-newer").run().expect(status: 2)
    }

    @Test("without a key, without a member, and with a record of others nothing is sent and nothing overwritten")
    func refused() throws {
        let (etcd, endpoint) = (try Etcd(), try Responder(Self.rotating(1)))
        let machines = try EtcdMachine.make(etcd.store)
        try machines[0].oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        var bare = machines[0].home
        bare.environment["OAP_STORE_KEY_FILE"] = nil
        let keyless = try bare.oap("token", "work").run().expect(status: 11)
        #expect(keyless.errorText.contains("oap store key"), "\(keyless)")
        let other = try EtcdMachine.make(etcd.store, 1)[0]
        try other.oap("token", "work").run().expect(status: 11)
        for text in [#"{"v":2}"#, "{}", "<html>", "", #"{"v":1,"again":0,"token":"{}"}"#] {
            try etcd.control("put", "test/work", "--", text)
            try machines[1].oap("token", "work").run().expect(status: 11)
            try machines[1].oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 11)
            #expect(try etcd.control("get", "--print-value-only", "test/work") == text + "\n")
        }
        try machines[1].oap("store", "delete", "work").run().expect(status: 0)
        #expect(try etcd.control("get", "--print-value-only", "test/work").isEmpty)
        etcd.stop(0)
        let silent = try machines[1].oap("token", "work", "--retry", "0").run().expect(status: 6)
        #expect(silent.errorText.contains("etcd at http://127.0.0.1:"), "\(silent)")
        #expect(endpoint.requests.isEmpty)
    }

    @Test("a prefix of a kilobyte and a token of 64 KiB are kept; one that is too large for etcd is refused")
    func sizes() throws {
        let etcd = try Etcd()
        let prefix = String(repeating: "p", count: 1024)
        let machine = try EtcdMachine.make(etcd.endpoints[0].replacing("http", with: "etcd:http") + "/" + prefix, 1)[0]
        let token = String(repeating: "a", count: 65_536)
        try machine.oap("store", "put", "work", input: #"{"access_token":"\#(token)"}"#).run().expect(status: 0)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: token + "\n")
        try machine.oap("store", "list", "-r", "-q", ".name").run().expect(status: 0).expect(output: "work\n")
        for count in [1_300_000, 3_000_000] {
            let large = String(repeating: "a", count: count)
            let result = try machine.oap("store", "put", "work", input: #"{"access_token":"\#(large)"}"#).run()
            #expect(result.expect(status: 11).errorText.contains("too large"), "\(result.errorText)")
        }
        try machine.oap("token", "work").run().expect(status: 0).expect(output: token + "\n")
    }

    @Test("a member that does not answer is asked once more, for ten seconds")
    func silent() throws {
        let member = try Responder { _ in Responder.Reply.json("{}").after(Responder.Gate()) }
        let machine = try EtcdMachine.make("etcd:\(member.url())", 1)[0]
        let result = try machine.oap("token", "work").run().expect(status: 6)
        #expect(result.errorText.contains("timed out after 10") && member.requests.count == 2, "\(result)")
    }

    @Test("a member that is down is passed over")
    func memberDown() throws {
        let (etcd, endpoint) = (try Etcd(members: 3), try Responder(Self.rotating(1)))
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        try machine.oap("store", "put", "work", input: expired(endpoint)).run().expect(status: 0)
        etcd.stop(1)
        for _ in 0..<6 { try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n") }
        #expect(endpoint.requests.count == 1)
    }

    @Test("a cluster with certificates and users takes those of OAP_ETCD_*, and each refusal says what is wrong")
    func access() throws {
        let certificates = try ClientCertificates()
        try certificates.make("server", subject: "/O=etcd", issuer: "ca", address: "127.0.0.1")
        try certificates.make("machine", subject: "/O=machine", issuer: "ca")
        try certificates.make("named", subject: "/CN=oap", issuer: "ca")
        let etcd = try Etcd(certificates: certificates)
        try etcd.control("user", "add", "root:root-password")
        try etcd.control("user", "grant-role", "root", "root")
        try etcd.control("role", "add", "tokens")
        try etcd.control("role", "grant-permission", "tokens", "--prefix=true", "readwrite", "test/")
        try etcd.control("user", "add", "oap:oap-password")
        try etcd.control("user", "grant-role", "oap", "tokens")
        try etcd.control("auth", "enable")
        etcd.user = "root:root-password"
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        let good = [
            "OAP_ETCD_CACERT": certificates.path("ca"), "OAP_ETCD_CERT": certificates.path("machine"),
            "OAP_ETCD_KEY": certificates.path("machine", "key"), "OAP_ETCD_USER": "oap",
            "OAP_ETCD_PASSWORD_FILE": try machine.home.home.write("oap-password\n", to: "password"),
        ]
        chmod(machine.home.home.path("password"), 0o600)
        func home(_ changes: [String: String?]) -> StoreHome {
            var home = machine.home
            home.environment.merge(good) { $1 }
            for (name, value) in changes { home.environment[name] = value }
            return home
        }
        try home([:]).put(#"{"access_token":"at"}"#, as: "work")
        let shown = try home([:]).oap("token", "-vv", "work").run().expect(status: 0).expect(output: "at\n")
        #expect(shown.errorText.contains("/v3/kv/range") && !shown.errorText.contains("oap-password"))
        let wrong = try machine.home.home.write("other", to: "wrong")
        var files = 0
        func file(_ text: String, _ mode: mode_t = 0o600) throws -> String {
            files += 1
            let path = try machine.home.home.write(text, to: "file\(files)")
            chmod(path, mode)
            return path
        }
        let key = try String(contentsOfFile: certificates.path("machine", "key"), encoding: .utf8)
        for (name, path) in [
            ("PASSWORD_FILE", try file("oap-password\r\n", 0o644)), ("KEY", try file(key, 0o644)),
        ] {
            let used = try home(["OAP_ETCD_\(name)": path]).oap("token", "work").run().expect(status: 0)
            used.expect(output: "at\n").expect(errorLine: "oap: token: warning: other users can read \(path)")
        }
        let refusals: [([String: String?], String)] = [
            (["OAP_ETCD_PASSWORD_FILE": wrong], "authentication failed"),
            (["OAP_ETCD_PASSWORD_FILE": try file("oap-\u{1}password")], "holds a control character"),
            (["OAP_ETCD_PASSWORD_FILE": try file("oap-password\n\n")], "has 2 lines; a secret is one line"),
            (["OAP_ETCD_PASSWORD_FILE": try file("oap-password", 0o620)], "others can write to it"),
            (["OAP_ETCD_PASSWORD_FILE": try file("\r\n")], "is empty"),
            (["OAP_ETCD_PASSWORD_FILE": machine.home.home.path("missing")], "no such file"),
            (["OAP_ETCD_KEY": try file(key, 0o666)], "others can write to it"),
            (["OAP_ETCD_USER": nil], "OAP_ETCD_USER"),
            (["OAP_ETCD_USER": ""], "OAP_ETCD_USER is set but empty"),
            (["OAP_ETCD_CERT": certificates.path("named"), "OAP_ETCD_KEY": certificates.path("named", "key")], "CN"),
            (["OAP_ETCD_CERT": nil, "OAP_ETCD_KEY": nil], "OAP_ETCD_CERT"),
            (["OAP_ETCD_CACERT": nil], "certificate"),
            (["OAP_STORE": etcd.store + "2"], "etcdctl role grant-permission"),
        ]
        for (changes, words) in refusals {
            let refused = try home(changes).oap("token", "work").run().expect(status: 11)
            #expect(refused.errorText.contains(words), "\(refused)")
        }
    }
}
