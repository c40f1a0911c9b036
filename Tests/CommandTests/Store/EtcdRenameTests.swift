import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

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
        let machines = try EtcdMachine.make(etcd.store)
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
    }

    @Test("the old name is claimed before it goes, so that no other machine renews the token meanwhile")
    func claims() throws {
        let etcd = try Etcd()
        let machine = try EtcdMachine.make(etcd.store, 1)[0]
        try machine.oap("store", "put", "work", input: #"{"access_token":"at"}"#).run().expect(status: 0)
        try machine.oap("store", "rename", "work", "new").run().expect(status: 0)
        let now = try JSON(parsing: Array(etcd.control("get", "-w", "json", "test/new").utf8))
        let last = try #require(now.object?["header"]?.object?["revision"]?.integer)
        let versions = try (2...last).map { revision in
            try etcd.control("get", "--print-value-only", "--rev=\(revision)", "test/work")
        }
        #expect(versions.contains { $0.contains("\"claim\"") } && versions.last == "", "\(versions)")
    }
}
