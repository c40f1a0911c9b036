import Errands
import System
import TestSupport
import Testing
import Wire

@testable import TokenStore

/// The members of a cluster of etcd, which have one content. It knows the requests of `EtcdRecords`, and no others.
final class ScriptedEtcd: ScriptedCluster {
    let script = Script()
    var fates: [String: [Fate]] = [:]
    var log: [String] = []
    var before: (String) -> Void = { _ in }
    var learnt: [String] = []
    private(set) var watch: ServerRequest?
    /// The host and the time limit of each request.
    private(set) var asked: [(member: String, seconds: Double?)] = []
    /// The token without which nothing is done; nil for none.
    var token: String?
    var cluster = "1"
    private(set) var revision = 10
    private var pairs: [String: (value: [UInt8], revision: Int)] = [:]
    private let members: Int
    private let user: String?

    init(members: Int = 2, user: String? = nil) {
        (self.members, self.user) = (members, user)
        script.answer = { [unowned self] request in answer(request) }
    }

    func set(_ name: TokenName, _ bytes: [UInt8]?) { put("test/\(name.text)", bytes) }

    func bytes(of name: TokenName) -> [UInt8]? { pairs["test/\(name.text)"]?.value }

    func records() throws -> any SharedRecords {
        let endpoints = (1...members).map { "https://e\($0).test:2379" }
        return EtcdRecords(
            try #require(EtcdAddress(endpoints.joined(separator: ",") + "/test")), user: user,
            password: { [user] in user.map { "password of \($0)" } }, route: Route(),
            learn: { [unowned self] in learnt.append($0) }, by: { [script] in script.now })
    }

    private func put(_ key: String, _ value: [UInt8]?) {
        revision += 1
        pairs[key] = value.map { ($0, revision) }
    }

    private func answer(_ request: ServerRequest) -> ServerRequest.Result {
        let url = WebURL(request.message.url)
        asked.append((url?.host ?? "", request.maximumTime))
        let body = (try? JSON(parsing: request.message.body ?? []))?.object ?? [:]
        let change = body["success"]?.array?.first?.object
        let verb =
            switch url?.path {
            case "/v3/kv/range": body["range_end"] == nil ? "read" : "list"
            case "/v3/kv/txn": change?["request_put"] == nil ? "remove" : "write"
            case "/v3/watch": "watch"
            default: "login"
            }
        if verb == "watch" { watch = request }
        return take(verb) {
            let given = request.message.headers.first("Authorization")
            guard verb == "login" || given == token else {
                return Script.json(#"{"error":"etcdserver: invalid auth token","code":16}"#, status: 401)
            }
            return switch verb {
            case "read", "list": range(body)
            case "write", "remove": transaction(body, change ?? [:])
            case "watch": watch(body["create_request"]?.object ?? [:], request)
            default: message(["token": .string(token ?? "")])
            }
        }
    }

    private func message(_ members: JSONObject) -> ServerRequest.Result {
        let header: JSONObject = ["cluster_id": .string(cluster), "revision": .string(String(revision))]
        return Script.json(JSON.object(members.setting("header", to: .object(header))).text)
    }

    private func text(_ key: JSON?) -> String {
        String(decoding: key?.string.flatMap { Base64.decode($0) } ?? [], as: UTF8.self)
    }

    private func range(_ body: JSONObject) -> ServerRequest.Result {
        let (first, end) = (text(body["key"]), body["range_end"].map(text))
        let found = pairs.filter { key, _ in end.map { first <= key && key < $0 } ?? (key == first) }
        let answer = found.map { key, pair in
            JSON.object([
                "key": .string(Base64.encode(key.utf8)), "mod_revision": .string(String(pair.revision)),
                "value": .string(Base64.encode(pair.value)),
            ])
        }
        return message(answer.isEmpty ? [:] : ["kvs": .array(answer)])
    }

    private func transaction(_ body: JSONObject, _ change: JSONObject) -> ServerRequest.Result {
        let comparison = body["compare"]?.array?.first?.object ?? [:]
        let (put, removal) = (change["request_put"]?.object, change["request_delete_range"]?.object)
        let key = text((put ?? removal)?["key"])
        // etcd ignores what it does not know.
        #expect(comparison["target"]?.string == "MOD" && comparison["result"]?.string == "EQUAL")
        #expect(text(comparison["key"]) == key)
        guard comparison["mod_revision"]?.string == String(pairs[key]?.revision ?? 0) else { return message([:]) }
        self.put(key, put.map { Base64.decode($0["value"]?.string ?? "") ?? [] })
        return message(["succeeded": .bool(true)])
    }

    /// It waits: what others do meanwhile is done by `script.meanwhile`.
    private func watch(_ body: JSONObject, _ request: ServerRequest) -> ServerRequest.Result {
        let (key, first) = (text(body["key"]), body["start_revision"]?.string.flatMap { Int($0) } ?? 0)
        func events() -> ServerRequest.Result? {
            guard let pair = pairs[key], pair.revision >= first else { return nil }
            return Script.json(#"{"result":{"created":true}}"# + "\n" + #"{"result":{"events":[{}]}}"# + "\n")
        }
        if let known = events() { return known }
        script.meanwhile()
        if let new = events() { return new }
        script.pass(seconds: request.maximumTime ?? 0)
        return .failure(.network(stage: .timeout, message: "no answer", requestSent: true))
    }
}
