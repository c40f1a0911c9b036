import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Credentials, roles, and Secrets that are not as `oap` writes them.
@Suite("Access to a store in Kubernetes")
struct KubernetesAccessTests {
    @Test("a kubeconfig has its certificate and key as data or as files beside it, and its token as a text or a file")
    func credentials() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        let home = machine.home.home
        for name in ["client.pem", "client.key", "ca.pem"] {
            try home.write(try String(contentsOfFile: cluster.path(name), encoding: .utf8), to: "kube/\(name)")
        }
        try home.write("admin-token\n", to: "kube/token")
        let users: [JSONObject] = [
            [
                "client-certificate-data": try cluster.data("client.pem"),
                "client-key-data": try cluster.data("client.key"),
            ],
            ["client-certificate": .string(cluster.path("client.pem")), "client-key": "client.key"],
            ["tokenFile": "token"], ["token": "admin-token", "exec": .object(["command": "false"])],
        ]
        for (user, place) in zip(users, [nil, ["certificate-authority": "ca.pem"], nil, nil] as [JSONObject?]) {
            let other = try machine.with(kubeconfig: try cluster.config(user: user, cluster: place))
            try other.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        }
        #expect(endpoint.requests.count == 1)
        let known = try cluster.requests("get").compactMap { $0["user"]?.string }
        #expect(Set(known) == ["admin"])
    }

    @Test("~/.kube/config is read where KUBECONFIG is not set, and neither is open to others")
    func places() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        var home = machine.home
        home.environment["KUBECONFIG"] = nil
        let missing = try home.oap("token", "work").run().expect(status: 11)
        #expect(missing.errorText.contains("name a kubeconfig with KUBECONFIG"), "\(missing)")
        let path = try home.home.write(try cluster.config(), to: ".kube/config")
        try home.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        chmod(path, 0o644)
        let open = try home.oap("token", "work").run().expect(status: 11)
        #expect(open.errorText.contains("others can read its credentials"), "\(open)")
    }

    @Test("a kubeconfig in YAML, and one of several files, is read as kubectl reads it; without kubectl it is said how")
    func yaml() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        let start = """
            apiVersion: v1
            kind: Config
            current-context: test   # the only one
            contexts: [{name: test, context: {cluster: c, user: u}}]
            clusters:
            - name: c
              cluster:
                server: \(cluster.server)
                certificate-authority: \(cluster.path("ca.pem"))

            """
        let users = "users:\n- name: u\n  user: {token: admin-token}\n"
        var home = try machine.with(kubeconfig: start + users).home
        try home.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        let paths = [
            try home.home.write("apiVersion: v1\nkind: Config\n" + users, to: "kube/users"),
            home.home.path("kube/none"), try home.home.write(start, to: "kube/start"),
        ]
        for path in [paths[0], paths[2]] { chmod(path, 0o600) }
        home.environment["KUBECONFIG"] = paths.joined(separator: ":")
        try home.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        chmod(paths[2], 0o644)
        let open = try home.oap("token", "work").run().expect(status: 11)
        #expect(open.errorText.contains("others can read its credentials"), "\(open)")
        chmod(paths[2], 0o600)
        home.environment["PATH"] = home.home.path
        let missing = try home.oap("token", "work").run().expect(status: 11)
        #expect(missing.errorText.contains("kubectl config view --raw --flatten --minify -o json"), "\(missing)")
    }

    @Test("what oap cannot use of a kubeconfig is named, and nothing is sent")
    func refused() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder())
        let machine = try KubernetesMachine.make(for: cluster)[0]
        let authority: JSONObject = ["certificate-authority-data": try cluster.data("ca.pem")]
        let cases: [(config: String, words: String)] = [
            ("apiVersion: v1\nkind: Config\n", "kubectl config view --raw --flatten --minify -o json"),
            ("{}", "it has no context"),
            (try cluster.config(user: ["exec": .object(["command": "login"])]), "kubectl create token"),
            (try cluster.config(cluster: authority.setting("insecure-skip-tls-verify", to: true)), "certificate"),
            (try cluster.config(cluster: authority.setting("tls-server-name", to: "other")), "certificate"),
            (try cluster.config(cluster: ["certificate-authority-data": "%"]), "not Base64"),
            (try cluster.config(cluster: [:]), "is not trusted"),
        ]
        for (config, words) in cases {
            let result = try machine.with(kubeconfig: config).oap("token", "work").run().expect(status: 11)
            #expect(result.errorText.contains(words), "\(result)")
        }
        #expect(try cluster.control("requests") == .array([]))
        let strange = try machine.with(kubeconfig: try cluster.config(user: ["token": "wrong"]))
        let result = try strange.oap("token", "work").run().expect(status: 11)
        #expect(result.errorText.contains("refuses the credentials: Unauthorized"), "\(result)")
        #expect(!result.errorText.contains("wrong") && endpoint.requests.isEmpty, "\(result)")
    }

    @Test("the file of a token is one line, which others may read with a warning, and not write")
    func tokenFile() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster, user: ["tokenFile": "token"])[0]
        let path = try machine.home.home.write("admin-token\r\n", to: "kube/token")
        try machine.putExpired(endpoint)
        chmod(path, 0o644)
        let used = try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        used.expect(errorLine: "oap: token: warning: other users can read \(path)")
        for (text, mode, words) in [
            ("admin-token\n\n", 0o600, "has 2 lines; a secret is one line"),
            ("admin-token", 0o606, "others can write to it"),
            ("admin\ttoken", 0o600, "holds a control character"), ("admin token", 0o600, "it holds no token"),
        ] as [(String, mode_t, String)] {
            try machine.home.home.write(text, to: "kube/token")
            chmod(path, mode)
            let result = try machine.oap("token", "work").run().expect(status: 11)
            #expect(result.errorText.contains(words), "\(result)")
        }
        let split = try machine.with(kubeconfig: try cluster.config(user: ["token": "admin-token\r\nX-Other: 1"]))
        let result = try split.oap("token", "work").run().expect(status: 11)
        #expect(result.errorText.contains("the kubeconfig: it holds no token"), "\(result)")
    }

    @Test("nothing that proves the user goes over http, and a list is read page after page")
    func plain() throws {
        let asked = Mutex<[String]>([])
        let server = try Responder { request in
            asked.withLock { $0.append(request.target) }
            let count = asked.withLock { $0.count }
            func page(_ names: [String], _ next: String) -> Responder.Reply {
                let items = names.map { name in
                    #"{"metadata":{"name":"test-\#(name)","annotations":{"oap/name":"\#(name == "etnn4qo" ? "work" : "")"}}}"#
                }
                return .json(
                    #"{"kind":"SecretList","metadata":{"continue":"\#(next)"},"items":[\#(items.joined(separator: ","))]}"#
                )
            }
            switch count {
            case 5: return .json(#"{"kind":"Status","message":"not found"}"#, status: 404)
            case 2: return .json(#"{"kind":"Status","reason":"Expired","message":"too old"}"#, status: 410)
            case 1, 3: return page([], "a b&c")
            default: return page(["etnn4qo"], "")
            }
        }
        let cluster = try Kubernetes()
        let machine = try KubernetesMachine.make(for: cluster)[0]
        let place: JSONObject = ["server": .string(server.url())]
        let config = try #require(JSON(parsing: Array(try cluster.config().utf8)).object)
        let plain = config.with([
            "clusters": .array([.object(["name": "c", "cluster": .object(place)])]),
            "users": .array([
                .object([
                    "name": "u",
                    "user": .object([
                        "token": "admin-token", "client-certificate": "client.pem", "client-key": "client.key",
                    ]),
                ])
            ]),
        ])
        let other = try machine.with(kubeconfig: JSON.object(plain).text)
        // `store list` reads each token afterwards, of which this server has none.
        try other.oap("store", "list", "-r", "-q", ".name").run().expect(status: 0).expect(output: "")
        #expect(server.requests.allSatisfy { $0.headers.first("Authorization") == nil })
        let queries = asked.withLock { $0 }.map { $0.split(separator: "?").last.map(String.init) ?? "" }
        let first = "labelSelector=app.kubernetes.io%2Fmanaged-by%3Doap&limit=250"
        #expect(
            queries.prefix(4) == [first, first + "&continue=a+b%26c", first, first + "&continue=a+b%26c"], "\(queries)")
    }

    @Test("a token that is renewed in its file while a process waits is read again, once")
    func renewedCredential() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        try cluster.control("token", ["text": "first", "user": "admin"])
        let machine = try KubernetesMachine.make(for: cluster, user: ["tokenFile": "token"])[0]
        try machine.home.home.write("first\n", to: "kube/token")
        try machine.putExpired(endpoint)
        let free = try cluster.record()
        let claim: JSONObject = ["by": "other/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 3600]
        try cluster.set(record: JSON.object(free.setting("claim", to: .object(claim))).text)
        let waiting = try machine.oap("token", "work").start()
        #expect(try cluster.control("wait", ["verb": "watch"]) == true)
        try machine.home.home.write("second\n", to: "kube/token")
        try cluster.control("token", ["text": "second", "user": "admin"])
        try cluster.control("withdraw", ["text": "first"])
        try cluster.set(record: JSON.object(free).text)
        try waiting.finish().expect(status: 0).expect(output: "at-1\n")
        try cluster.control("withdraw", ["text": "second"])
        let before = try cluster.control("requests").array?.count ?? 0
        try machine.oap("token", "work").run().expect(status: 11)
        #expect(try cluster.control("requests").array?.count == before + 2)
    }

    @Test("a pod uses its service account, at the address in its variables")
    func pod() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        try machine.putExpired(endpoint)
        let port = try #require(cluster.server.split(separator: ":").last)
        // In name spaces of its own, where the folder is the test's.
        let script = """
            exec unshare --user --map-root-user --mount bash -euc '
                mount -t tmpfs none /run
                mkdir -p /run/secrets/kubernetes.io/serviceaccount
                cp "$1" /run/secrets/kubernetes.io/serviceaccount/ca.crt
                printf admin-token > /run/secrets/kubernetes.io/serviceaccount/token
                exec oap token work' - "$1"
            """
        var program = Program.shell(script)
        program.arguments += ["-", cluster.path("ca.pem")]
        program.environment = ["HOME": machine.home.home.path].merging(machine.home.environment) { $1 }
        program.environment["KUBECONFIG"] = nil
        program.environment["KUBERNETES_SERVICE_HOST"] = "127.0.0.1"
        program.environment["KUBERNETES_SERVICE_PORT"] = String(port)
        try program.run().expect(status: 0).expect(output: "at-1\n")
        #expect(endpoint.requests.count == 1)
    }

    /// The rule of a role.
    private func rule(_ verbs: String..., names: [String]? = nil) -> JSON {
        .object(["verbs": .strings(verbs), "names": names.map(JSON.strings) ?? .null])
    }

    @Test("four verbs on the one Secret that an administrator has made are enough; a verb that is missing is named")
    func roles() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed, .renewed))
        try cluster.control("token", ["text": "t", "user": "system:serviceaccount:fleet:oap"])
        func allow(_ rules: JSON...) throws {
            try cluster.control("role", ["user": "system:serviceaccount:fleet:oap", "rules": .array(rules)])
        }
        let machine = try KubernetesMachine.make(for: cluster, user: ["token": "t"])[0]
        func expect(_ words: [String], _ program: Program) throws {
            let result = try program.run().expect(status: 11)
            #expect(words.allSatisfy(result.errorText.contains), "\(result)")
        }
        let document = JSON.object(endpoint.token.with(["expires_at": 1000, "refresh_token": "rt-0"])).text
        let put = machine.oap("store", "put", "work", input: document)
        let verbs = "resourceNames: [\(Kubernetes.work)], verbs: [get, update, watch, delete]"
        try expect(["cannot get", verbs], put)
        let named = [Kubernetes.work]
        try allow(rule("get", names: named))
        try expect(["cannot create", "verbs: [create]", "kubectl create secret generic \(Kubernetes.work)"], put)
        try cluster.set([:])
        try machine.oap("token", "work").run().expect(status: 8)
        try expect(["cannot update", verbs], put)
        try allow(rule("get", "update", "watch", names: named))
        try put.run().expect(status: 0)
        try machine.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try expect(["cannot list", "verbs: [list]"], machine.oap("store", "list"))
        try expect(["cannot delete", verbs], machine.oap("store", "delete", "work"))
        try expect(["cannot get", "resourceNames: [test-"], machine.oap("token", "other"))
        try allow(rule("get", "update", "watch", "delete", names: named))
        try machine.oap("store", "delete", "work").run().expect(status: 0)
        try allow(rule("*"))
        try machine.oap("store", "list").run().expect(status: 0).expect(output: "")
    }

    @Test("who may not watch reads each second")
    func withoutWatch() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        try cluster.control("token", ["text": "t", "user": "reader"])
        try cluster.control("role", ["user": "reader", "rules": .array([rule("get", "update", "create")])])
        let machine = try KubernetesMachine.make(for: cluster, user: ["token": "t"])[0]
        try machine.putExpired(endpoint)
        let free = try cluster.record()
        let claim: JSONObject = ["by": "other/1", "nonce": "AAAAAAAAAAAAAAAAAAAAAA", "ttl": 3600]
        try cluster.set(record: JSON.object(free.setting("claim", to: .object(claim))).text)
        let waiting = try machine.oap("token", "work").start()
        #expect(try cluster.control("wait", ["verb": "watch", "count": 2]) == true)
        #expect(try cluster.requests("watch").allSatisfy { $0["status"] == 403 })
        try cluster.set(record: JSON.object(free).text)
        try waiting.finish().expect(status: 0).expect(output: "at-1\n")
    }

    @Test("a Secret that is immutable, another's, or edited by hand is an error, and never overwritten")
    func unfit() throws {
        let (cluster, endpoint) = (try Kubernetes(), try Responder(.renewed))
        let machine = try KubernetesMachine.make(for: cluster)[0]
        func data(_ name: String, _ text: String) -> JSONObject { ["data": .object([name: .string(text)])] }
        func annotation(_ name: String) -> JSONObject {
            ["metadata": .object(["annotations": .object(["oap/name": .string(name)])])]
        }
        let cases: [(JSONObject, String)] = [
            (["immutable": true], "immutable"), (data("password", "c2VjcmV0"), "data.record is missing"),
            (annotation("work"), "data.record is missing"), (annotation("other"), "another token's"),
            (data("record", ""), "not one of oap"), (data("record", "e30="), "not one of oap"),
        ]
        for (members, words) in cases {
            try cluster.set(members)
            let before = try cluster.secret()
            let document = JSON.object(endpoint.token.with(["expires_at": 1000, "refresh_token": "rt-0"])).text
            for program in [machine.oap("token", "work"), machine.oap("store", "put", "work", input: document)] {
                let result = try program.run().expect(status: 11)
                #expect(result.errorText.contains(words), "\(result)")
            }
            #expect(try cluster.secret() == before)
            try cluster.control("remove", ["name": .string(Kubernetes.work)])
        }
        #expect(try cluster.requests("update").isEmpty && cluster.requests("create").isEmpty)
        #expect(endpoint.requests.isEmpty)
    }
}
