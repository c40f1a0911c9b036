import Foundation
import TestSupport
import Testing
import Wire

@Suite("A token of a store in etcd gets another name")
struct EtcdRenameTests {
    @Test("a token that another machine renews is renamed afterwards, and the new one is kept")
    func besideRenewal() throws {
        let (arrived, answer) = (Responder.Gate(), Responder.Gate())
        let etcd = try Etcd()
        let endpoint = try Responder { _ in
            arrived.open()
            return Responder.Reply.renewed.after(answer)
        }
        let key = try Program.oap(["store", "key"]).run().expect(status: 0).text
        let machines = try (0..<2).map { _ in try EtcdMachine(etcd.store, key: key) }
        let document = endpoint.token.with(["expires_at": 1000, "refresh_token": "rt-0"])
        try machines[0].oap("store", "put", "work", input: JSON.object(document).text).run().expect(status: 0)
        let renewing = try machines[0].oap("token", "work").start()
        #expect(arrived.wait())
        let renaming = try machines[1].oap("store", "rename", "work", "new").start()
        while !machines[1].hasSeen { usleep(10_000) }
        answer.open()
        try renewing.finish().expect(status: 0).expect(output: "at-1\n")
        try renaming.finish().expect(status: 0)
        let kept = try machines[0].oap("store", "get", "new").run().expect(status: 0).object()
        #expect(kept["refresh_token"] == "rt-1")
        #expect(try etcd.control("get", "--print-value-only", "test/work").isEmpty)
        let record = try JSON(parsing: Array(etcd.control("get", "--print-value-only", "test/new").utf8)).object
        #expect(record?["claim"] == nil)
        // A name that is taken leaves no claim.
        try machines[0].oap("store", "put", "work", input: JSON.object(document).text).run().expect(status: 0)
        try machines[0].oap("store", "rename", "new", "work").run().expect(status: 11)
        #expect(try !etcd.control("get", "--print-value-only", "test/new").contains("claim"))
    }
}
