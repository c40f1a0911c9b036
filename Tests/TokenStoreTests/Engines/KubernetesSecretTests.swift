import Errands
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

@Suite("Secrets of Kubernetes that hold records")
struct KubernetesSecretTests {
    private let cluster: ScriptedKubernetes
    private let records: any SharedRecords
    private let (name, other): (TokenName, TokenName)

    init() throws {
        (cluster, name, other) = (try ScriptedKubernetes(), try TokenName("work"), try TokenName("other"))
        records = try cluster.records()
    }

    @Test("a Secret is read again after a change whose outcome is unknown, before another one goes over it")
    func afterUnknown() throws {
        cluster.set(name, [1])
        let revision = try cluster.run(records.read(name))?.revision
        (cluster.fates["write"], cluster.log) = ([.lost, .unheard], [])
        #expect(try cluster.run(records.replace(name, with: [2], over: revision)) == .unknown)
        #expect(try cluster.run(records.replace(name, with: [3], over: revision)) == .unknown)
        #expect(try cluster.run(records.replace(name, with: [4], over: revision)) == .lost)
        #expect(cluster.log == ["write", "read", "write", "read"])
        #expect(cluster.bytes(of: name) == [3])
    }

    @Test("a change that meets itself, since it was sent twice, is done", arguments: [true, false])
    func twice(isNew: Bool) throws {
        if !isNew { cluster.set(name, [1]) }
        let revision = try cluster.run(records.read(name))?.revision
        cluster.fates["write"] = [Fate(isDone: true, ScriptedKubernetes.status(409))]
        let done = try cluster.run(records.replace(name, with: [2], over: revision)).done
        #expect(try cluster.run(records.read(name))?.revision == done)
        #expect(cluster.bytes(of: name) == [2])
    }

    @Test("an empty Secret that an administrator made holds no record, keeps what else it has, and is filled")
    func empty() throws {
        for secret in [name, other] {
            cluster.make(secret) { object in
                object["metadata"] = object["metadata"]?.object.map {
                    .object($0.setting("labels", to: .object(["team": .string(secret.text)])))
                }
            }
        }
        #expect(try cluster.run(records.read(name)) == nil)
        // Another one is in mind now, of which there is no record either.
        #expect(try cluster.run(records.read(other)) == nil)
        let first = try #require(try cluster.run(records.replace(name, with: [1], over: nil)).done)
        #expect(try cluster.run(records.replace(name, with: [2], over: first)).done != nil)
        for (secret, bytes) in [(name, [2]), (other, nil)] as [(TokenName, [UInt8]?)] {
            let metadata = cluster.object(of: secret)?["metadata"]?.object
            #expect(metadata?["labels"]?.object?["team"]?.string == secret.text)
            // By which it is listed.
            #expect(metadata?["labels"]?.object?["app.kubernetes.io/managed-by"] == (bytes == nil ? nil : "oap"))
            #expect(cluster.bytes(of: secret) == bytes)
        }
    }

    @Test("a Secret that is not fit for a record is named, and not written to")
    func unfit() throws {
        let annotated = JSON.object(["annotations": .object(["oap/name": .string("other")])])
        let owned = JSON.object(["annotations": .object(["oap/name": .string("work")])])
        for (members, reason) in [
            (["immutable": .bool(true)], "it is immutable, so no token can be kept in it"),
            (["metadata": annotated], "its annotation says that it is another token's"),
            (["metadata": owned], "its data.record is missing"),
            (["data": .object(["password": .string("YQ==")])], "its data.record is missing"),
            (["data": .object(["record": .string("%")])], "its data.record is not Base64"),
        ] as [(JSONObject, String)] {
            // It was fit when it was read first.
            cluster.make(name) { $0 = $0.changed(by: ["immutable": .null]) }
            cluster.set(name, [1])
            let revision = try cluster.run(records.read(name))?.revision
            cluster.make(name) { object in
                object = object.changed(by: ["data": .null, "immutable": .null])
                let metadata = (object["metadata"]?.object ?? [:]).setting("annotations", to: nil)
                object["metadata"] = .object(metadata.changed(by: members["metadata"]?.object ?? [:]))
                object = object.changed(by: members.setting("metadata", to: nil))
            }
            let version = cluster.version
            cluster.log = []
            for isRead in [true, false] {
                let error = #expect(throws: StoreError.self) {
                    if isRead { _ = try cluster.run(records.read(name)) }
                    _ = try cluster.run(records.replace(name, with: [2], over: revision))
                }
                #expect(error?.message.hasSuffix("Secret oap-etnn4qo of work: \(reason)") == true)
            }
            #expect(cluster.version == version)
            #expect(cluster.log.allSatisfy { $0 == "read" })
        }
    }

    @Test("a token file is read again once when the cluster refuses its token, and each token is told to the redactor")
    func token() throws {
        cluster.set(name, [1])
        for _ in 1...2 { #expect(try cluster.run(records.read(name))?.bytes == [1]) }
        #expect(cluster.learnt == ["bearer-1"])
        (cluster.token, cluster.tokenInFile) = ("bearer-2", "bearer-2")
        cluster.log = []
        let revision = try cluster.run(records.read(name))?.revision
        #expect(cluster.log == ["read", "read"])
        #expect(cluster.learnt == ["bearer-1", "bearer-2"])
        (cluster.token, cluster.log) = ("bearer-3", [])
        #expect(throws: StoreError.self) { try cluster.run(records.replace(name, with: [2], over: revision)) }
        #expect(cluster.log == ["write", "write"])
        #expect(cluster.bytes(of: name) == [1])
    }

    @Test("a list is read page after page, and from the first one on where it changed too much meanwhile")
    func list() throws {
        let names = try ["a", "b", "c", "d", "e"].map { try TokenName($0) }
        for name in names.reversed() { cluster.set(name, [1]) }
        cluster.page = 2
        // It is none of ours.
        cluster.make(name) { object in
            let metadata = object["metadata"]?.object ?? [:]
            object["metadata"] = .object(metadata.setting("annotations", to: .object(["oap/name": .string("z")])))
        }
        #expect(try cluster.run(records.list()) == names)
        #expect(cluster.log == ["list", "list", "list"])
        cluster.log = []
        var count = 0
        cluster.before = { [cluster] _ in
            count += 1
            if count == 3 { cluster.fates["list"] = [Fate(ScriptedKubernetes.status(410))] }
        }
        #expect(try cluster.run(records.list()) == names)
        #expect(cluster.log.count == 6)
    }

    @Test("a list that has no end is given up")
    func endless() throws {
        let page = #"{"kind":"SecretList","items":[],"metadata":{"continue":"1"}}"#
        cluster.before = { [cluster] in cluster.fates[$0] = [Fate(Script.json(page))] }
        #expect(throws: StoreError.self) { try cluster.run(records.list()) }
        #expect(cluster.log.count == 1001)
    }

    @Test("a request is one of the API, about one Secret or a list of names, and has room for the largest Secret")
    func requests() throws {
        let first = try #require(try cluster.run(records.replace(name, with: [1], over: nil)).done)
        let second = try #require(try cluster.run(records.replace(name, with: [2], over: first)).done)
        try cluster.run(records.change(of: name, since: second, until: cluster.script.now + .seconds(10)))
        #expect(try cluster.run(records.list()) == [name])
        #expect(try cluster.run(records.replace(name, with: nil, over: second)).done != nil)
        let start = "https://api.test:6443/api/v1/namespaces/fleet/secrets"
        #expect(cluster.script.requests.allSatisfy { $0.url.hasPrefix(start) })
        #expect(
            cluster.script.requests.map { "\($0.method) \($0.url.dropFirst(start.count))" } == [
                "GET /oap-etnn4qo", "POST ", "PUT /oap-etnn4qo",
                "GET ?watch=1&fieldSelector=metadata.name%3Doap-etnn4qo&allowWatchBookmarks=true&timeoutSeconds=10",
                "GET ?labelSelector=app.kubernetes.io%2Fmanaged-by%3Doap&limit=250", "DELETE /oap-etnn4qo",
            ])
        for request in cluster.asked {
            let (message, isList) = (request.message, request.message.url.contains("labelSelector"))
            #expect(message.headers.first("Content-Type") == (message.body == nil ? nil : "application/json"))
            #expect(message.headers.first("Accept")?.contains("as=PartialObjectMetadataList;") == isList)
            #expect(request.maximumBody == 4 << 20)
        }
    }
}
