import Errands
import Glibc
import TestSupport
import Testing
import Wire

@testable import TokenStore

@Suite("A kubeconfig, and what of it goes to the cluster")
struct KubernetesAccessTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory(inMemory: true) }

    /// The secrets that the redactor is told.
    private final class Learnt { var secrets: [String] = [] }

    /// A kubeconfig of a cluster and a user.
    private func config(_ cluster: JSONObject, _ user: JSONObject = [:]) -> String {
        func entry(_ kind: String, _ object: JSONObject) -> JSON {
            .array([.object(["name": .string("x"), kind: .object(object)])])
        }
        return JSON.object([
            "current-context": .string("x"), "clusters": entry("cluster", cluster), "users": entry("user", user),
            "contexts": entry("context", ["cluster": .string("x"), "user": .string("x")]),
        ]).text
    }

    private func access(
        _ text: String, _ learnt: Learnt = Learnt(), mode: mode_t = 0o600, secret: @escaping (String) -> String = { $0 }
    ) throws -> KubernetesAccess {
        let path = try home.write(text, to: "kube/config")
        chmod(path, mode)
        return try KubernetesAccess(
            environment: { $0 == "KUBECONFIG" ? path : nil }, along: Route(),
            convert: { () throws(StoreError) in Array("[]".utf8) },
            secret: { (path) throws(StoreError) in secret(path) }, learn: { learnt.secrets.append($0) })
    }

    private func server(_ url: String) -> JSONObject { ["server": .string(url)] }

    @Test("the server is a URL without a user, a password and a query, of which a message shows nothing")
    func server() throws {
        for (url, isGood) in [
            ("https://k8s.test:6443", true), ("https://k8s.test:6443/", true), ("https://k8s.test/base", true),
            ("https://admin:pass@k8s.test", false), ("https://admin@k8s.test", false),
            ("https://k8s.test?a=pass", false), ("k8s.test", false), ("", false),
        ] {
            let result = Result { try access(config(server(url))) }
            switch result {
            case .success(let access):
                #expect(isGood)
                #expect(access.server == (url.hasSuffix("/") ? String(url.dropLast()) : url))
            case .failure(let error):
                #expect(!isGood)
                let path = home.path("kube/config")
                #expect(
                    error as? StoreError == .corrupt(path: path, reason: "its cluster has no server that is a URL"))
            }
        }
    }

    @Test("what proves the user is told to the redactor, and goes over https alone")
    func credentials() throws {
        let user: JSONObject = ["token": .string("bearer"), "client-certificate": .string("cert.pem")]
        for (scheme, isTaken) in [("https", true), ("http", false)] {
            let learnt = Learnt()
            let access = try access(config(server("\(scheme)://k8s.test"), user), learnt)
            // It is known before anything can fail with it.
            #expect(learnt.secrets == (isTaken ? ["bearer"] : []))
            #expect(try access.token() == (isTaken ? "bearer" : nil))
            #expect(access.route.certificateFile == (isTaken ? home.path("kube/cert.pem") : nil))
        }
    }

    @Test("a token file goes before a token, is relative to the kubeconfig, and is read each time")
    func tokenFile() throws {
        var content = "first"
        let learnt = Learnt()
        var paths: [String] = []
        let user: JSONObject = ["token": .string("given"), "tokenFile": .string("token")]
        let access = try access(config(server("https://k8s.test"), user), learnt) { path in
            paths.append(path)
            return content
        }
        #expect(access.hasTokenFile)
        #expect(try access.token() == "first")
        content = "second"
        #expect(try access.token() == "second")
        #expect(learnt.secrets == ["given", "first", "second"])
        #expect(Set(paths) == [home.path("kube/token")])
        for wrong in ["", "a b", "a\n", "é", "a\u{7F}"] {
            content = wrong
            #expect(throws: StoreError.corrupt(path: home.path("kube/token"), reason: "it holds no token")) {
                try access.token()
            }
        }
        #expect(learnt.secrets.count == 3)
    }

    @Test("a user of whom there is nothing but a program or a password is refused, and one with a token is not")
    func others() throws {
        for name in ["exec", "auth-provider", "username"] {
            let user: JSONObject = [name: .object([:])]
            let error = #expect(throws: StoreError.self) { try access(config(server("https://k8s.test"), user)) }
            #expect(error?.message.hasSuffix("oap has no use for the user's \(name)") == true)
            for (member, value) in [("token", "t"), ("tokenFile", "t"), ("client-certificate", "c")] {
                let own = user.setting(member, to: .string(value))
                #expect(throws: Never.self) { try access(config(server("https://k8s.test"), own)) }
            }
        }
    }

    @Test("the certificate is checked: a cluster that says otherwise is not asked")
    func insecure() throws {
        let good = server("https://k8s.test")
        for (name, value, isGood) in [
            ("insecure-skip-tls-verify", JSON.bool(true), false), ("insecure-skip-tls-verify", .bool(false), true),
            ("tls-server-name", .string("other"), false), ("proxy-url", .string("http://proxy.test"), true),
        ] {
            let result = Result { try access(config(good.setting(name, to: value))) }
            #expect(((try? result.get()) != nil) == isGood)
            if name == "proxy-url" { #expect(try result.get().route.proxy == "http://proxy.test") }
        }
    }

    @Test("a kubeconfig that others can read is refused where it has what proves the user, and only there")
    func open() throws {
        for (name, isSecret) in [
            ("token", true), ("client-key-data", true), ("tokenFile", false), ("client-certificate", false),
        ] {
            let text = config(server("https://k8s.test"), [name: .string(Base64.encode(Array("secret".utf8)))])
            for (mode, isRefused) in [(mode_t(0o600), false), (0o644, isSecret)] {
                let result = Result { try access(text, mode: mode) }
                let expected = StoreError.unsafe(path: home.path("kube/config"), .readable(secret: "its credentials"))
                switch result {
                case .success: #expect(!isRefused, "\(name)")
                case .failure(let error):
                    #expect(isRefused, "\(name)")
                    #expect(error as? StoreError == expected)
                }
            }
        }
    }

    @Test("several kubeconfigs are joined by kubectl, of which some may be missing, and one in JSON is read as it is")
    func several() throws {
        let own = try home.write(config(server("https://own.test")), to: "own")
        let yaml = try home.write("clusters: []", to: "yaml")
        let none = home.path("none")
        for (paths, host) in [
            ([own], "own"), ([yaml], "joined"), ([own, yaml], "joined"), ([own, none], "joined"),
            ([none, yaml], "joined"),
            ([none], nil), ([none, none], nil),
        ] {
            let access = try? KubernetesAccess(
                environment: { $0 == "KUBECONFIG" ? paths.joined(separator: ":") : nil }, along: Route(),
                convert: { () throws(StoreError) in Array(config(server("https://joined.test")).utf8) },
                secret: { (path) throws(StoreError) in path }, learn: { _ in })
            #expect(access?.server == host.map { "https://\($0).test" }, "\(paths)")
        }
    }
}
