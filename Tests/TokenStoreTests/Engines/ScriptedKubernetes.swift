import Errands
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

/// The API of a cluster of Kubernetes, and the Secrets of one namespace (kubernetes.io, "Kubernetes API Concepts").
final class ScriptedKubernetes: ScriptedCluster {
    let script = Script()
    var fates: [String: [Fate]] = [:]
    var log: [String] = []
    var before: (String) -> Void = { _ in }
    var learnt: [String] = []
    private(set) var watch: ServerRequest?
    private(set) var asked: [ServerRequest] = []
    /// The bearer token that it takes, and the one that the token file has.
    var (token, tokenInFile) = ("bearer-1", "bearer-1")
    /// How many names a page of a list has.
    var page = 250
    private(set) var version = 100
    private(set) var secrets: [String: JSONObject] = [:]
    private let home: TemporaryDirectory
    private let address: KubernetesAddress

    init() throws {
        (home, address) = (try TemporaryDirectory(inMemory: true), try #require(KubernetesAddress("fleet")))
        script.answer = { [unowned self] request in answer(request) }
    }

    func records() throws -> any SharedRecords {
        let config = """
            {"current-context": "here", "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": "https://api.test:6443"}}],
            "users": [{"name": "u", "user": {"tokenFile": "token"}}]}
            """
        try home.write(config, to: "config")
        let access = try KubernetesAccess(
            environment: { [home] in $0 == "KUBECONFIG" ? home.path("config") : nil }, along: Route(),
            convert: { () throws(StoreError) in [] }, secret: { [unowned self] _ in tokenInFile },
            learn: { [unowned self] in learnt.append($0) })
        return KubernetesRecords(address, access: access, by: { [script] in script.now })
    }

    func set(_ name: TokenName, _ bytes: [UInt8]?) {
        let secret = address.secret(of: name)
        let old = secrets[secret] ?? Self.empty(secret)
        var metadata = old["metadata"]?.object ?? [:]
        metadata["annotations"] = .object(["oap/name": .string(name.text)])
        metadata["labels"] = .object(["app.kubernetes.io/managed-by": .string("oap")])
        let new = old.setting("metadata", to: .object(metadata))
        keep(bytes.map { new.setting("data", to: .object(["record": .string(Base64.encode($0))])) }, secret)
    }

    /// Has a Secret be as an administrator made it.
    func make(_ name: TokenName, _ change: (inout JSONObject) -> Void) {
        let secret = address.secret(of: name)
        var object = secrets[secret] ?? Self.empty(secret)
        change(&object)
        keep(object, secret)
    }

    private static func empty(_ secret: String) -> JSONObject {
        ["kind": .string("Secret"), "metadata": .object(["name": .string(secret)])]
    }

    func object(of name: TokenName) -> JSONObject? { secrets[address.secret(of: name)] }

    func bytes(of name: TokenName) -> [UInt8]? {
        object(of: name)?["data"]?.object?["record"]?.string.flatMap { Base64.decode($0) }
    }

    private func keep(_ object: JSONObject?, _ secret: String) {
        version += 1
        var metadata = object?["metadata"]?.object ?? [:]
        metadata["uid"] = metadata["uid"] ?? .string("uid \(version)")
        metadata["resourceVersion"] = .string(String(version))
        secrets[secret] = object.map { $0.setting("metadata", to: .object(metadata)) }
    }

    /// A failure as the API tells it.
    static func status(_ code: Int, _ message: String = "said", _ headers: [HTTPField] = []) -> ServerRequest.Result {
        let body: JSONObject = ["kind": .string("Status"), "code": .integer(code), "message": .string(message)]
        return Script.json(JSON.object(body).text, status: code, headers: headers)
    }

    private func answer(_ request: ServerRequest) -> ServerRequest.Result {
        asked.append(request)
        let (message, url) = (request.message, WebURL(request.message.url))
        let parts = (url?.path ?? "").split(separator: "/").map(String.init)
        let name = parts.count > 5 ? parts[5] : ""
        let query = url?.query ?? ""
        let verb =
            switch message.method {
            case "POST", "PUT": "write"
            case "DELETE": "remove"
            default: !name.isEmpty ? "read" : query.hasPrefix("watch=1") ? "watch" : "list"
            }
        if verb == "watch" { watch = request }
        return take(verb) {
            guard message.headers.first("Authorization") == "Bearer \(token)" else {
                return Self.status(401, "Unauthorized")
            }
            let body = (try? JSON(parsing: message.body ?? []))?.object ?? [:]
            return switch message.method {
            case "POST": create(body)
            case "PUT": secrets[name].map { update(name, $0, body) } ?? Self.status(404)
            case "DELETE": secrets[name].map { delete(name, $0, body) } ?? Self.status(404)
            default: verb == "read" ? get(name) : verb == "watch" ? watch(query, request) : list(query)
            }
        }
    }

    private func get(_ name: String) -> ServerRequest.Result {
        secrets[name].map { Script.json(JSON.object($0).text) } ?? Self.status(404, "secrets not found")
    }

    private func create(_ body: JSONObject) -> ServerRequest.Result {
        let name = body["metadata"]?.object?["name"]?.string ?? ""
        guard secrets[name] == nil else { return Self.status(409, "secrets already exists") }
        keep(body, name)
        return get(name)
    }

    private static func isSame(_ names: [String], _ one: JSON?, _ other: JSON?) -> Bool {
        names.allSatisfy { one?.object?[$0] != nil && one?.object?[$0] == other?.object?[$0] }
    }

    private func update(_ name: String, _ kept: JSONObject, _ body: JSONObject) -> ServerRequest.Result {
        guard Self.isSame(["name", "resourceVersion"], body["metadata"], kept["metadata"]) else {
            return Self.status(409, "the object has been modified")
        }
        keep(body, name)
        return get(name)
    }

    private func delete(_ name: String, _ kept: JSONObject, _ body: JSONObject) -> ServerRequest.Result {
        guard Self.isSame(["uid", "resourceVersion"], body["preconditions"], kept["metadata"]) else {
            return Self.status(409, "the precondition does not hold")
        }
        keep(nil, name)
        return Self.status(200, "deleted")
    }

    /// Its pages say where the next one begins.
    private func list(_ query: String) -> ServerRequest.Result {
        let next = query.split(separator: "&").first { $0.hasPrefix("continue=") }
        let start = next.flatMap { Int($0.dropFirst(9)) } ?? 0
        let names = secrets.keys.sorted()
        let items = names.dropFirst(start).prefix(page).compactMap { secrets[$0].map(JSON.object) }
        let rest = start + page < names.count ? String(start + page) : ""
        let list: JSONObject = [
            "kind": .string("SecretList"), "items": .array(items), "metadata": .object(["continue": .string(rest)]),
        ]
        return Script.json(JSON.object(list).text)
    }

    /// It begins with what is there, and waits: what others do meanwhile is done by `script.meanwhile`.
    private func watch(_ query: String, _ request: ServerRequest) -> ServerRequest.Result {
        func event(_ type: String) -> String {
            let object = secrets.first { query.contains("metadata.name%3D\($0.key)&") }?.value
            return JSON.object(["type": .string(type), "object": .object(object ?? [:])]).text + "\n"
        }
        func isEnough(_ text: String) -> Bool { request.isEnough?(Array(text.utf8)) == true }
        let first = event("ADDED")
        if isEnough(first) { return Script.json(first) }
        script.meanwhile()
        let second = first + event("MODIFIED")
        if !isEnough(second) { script.pass(seconds: request.maximumTime ?? 0) }
        return Script.json(second)
    }
}
