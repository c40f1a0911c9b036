import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Clients of others at the same double, so that it is not an invention: kubectl, and the Python client of Debian.
@Suite("Clients of Kubernetes judge the double and the store")
struct KubernetesJudgeTests {
    /// A cluster, a machine with a token in it, and what the other clients find it by.
    private struct Scene {
        let cluster: Kubernetes
        let endpoint: Responder
        let machine: KubernetesMachine

        init() throws {
            cluster = try Kubernetes()
            endpoint = try Responder(.renewed)
            machine = try KubernetesMachine.make(for: cluster)[0]
        }

        func kubectl(_ arguments: String..., input: String? = nil) -> Program {
            var program = Program(path: "/usr/bin/env", arguments: ["kubectl"] + arguments)
            if let input { program.input = .text(input) }
            program.environment = environment
            return program
        }

        func python(_ script: String) -> Program {
            let preface = """
                import base64, json, sys
                from kubernetes import client, config, watch
                from kubernetes.client.rest import ApiException
                config.load_kube_config()
                api = client.CoreV1Api()
                def refused(status, reason, call, *arguments, **named):
                    try: call(*arguments, **named)
                    except ApiException as error:
                        assert (error.status, json.loads(error.body)['reason']) == (status, reason), error
                    else: raise AssertionError(f'no {reason}')

                """
            var program = Program(path: "/usr/bin/python3", arguments: ["-c", preface + script])
            program.environment = environment
            return program
        }

        private var environment: [String: String] {
            ["HOME": machine.home.home.path, "KUBECONFIG": machine.home.environment["KUBECONFIG"] ?? ""]
        }
    }

    @Test("kubectl makes the empty Secret, reads the record, and sees its changes and its end")
    func kubectl() throws {
        let scene = try Scene()
        let name = Kubernetes.work
        // Later versions would send the rest of this command as Protocol Buffers.
        let empty = try scene.kubectl(
            "create", "secret", "generic", name, "-n", "fleet", "--dry-run=client", "-o", "json"
        ).run().expect(status: 0).text
        let create = scene.kubectl("create", "-n", "fleet", "--validate=false", "-f", "-", input: empty)
        try create.run().expect(status: 0).expect(output: "secret/\(name) created\n")
        let again = try create.run().expect(status: 1)
        #expect(again.errorText.contains("AlreadyExists"), "\(again)")
        try scene.machine.oap("token", "work").run().expect(status: 8)
        let watching = try scene.kubectl(
            "get", "secret", name, "-n", "fleet", "-w", "--output-watch-events", "-o", "json"
        )
        .start()
        _ = try watching.outputLine { $0.contains(#""ADDED""#) }
        try scene.machine.putExpired(scene.endpoint)
        _ = try watching.outputLine { $0.contains(#""MODIFIED""#) }
        #expect(try scene.cluster.requests("create").count == 2)
        let found = try scene.kubectl(
            "get", "secrets", "-n", "fleet", "-l", "app.kubernetes.io/managed-by=oap", "-o",
            #"jsonpath={.items[*].metadata.annotations.oap/name} {.items[*].data.record}"#
        ).run().expect(status: 0).text.split(separator: " ").map(String.init)
        #expect(found.first == "work")
        let record = try JSON(parsing: try #require(found.last.flatMap(Base64.decode)))
        #expect(try record == .object(scene.cluster.record()))
        try scene.machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try scene.machine.oap("store", "delete", "work").run().expect(status: 0)
        _ = try watching.outputLine { $0.contains(#""DELETED""#) }
        let gone = try scene.kubectl("get", "secret", name, "-n", "fleet").run().expect(status: 1)
        #expect(gone.errorText.contains("NotFound"), "\(gone)")
    }

    @Test("what kubectl edits, copies and makes immutable, oap reads or refuses, and does not overwrite")
    func edited() throws {
        let scene = try Scene()
        try scene.machine.putExpired(scene.endpoint)
        let name = Kubernetes.work
        let before = try scene.kubectl("get", "secret", name, "-n", "fleet", "-o", "json").run().expect(status: 0)
        func patch(_ text: String) throws -> ProgramResult {
            try scene.kubectl("patch", "secret", name, "-n", "fleet", "--type=merge", "-p", text).run()
        }
        try patch(#"{"data":{"record":"e30="}}"#).expect(status: 0)
        let refused = try scene.machine.oap("token", "work").run().expect(status: 11)
        #expect(refused.errorText.contains("not one of oap"), "\(refused)")
        // The version in the copy is an old one.
        let late = try scene.kubectl("replace", "--validate=false", "-f", "-", input: before.text).run().expect(
            status: 1)
        #expect(late.errorText.contains("the object has been modified"), "\(late)")
        var object = try before.object()
        var metadata = try #require(object["metadata"]?.object)
        metadata.remove(["resourceVersion", "uid"])
        object["metadata"] = .object(metadata)
        try scene.kubectl("replace", "--validate=false", "-f", "-", input: JSON.object(object).text).run().expect(
            status: 0)
        try scene.machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try patch(#"{"immutable":true}"#).expect(status: 0)
        try scene.machine.oap("store", "get", "work").run().expect(status: 11)
        let fixed = try patch(#"{"data":{"record":"e30="}}"#).expect(status: 1)
        #expect(fixed.errorText.contains("immutable"), "\(fixed)")
    }

    @Test("the Python client meets the same versions, conflicts, watches and preconditions as oap")
    func python() throws {
        let scene = try Scene()
        try scene.machine.putExpired(scene.endpoint)
        let script = """
            name = '\(Kubernetes.work)'
            mine = api.read_namespaced_secret(name, 'fleet')
            assert mine.metadata.annotations == {'oap/name': 'work'} and mine.type == 'Opaque', mine
            record = json.loads(base64.b64decode(mine.data['record']))
            assert record['v'] == 1 and record['again'] == 0, record
            refused(409, 'AlreadyExists', api.create_namespaced_secret, 'fleet', client.V1Secret(metadata={'name': name}))
            refused(404, 'NotFound', api.read_namespaced_secret, 'other', 'fleet')
            record['again'] = 3
            mine.data['record'] = base64.b64encode(json.dumps(record).encode()).decode()
            written = api.replace_namespaced_secret(name, 'fleet', mine)
            assert written.metadata.resource_version != mine.metadata.resource_version
            refused(409, 'Conflict', api.replace_namespaced_secret, name, 'fleet', mine)
            seen = []
            for event in watch.Watch().stream(
                    api.list_namespaced_secret, 'fleet', field_selector='metadata.name=' + name, timeout_seconds=20):
                seen.append(event['type'])
                assert event['object'].data['record'] == mine.data['record']
                break
            assert seen == ['ADDED'], seen
            stale = client.V1DeleteOptions(preconditions={'resourceVersion': mine.metadata.resource_version})
            refused(409, 'Conflict', api.delete_namespaced_secret, name, 'fleet', body=stale)
            assert [one.metadata.name for one in api.list_namespaced_secret('fleet').items] == [name]
            refused(422, 'Invalid', api.create_namespaced_secret, 'fleet', client.V1Secret(metadata={'name': 'A_b'}))
            refused(403, 'Forbidden', client.CoreV1Api(client.ApiClient(anonymous)).read_namespaced_secret, name, 'fleet')
            print('agreed')
            """
        let anonymous = """
            anonymous = client.Configuration.get_default_copy()
            anonymous.api_key = {}

            """
        try scene.python(anonymous + script).run().expect(status: 0).expect(output: "agreed\n")
        let record = try scene.cluster.record()
        #expect(record["again"] == 3)
        try scene.machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        #expect(try scene.cluster.record()["again"] == 0)
        try scene.python("api.delete_namespaced_secret('\(Kubernetes.work)', 'fleet')").run().expect(status: 0)
        try scene.machine.oap("token", "work").run().expect(status: 8)
    }
}
