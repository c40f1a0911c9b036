import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Stores of several machines, each a home of its own, in a double of Kubernetes; KubernetesJudgeTests judges the double.
@Suite("A store in Kubernetes")
struct KubernetesTests {
    @Test(
        "what one machine stores, lists, renews and deletes, another one sees; a Secret has nothing but a sealed record"
    )
    func shared() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machines = try KubernetesMachine.make(2, for: cluster)
        try machines[0].putExpired(endpoint)
        try machines[1].oap("store", "list", "-q", ".name").run().expect(status: 0).expect(output: #""work""# + "\n")
        let (secret, before) = (try #require(try cluster.secret()), try cluster.record())
        #expect(secret["type"] == "Opaque" && secret["data"]?.object?.count == 1)
        let metadata = try #require(secret["metadata"]?.object)
        #expect(metadata["annotations"] == .object(["oap/name": "work"]))
        #expect(metadata["labels"] == .object(["app.kubernetes.io/managed-by": "oap"]))
        #expect(before["v"] == 1 && before["again"] == 0 && before["claim"] == nil)
        #expect(before["token"]?.string?.hasPrefix("ey") == true)
        try machines[1].oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try machines[0].oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1 && machines.allSatisfy { $0.late.isEmpty })
        let after = try cluster.record()
        #expect(after["claim"] == nil && after["again"] == 0 && after["token"] != before["token"])
        try machines[0].oap("store", "delete", "work").run().expect(status: 0)
        #expect(try cluster.secret() == nil)
        try machines[1].oap("token", "work").run().expect(status: 8)
        try machines[1].oap("store", "list").run().expect(status: 0).expect(output: "")
        let changes = try cluster.requests("update") + cluster.requests("delete")
        #expect(changes.count == 3 && changes.allSatisfy { $0["isConditional"] == true }, "\(changes)")
    }

    @Test("a name with capitals, signs and 128 characters is a Secret of its own")
    func names() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        let document = JSON.object(endpoint.token).text
        let names = ["WORK", "a.b_c@d:e-f", String(repeating: "Z", count: 128), "work"]
        for name in names { try machine.oap("store", "put", name, input: document).run().expect(status: 0) }
        let listed = try machine.oap("store", "list", "-q", ".name").run().expect(status: 0)
        #expect(listed.text.split(separator: "\n").map(String.init) == names.sorted().map { #""\#($0)""# })
        var other = machine.home
        other.environment["OAP_STORE"] = "kubernetes:fleet/other"
        try other.oap("store", "list").run().expect(status: 0).expect(output: "")
        for name in names { try machine.oap("store", "get", name).run().expect(status: 0) }
    }

    @Test("thirty processes on five machines over one expired token make one request, under a claim in the record")
    func crowd() throws {
        let (arrived, answer) = (Responder.Gate(), Responder.Gate())
        let cluster = try Kubernetes()
        let endpoint = try Responder { _ in
            arrived.open()
            return .renewed.after(answer)
        }
        let machines = try KubernetesMachine.make(5, for: cluster)
        try machines[0].putExpired(endpoint)
        let running = try (0..<30).map { try machines[$0 % 5].oap("token", "work").start() }
        #expect(arrived.wait())
        #expect(try cluster.record()["claim"]?.object?["nonce"]?.string?.utf8.count == 22)
        answer.open()
        for process in running { try process.finish().expect(status: 0).expect(output: "at-1\n") }
        #expect(endpoint.requests.count == 1)
        #expect(try cluster.record()["claim"] == nil)
        #expect(try cluster.requests("update").allSatisfy { $0["isConditional"] == true })
    }

    /// Lets another machine claim the token.
    private func claim(in cluster: Kubernetes, seconds: Int) throws {
        let claim: JSONObject = ["by": "dead/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": .integer(seconds)]
        try cluster.set(record: JSON.object(cluster.record().setting("claim", to: .object(claim))).text)
    }

    @Test(
        "a claim of a machine that died is taken over when its time is over, as a second request that the record names")
    func takenOver() throws {
        let cluster = try Kubernetes()
        let doubts = Doubts()
        let endpoint = try Responder { _ in
            doubts.note(try? cluster.record()["again"])
            return .renewed
        }
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        try claim(in: cluster, seconds: 1)
        let start = Date()
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(Date().timeIntervalSince(start) > 2)
        #expect(doubts.seen == [1])
        #expect(try cluster.record()["again"] == 0)
    }

    @Test(
        "who waits for a claim watches, and goes on when the record changes, whatever becomes of the watch",
        arguments: ["", "410", "410 inside", "cut", "reset", "500", "html"])
    func watched(_ fault: String) throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        // Longer than the test.
        try claim(in: cluster, seconds: 3600)
        if !fault.isEmpty { try cluster.fault("watch", fault) }
        let waiting = try machine.oap("token", "work").start()
        #expect(try cluster.control("wait", ["verb": "watch", "count": fault.isEmpty ? 1 : 2]) == true)
        #expect(endpoint.requests.isEmpty)
        try cluster.set(record: JSON.object(cluster.record().setting("claim", to: nil)).text)
        try waiting.finish().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
        let query = try #require(cluster.requests("watch").first?["query"]?.object)
        #expect(query["fieldSelector"]?.string == "metadata.name=\(Kubernetes.work)" && query["resourceVersion"] == nil)
    }

    @Test("a server that takes three seconds to answer is waited for at last")
    func slow() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        try machine.oap("token", "work").run().expect(status: 0)
        try cluster.fault("get", "slow", count: 3)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
    }

    /// What happens to a request that was carried out, or not.
    private static let faults = ["500", "504", "reset", "html", "429", "done, 500", "done, 504", "done, reset"]

    @Test("a claim of which nobody knows whether it was made is looked for, and the token used once", arguments: faults)
    func unknownClaim(_ fault: String) throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        try cluster.fault("update", fault)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
        let record = try cluster.record()
        #expect(record["claim"] == nil && record["again"] == 0 && machine.late.isEmpty)
        #expect(try cluster.requests("update").allSatisfy { $0["isConditional"] == true })
    }

    @Test("a new token of which nobody knows whether it was stored is looked for, and stored once", arguments: faults)
    func unknownToken(_ fault: String) throws {
        let cluster = try Kubernetes()
        let endpoint = try Responder { _ in
            do { try cluster.fault("update", fault) } catch { return .text("\(error)", status: 500) }
            return .renewed
        }
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1 && machine.late.isEmpty)
        let kept = try machine.oap("store", "get", "work").run().expect(status: 0).object()
        #expect(kept["refresh_token"] == "rt-1")
        #expect(try cluster.record()["claim"] == nil)
    }

    @Test("a read, a new Secret and a claim that another client overtakes meet their faults too")
    func others() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        for fault in Self.faults + ["overtaken"] {
            try cluster.fault("create", fault)
            try machine.putExpired(endpoint)
            try machine.oap("store", "get", "work").run().expect(status: 0)
            try machine.oap("store", "delete", "work").run().expect(status: 0)
        }
        try machine.putExpired(endpoint)
        for fault in Self.faults.prefix(5) {
            try cluster.fault("get", fault)
            try machine.oap("store", "get", "work").run().expect(status: 0)
        }
        try cluster.fault("update", "overtaken")
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
        #expect(try cluster.requests("update").allSatisfy { $0["isConditional"] == true })
    }

    @Test("a mark on a refused token does not overwrite the newer one that another machine stores meanwhile")
    func marked() throws {
        let cluster = try Kubernetes()
        let api = try Responder { _ in
            .text("", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        let machine = try KubernetesMachine.make(for: cluster)[0]
        func put(_ token: String) throws {
            let document: JSONObject = [
                "access_token": .string(token), "token_type": "Bearer", "api_base": .string(api.url()),
            ]
            try machine.oap("store", "put", "work", input: JSON.object(document).text).run().expect(status: 0)
        }
        var overtaken = 0
        // Before each read of the Secret.
        for count in 0..<5 {
            try put("new")
            let newer: JSONObject = [
                "metadata": .object(["name": .string(Kubernetes.work)]),
                "data": try #require(cluster.secret()?["data"]),
            ]
            try put("old")
            try cluster.control(
                "fault", ["verb": "get", "kind": "", "skip": .integer(count), "secret": .object(newer)])
            _ = try machine.oap("call", "-p", "work", api.url("/x")).run()
            guard try cluster.control("clear") == 0 else { continue }
            overtaken += 1
            let kept = try machine.oap("store", "get", "work").run().expect(status: 0).object()
            #expect(kept["access_token"] == "new", "before read \(count)")
        }
        #expect(overtaken > 2)
    }

    @Test(
        "what is stored with the same refresh token leaves the claim that another machine makes meanwhile, and the doubt"
    )
    func claimedMeanwhile() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder())
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        let claim: JSON = .object(["by": "other/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 20])
        let claimed = try cluster.record().setting("claim", to: claim).setting("again", to: 2)
        let text = JSON.string(Base64.encode(JSON.object(claimed).bytes))
        let secret: JSONObject = [
            "metadata": .object(["name": .string(Kubernetes.work)]), "data": .object(["record": text]),
        ]
        // After the read that found it free.
        try cluster.control("fault", ["verb": "get", "kind": "", "skip": 1, "secret": .object(secret)])
        try machine.putExpired(endpoint)
        #expect(try cluster.control("clear") == 0)
        let record = try cluster.record()
        #expect(record["claim"] == claim && record["again"] == 2 && record["token"] != claimed["token"])
    }

    @Test("an answer that the store could not take is kept in a sealed file, and offered once")
    func late() throws {
        let cluster = try Kubernetes()
        let endpoint = try Responder { _ in
            do { try cluster.fault("update", "500", count: 1000) } catch { return .text("\(error)", status: 500) }
            return .renewed
        }
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        let result = try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(result.errorText.contains("until the store has it") && machine.late.count == 1, "\(result)")
        try cluster.control("clear")
        let next = try machine.oap("store", "get", "work").run().expect(status: 0)
        #expect(try next.object()["refresh_token"] == "rt-1" && machine.late.isEmpty, "\(next)")
    }
}

/// The doubts that a record had while an endpoint was asked.
private final class Doubts: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [JSON?] = []

    func note(_ value: JSON??) { lock.withLock { values.append(value ?? nil) } }

    var seen: [JSON?] { lock.withLock { values } }
}
