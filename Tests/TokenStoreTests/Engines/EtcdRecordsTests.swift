import Errands
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

@Suite("What a cluster of etcd answers")
struct EtcdRecordsTests {
    private let name: TokenName

    init() throws { name = try TokenName("work") }

    /// An answer that a request gets again and again, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let reply: ServerRequest.Result
        /// The outcome of a question and of a change: the message of the failure, or another word.
        let (read, write): (String, String)
        /// How often each of them is sent.
        let (reads, writes): (Int, Int)

        /// It means the same whatever is asked.
        init(_ reply: ServerRequest.Result, _ end: String, _ reads: Int = 1, _ writes: Int = 1) {
            self.init(reply, end, end, reads, writes)
        }

        init(_ reply: ServerRequest.Result, _ read: String, _ write: String, _ reads: Int, _ writes: Int) {
            (self.reply, self.read, self.write, self.reads, self.writes) = (reply, read, write, reads, writes)
        }

        /// Each member is asked, and once more with patience; a change may have been made.
        static func uncertain(_ reply: ServerRequest.Result, _ end: String) -> Case {
            Case(reply, end, "unknown", 4, 1)
        }

        var testDescription: String { read }
    }

    /// A failure as the gateway tells it.
    private static func status(_ status: Int, _ code: Int?, _ error: String = "said") -> ServerRequest.Result {
        let members: JSONObject = ["error": .string(error), "message": .string(error)]
        return Script.json(JSON.object(members.setting("code", to: code.map(JSON.integer))).text, status: status)
    }

    private static func failed(_ error: HTTPError) -> ServerRequest.Result { .failure(error) }

    static let cases: [Case] = [
        .uncertain(status(408, 4), "said"), .uncertain(status(429, 14), "said"), .uncertain(status(500, 2), "said"),
        .uncertain(status(503, 14), "said"), .uncertain(status(599, nil), "said"),
        .uncertain(Script.json("<html>", status: 502), "it answered 502"),
        .uncertain(Script.json(#"{"message":"of gRPC"}"#, status: 503), "of gRPC"),
        .uncertain(.failure(Fate.cut), "connection reset"),
        .uncertain(failed(.network(stage: .timeout, message: "no answer", requestSent: true)), "no answer"),
        .uncertain(failed(.malformedResponse("it is not HTTP")), "it is not HTTP"),
        .uncertain(failed(.tooLarge(limit: 9)), "the response is larger than 9 bytes"),
        // Nothing was sent: the next member is asked.
        Case(failed(.network(stage: .connect, message: "away", requestSent: false)), "away", 4, 2),
        Case(failed(.proxy(status: 503, message: "busy")), "busy", 4, 2),
        // Another member would say the same.
        Case(failed(.proxy(status: 407, message: "no")), "no"),
        Case(failed(.certificate(.authority, message: "not trusted")), "not trusted"),
        Case(failed(.certificate(.client, message: "no certificate")), "no certificate"),
        Case(failed(.network(stage: .notTLS, message: "no TLS", requestSent: false)), "no TLS"),
        Case(status(429, 8), "the token is too large for it: said"),
        Case(status(400, 3), "it answered 400: said"), Case(status(404, 5), "it answered 404: said"),
        Case(Script.json("404 page not found", status: 404), "it has no JSON gateway"),
        Case(
            status(400, 3, "etcdserver: CommonName of client sending a request against gateway will be ignored"),
            "its gateway takes no client certificate with a CN while authentication is on"),
        Case(Script.json("", status: 302), "it answered 302"),
        Case(Script.json("<html>"), "its answer is not one of etcd"),
        Case(Script.json(#"{"succeeded":true,"kvs":[]}"#), "its answer is not one of etcd"),
        // It asks for a user, and there is none.
        Case(status(401, 16), "it asks for a user"), Case(status(403, 7), "it asks for a user"),
        Case(status(400, 3, "etcdserver: user name is empty"), "it asks for a user"),
    ]

    private func words<Value>(_ result: Result<Value, StoreError>, _ place: String) -> String {
        switch result {
        case .success(let value): "\(value)"
        case .failure(let error): String(error.message.dropFirst(place.count + 2))
        }
    }

    @Test("each answer has one meaning, and none has a change sent again that may be done", arguments: cases)
    func answers(one: Case) throws {
        let cluster = ScriptedEtcd()
        let records = try cluster.records()
        cluster.before = { [unowned cluster] in cluster.fates[$0] = [Fate(one.reply)] }
        #expect(words(cluster.script.run(records.read(name)), records.place) == one.read)
        #expect(cluster.log.count == one.reads)
        // The members take turns; the last round is a patient one.
        for (first, second) in zip(cluster.asked, cluster.asked.dropFirst()) { #expect(first.member != second.member) }
        #expect(cluster.asked.map { $0.seconds ?? 0 } == Array([2, 2, 10, 10].prefix(one.reads)))
        cluster.log = []
        for bytes in [[1], nil] as [[UInt8]?] {
            let result = cluster.script.run(records.replace(name, with: bytes, over: "1:5"))
            #expect(words(result, records.place) == one.write)
        }
        #expect(cluster.log.count == 2 * one.writes)
        #expect(cluster.asked.suffix(2 * one.writes).allSatisfy { $0.seconds == 2 })
    }

    @Test("a login whose connection breaks is made at the next member", arguments: [Fate.away, .lost])
    func login(fate: Fate) throws {
        let cluster = ScriptedEtcd(user: "me")
        cluster.token = "secret"
        cluster.set(name, [1])
        cluster.fates["login"] = [fate]
        let records = try cluster.records()
        #expect(try cluster.run(records.read(name))?.bytes == [1])
        #expect(cluster.log == ["read", "login", "read", "login", "read"])
        #expect(cluster.asked[1].member != cluster.asked[3].member)
        cluster.token = "another"
        cluster.fates["login"] = Array(repeating: fate, count: 9)
        let error = #expect(throws: StoreError.self) { try cluster.run(records.read(name)) }
        #expect(error?.message.contains(": connection re") == true)
    }

    @Test("who has no certificate is told of it where that may be why a connection fails")
    func hints() throws {
        let errors: [(HTTPError, Bool)] = [
            (.certificate(.client, message: ""), true), (.certificate(.host, message: ""), false), (Fate.cut, true),
        ]
        for (error, isTold) in errors {
            let cluster = ScriptedEtcd()
            cluster.before = { [unowned cluster] in cluster.fates[$0] = [Fate(.failure(error))] }
            let failure = #expect(throws: StoreError.self) { try cluster.run(cluster.records().read(name)) }
            #expect((failure?.hint?.contains("OAP_ETCD_CERT") == true) == isTold)
        }
    }

    @Test(
        "a revision is older in the same cluster with a lower number, and in another cluster always",
        arguments: [
            ("1:5", "1:5", false), ("1:6", "1:5", false), ("1:4", "1:5", true), ("1:10", "1:9", false),
            ("2:9", "1:5", true), ("2:5", "1:5", true), (":9", "1:5", true), ("1:x", "1:1", true),
        ])
    func older(revision: String, other: String, isOlder: Bool) throws {
        #expect(try ScriptedEtcd().records().isOlder(revision, than: other) == isOlder)
    }

    @Test("a revision is a number of which there is a next one, and an answer is about the key that was asked for")
    func revisions() throws {
        let key = Base64.encode(Array("test/work".utf8))
        for (revision, key, value, isGood) in [
            ("1", key, "YQ==", true), ("9223372036854775806", key, "YQ==", true), ("5", key, nil, true),
            ("9223372036854775807", key, "YQ==", false), ("0", key, "YQ==", false), ("-1", key, "YQ==", false),
            ("", key, "YQ==", false), ("1.0", key, "YQ==", false), ("5", key, "%", false),
            ("5", Base64.encode(Array("test/work2".utf8)), "YQ==", false),
        ] as [(String, String, String?, Bool)] {
            let cluster = ScriptedEtcd()
            let records = try cluster.records()
            let value = value.map { #","value":"\#($0)""# } ?? ""
            let pair = #"{"key":"\#(key)","mod_revision":"\#(revision)"\#(value)}"#
            let range = #"{"header":{"cluster_id":"7"},"kvs":[\#(pair)]}"#
            let change = #"{"header":{"cluster_id":"7","revision":"\#(revision)"},"succeeded":true}"#
            cluster.fates = ["read": [Fate(Script.json(range))], "write": [Fate(Script.json(change))]]
            let read = cluster.script.run(records.read(name))
            #expect((try? read.get()?.revision) == (isGood ? "7:\(revision)" : nil))
            guard key.hasSuffix("work"), value.hasSuffix("==") else { continue }
            let write = cluster.script.run(records.replace(name, with: [1], over: nil))
            #expect((try? write.get().done) == (isGood ? "7:\(revision)" : nil))
        }
    }

    @Test("user and password are asked for once, told to the redactor with the token, and again when it is over")
    func login() throws {
        let cluster = ScriptedEtcd(user: "oap")
        cluster.token = "token-1"
        let records = try cluster.records()
        let revision = try #require(try cluster.run(records.replace(name, with: [1], over: nil)).done)
        #expect(cluster.log == ["write", "login", "write"])
        #expect(cluster.learnt == ["password of oap", "token-1"])
        #expect(try cluster.run(records.read(name))?.bytes == [1])
        (cluster.token, cluster.log) = ("token-2", [])
        #expect(try cluster.run(records.replace(name, with: [2], over: revision)).done != nil)
        #expect(cluster.log == ["write", "login", "write"])
        #expect(cluster.learnt.suffix(2) == ["password of oap", "token-2"])
        #expect(cluster.asked.allSatisfy { $0.seconds == 2 })
        // With a token that is over, etcd refuses even to give another.
        let logins = cluster.script.requests.filter { $0.url.hasSuffix("/v3/auth/authenticate") }
        #expect(logins.map { $0.headers.first("Authorization") } == [nil, nil])
    }

    @Test("a cluster that refuses its own token, the user or the password is not asked for ever")
    func refused() throws {
        let refusals: [(verb: String, reply: ServerRequest.Result, reason: String, log: [String])] = [
            ("read", Self.status(401, 16), "it refuses its own token", ["read", "login", "read"]),
            (
                "read", Self.status(403, 7), "the user oap may not use the keys below test/", ["read", "login", "read"]
            ),
            (
                "login", Self.status(400, 3, "authentication failed"), "it answered 400: authentication failed",
                ["read", "login"]
            ),
        ]
        for (verb, reply, reason, log) in refusals {
            let cluster = ScriptedEtcd(user: "oap")
            cluster.token = "token-1"
            cluster.before = { [unowned cluster] in if $0 == verb { cluster.fates[verb] = [Fate(reply)] } }
            let records = try cluster.records()
            #expect(words(cluster.script.run(records.read(name)), records.place) == reason)
            #expect(cluster.log == log)
        }
    }

    @Test("a request is one of the JSON gateway, and a list asks for names alone")
    func requests() throws {
        let cluster = ScriptedEtcd(members: 1)
        let records = try cluster.records()
        let first = try #require(try cluster.run(records.replace(name, with: [1], over: nil)).done)
        _ = try cluster.run(records.read(name))
        try cluster.run(records.change(of: name, since: first, until: cluster.script.now))
        #expect(try cluster.run(records.list()) == [name])
        _ = try cluster.run(records.replace(name, with: nil, over: first))
        let requests = cluster.script.requests
        #expect(requests.allSatisfy { $0.method == "POST" && $0.headers.first("Content-Type") == "application/json" })
        let paths = requests.map { String($0.url.dropFirst("https://e1.test:2379/v3/".count)) }
        #expect(paths == ["kv/txn", "kv/range", "watch", "kv/range", "kv/txn"])
        let list = try JSON(parsing: try #require(requests[3].body)).object
        #expect(list?["keys_only"]?.bool == true)
    }
}
