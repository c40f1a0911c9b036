import Foundation
import Testing
import Wire

/// A double of the API of a Kubernetes cluster, with the namespace `fleet` (`Tests/Doubles/kubernetes.py`). One thread at a
/// time talks to it.
package final class Kubernetes: @unchecked Sendable {
    /// `https://127.0.0.1:PORT`.
    package let server: String
    private let folder: TemporaryDirectory
    private let running: RunningProgram
    private let lock = NSLock()
    private var calls = 0

    /// Starts it with two administrators: one has the bearer token `admin-token`, the other one the certificate `client`.
    package init() throws {
        let certificates = try ClientCertificates()
        folder = certificates.folder
        try certificates.make("server", subject: "/CN=server", issuer: "ca", address: "127.0.0.1")
        try certificates.make("client", subject: "/CN=admin", issuer: "ca")
        var python = Program(path: "/usr/bin/python3", arguments: ["\(Fixture.project)/Tests/Doubles/kubernetes.py"])
        (python.directory, python.input) = (folder.path, .open)
        running = try python.start()
        server = "https://127.0.0.1:\(try running.firstLine())"
    }

    /// The path of one of `ca.pem`, `client.pem`, `client.key`.
    package func path(_ name: String) -> String { folder.path(name) }

    /// The text of one of these in Base64.
    package func data(_ name: String) throws -> JSON { .string(Base64.encode(Array(try folder.read(name).utf8))) }

    /// A kubeconfig of one context.
    package func config(user: JSONObject = ["token": "admin-token"], cluster: JSONObject? = nil) throws -> String {
        let place = try cluster ?? ["certificate-authority-data": data("ca.pem")]
        func list(_ kind: String, _ name: String, _ entry: JSONObject) -> JSON {
            .array([.object(["name": .string(name), kind: .object(entry)])])
        }
        let config: JSONObject = [
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "contexts": list("context", "test", ["cluster": "c", "user": "u"]),
            "clusters": list("cluster", "c", place.setting("server", to: .string(server))),
            "users": list("user", "u", user),
        ]
        return JSON.object(config).text
    }

    /// The store of `oap` in it.
    package let store = "kubernetes:fleet/test"

    /// The name of the Secret of the token `work`.
    package static let work = "test-etnn4qo"

    /// Asks the double for something; see its class `Control`.
    @discardableResult
    package func control(_ call: String, _ parameters: JSONObject = [:]) throws -> JSON {
        try lock.withLock {
            calls += 1
            let words: JSONObject = ["id": .integer(calls), "do": .string(call), "with": .object(parameters)]
            running.write(JSON.object(words).text + "\n")
            try running.deliver()
            let start = "\(calls) "
            let line = try running.outputLine { $0.hasPrefix(start) }
            return try JSON(parsing: Array(line.dropFirst(start.count).utf8))
        }
    }

    /// Lets the next requests of a verb meet a fault.
    package func fault(_ verb: String, _ kind: String, count: Int = 1) throws {
        try control("fault", ["verb": .string(verb), "kind": .string(kind), "count": .integer(count)])
    }

    /// The Secret of a token as it is there; nil for none.
    package func secret(_ name: String = Kubernetes.work) throws -> JSONObject? {
        try control("get", ["name": .string(name)]).object
    }

    /// The record in a Secret.
    package func record(_ name: String = Kubernetes.work) throws -> JSONObject {
        let text = try secret(name)?["data"]?.object?["record"]?.string
        let bytes = try #require(text.flatMap(Base64.decode))
        return try #require(JSON(parsing: bytes).object)
    }

    /// Merges something into a Secret, which is made where there is none (RFC 7396).
    package func set(_ members: JSONObject, in name: String = Kubernetes.work) throws {
        let metadata = (members["metadata"]?.object ?? [:]).setting("name", to: .string(name))
        try control("set", ["secret": .object(members.setting("metadata", to: .object(metadata)))])
    }

    /// Sets the record of a Secret.
    package func set(record: String) throws {
        try set(["data": .object(["record": .string(Base64.encode(Array(record.utf8)))])])
    }

    /// The requests of a verb so far.
    package func requests(_ verb: String) throws -> [JSONObject] {
        try (control("requests").array ?? []).compactMap(\.object).filter { $0["verb"]?.string == verb }
    }
}
