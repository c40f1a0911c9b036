import Errands
import TestSupport
import Testing
import Wire

@testable import TokenStore

@Suite("What the API of Kubernetes answers")
struct KubernetesRecordsTests {
    private let cluster: ScriptedKubernetes
    private let records: any SharedRecords
    private let name: TokenName

    init() throws {
        (cluster, name) = (try ScriptedKubernetes(), try TokenName("work"))
        records = try cluster.records()
    }

    /// An answer that a request gets again and again, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let verb: String
        let reply: ServerRequest.Result
        /// The outcome, or the message of the failure.
        let end: String
        /// How often the request is sent.
        var count = 1

        init(_ verb: String, _ reply: ServerRequest.Result, _ end: String, _ count: Int = 1) {
            (self.verb, self.reply, self.end, self.count) = (verb, reply, end, count)
        }

        var testDescription: String { "\(verb): \(end)" }
    }

    private static func status(_ code: Int, _ message: String = "said", after: String? = nil) -> ServerRequest.Result {
        ScriptedKubernetes.status(code, message, after.map { [HTTPField("Retry-After", $0)] } ?? [])
    }

    private static func failed(_ error: HTTPError) -> ServerRequest.Result { .failure(error) }

    private static let changes = ["create", "update", "delete"]
    private static let verbs = ["get", "list"] + changes

    /// Where it makes no difference what is asked, but for changes, which are not sent a second time.
    private static func everywhere(_ reply: ServerRequest.Result, _ end: String, _ count: Int = 1) -> [Case] {
        verbs.map { Case($0, reply, end, count) }
    }

    private static func uncertain(_ reply: ServerRequest.Result, _ end: String) -> [Case] {
        ["get", "list"].map { Case($0, reply, end, 3) } + changes.map { Case($0, reply, "unknown") }
    }

    static let cases: [Case] = {
        let groups: [[Case]] = [
            everywhere(status(400), "said"), everywhere(status(403), "said"), everywhere(status(413), "said"),
            everywhere(status(422), "said"), everywhere(status(302), "said"),
            // The token is read again once.
            everywhere(status(401), "it refuses the credentials: said", 2),
            everywhere(Script.json("no", status: 401), "it refuses the credentials: it answered 401", 2),
            uncertain(status(408), "said"), uncertain(status(500), "said"), uncertain(status(503), "said"),
            uncertain(status(599), "said"), uncertain(.failure(Fate.cut), "connection reset"),
            uncertain(failed(.malformedResponse("it is not HTTP")), "it is not HTTP"),
            uncertain(failed(.tooLarge(limit: 9)), "the response is larger than 9 bytes"),
            uncertain(Script.json(#"{"items":[]}"#), "its answer, with status 200, is not one of Kubernetes"),
            [204, 404, 409, 502].flatMap {
                uncertain(Script.json("<html>", status: $0), "its answer, with status \($0), is not one of Kubernetes")
            },
            // Nothing was sent.
            everywhere(failed(.proxy(status: 503, message: "busy")), "busy", 3),
            everywhere(failed(.proxy(status: 407, message: "no")), "no"),
            everywhere(failed(.certificate(.host, message: "another host")), "another host"),
            everywhere(failed(.network(stage: .notTLS, message: "no TLS", requestSent: false)), "no TLS"),
        ]
        return groups.flatMap { $0 } + others
    }()

    private static let others = [
        Case("get", status(404), "none"), Case("update", status(404), "lost"), Case("delete", status(404), "lost"),
        // The namespace is missing.
        Case("create", status(404, "namespaces \"fleet\" not found"), "namespaces \"fleet\" not found"),
        Case("list", status(404), "its answer is not one of Kubernetes"),
        Case("get", status(409), "its answer is not one of Kubernetes"), Case("create", status(409), "lost"),
        Case("update", status(409), "lost"), Case("delete", status(409), "lost"), Case("update", status(410), "lost"),
        // It begins again, each time with half as many pages at the most.
        Case("list", status(410), "its answer is not one of Kubernetes", 11),
        Case("get", Script.json(#"{"kind":"Secret"}"#), "its answer is not one of Kubernetes"),
        Case("update", Script.json(#"{"kind":"Secret"}"#), "its answer is not one of Kubernetes"),
        Case("list", Script.json(#"{"kind":"Secret"}"#), "its answer is not one of Kubernetes"),
    ]

    /// What the cluster calls the requests.
    private static let names = [
        "get": "read", "create": "write", "update": "write", "delete": "remove", "list": "list",
    ]

    /// The outcome of what the engine is asked, where each request of that kind is answered so.
    private func outcome(_ verb: String, _ reply: ServerRequest.Result) throws -> Result<String, StoreError> {
        let (own, bytes) = (try #require(Self.names[verb]), verb == "delete" ? nil : [2] as [UInt8])
        if verb != "create" { cluster.set(name, [1]) }
        let revision = try cluster.run(records.read(name))?.revision
        cluster.before = { [cluster] in if $0 == own { cluster.fates[own] = [Fate(reply)] } }
        cluster.log = []
        return switch verb {
        case "get": cluster.script.run(records.read(name)).map { $0 == nil ? "none" : "found" }
        case "list": cluster.script.run(records.list()).map { $0.map(\.text).joined(separator: " ") }
        default: cluster.script.run(records.replace(name, with: bytes, over: revision)).map { "\($0)" }
        }
    }

    private func words(_ result: Result<String, StoreError>) -> String {
        switch result {
        case .success(let text): text
        case .failure(let error): String(error.message.dropFirst(records.place.count + 2))
        }
    }

    @Test("each answer has one meaning, and none has a change sent again that may be done", arguments: cases)
    func answers(one: Case) throws {
        #expect(try words(outcome(one.verb, one.reply)) == one.end)
        #expect(cluster.log.count { $0 == Self.names[one.verb] } == one.count)
    }

    /// What is asked, the time to come back, how long that is in seconds, and how often the request is sent.
    typealias PutOff = (verbs: [String], after: String?, seconds: Int, count: Int)

    static let putOffs: [PutOff] = [
        (changes, "0", 0, 3), (changes, "2", 2, 3), (changes, "3", 3, 1), (changes, "3600", 3600, 1),
        (changes, "99999999999999999999", Int.max, 1), (["get", "list"], "10", 10, 3), (["get", "list"], "11", 11, 1),
        (verbs, nil, 1, 3), (verbs, "soon", 1, 3),
    ]

    @Test("who is put off comes back twice, a change only while its claim allows it", arguments: putOffs)
    func putOff(one: PutOff) throws {
        for verb in one.verbs {
            let suite = try KubernetesRecordsTests()
            let end = try suite.words(suite.outcome(verb, Self.status(429, after: one.after)))
            #expect(end == "it asks to come back in \(one.seconds) seconds")
            #expect(suite.cluster.log.count { $0 == Self.names[verb] } == one.count)
            // The last answer is not waited for.
            #expect(suite.cluster.script.passed == (one.count == 1 ? 0 : 2000 * one.seconds))
        }
    }

    @Test("the time to come back may be a date")
    func date() throws {
        cluster.set(name, [1])
        cluster.fates["read"] = [Fate(Self.status(429, after: "Fri, 15 Jan 2027 08:00:09 GMT"))]
        #expect(try cluster.run(records.read(name))?.bytes == [1])
        #expect(cluster.script.passed == 9000)
    }

    @Test("a change that was put off is made once, and the last question has more time than the others")
    func patience() throws {
        cluster.set(name, [1])
        let revision = try cluster.run(records.read(name))?.revision
        cluster.fates["write"] = [Fate(Self.status(429)), Fate(Self.status(429, after: "2"))]
        #expect(try cluster.run(records.replace(name, with: [2], over: revision)).done != nil)
        #expect(cluster.asked.map(\.maximumTime) == [2, 2, 2, 2])
        cluster.fates["read"] = [.lost, .lost]
        #expect(try cluster.run(records.read(name))?.bytes == [2])
        #expect(cluster.asked.suffix(3).map(\.maximumTime) == [2, 2, 10])
    }

    @Test("a role that lacks a verb is told the rule that has it")
    func forbidden() throws {
        let named = #"{apiGroups: [""], resources: [secrets], resourceNames: [oap-etnn4qo], verbs: "#
        for (verb, rule) in [
            "get": named + "[get, update, watch, delete]}", "update": named + "[get, update, watch, delete]}",
            "delete": named + "[get, update, watch, delete]}", "list": "[secrets], verbs: [list]}",
            "create": "verbs: [create]}, or first: kubectl create secret generic oap-etnn4qo -n fleet",
        ] {
            let suite = try KubernetesRecordsTests()
            guard case .failure(let error) = try suite.outcome(verb, Self.status(403, "it cannot")) else {
                throw try #require(nil as StoreError?)
            }
            #expect(error.message == "\(records.place): it forbids to \(verb): it cannot")
            #expect(error.hint?.hasSuffix(rule) == true, "\(verb)")
        }
    }
}
