package import Errands
package import System
internal import Wire

/// Records in etcd, through the JSON gateway of its version 3 (etcd.io/docs, API and "gRPC gateway"). It needs no lease: a
/// record is replaced by a transaction that compares its revision.
package final class EtcdRecords: SharedRecords {
    package let place: String
    private let prefix: String
    /// In the order in which they are asked; the first is the one that answered last.
    private var endpoints: [String]
    private let user: String?
    private let password: () throws(StoreError) -> String?
    private let route: Route
    private let learn: (String) -> Void
    private let now: () -> MonotonicTime
    private var token: String?

    /// - Parameters:
    ///   - password: reads the password, when the cluster asks for it.
    ///   - learn: is told each secret.
    package init(
        _ address: EtcdAddress, user: String?, password: @escaping () throws(StoreError) -> String?, route: Route,
        learn: @escaping (String) -> Void, by now: @escaping () -> MonotonicTime = { .now }
    ) {
        // Not all machines of a fleet ask the same member first.
        endpoints = address.endpoints.shuffled()
        (place, prefix) = ("etcd at \(address.endpoints.joined(separator: ","))", address.prefix)
        (self.user, self.password, self.route, self.learn, self.now) = (user, password, route, learn, now)
    }

    package func isOlder(_ revision: String, than other: String) -> Bool {
        let (new, old) = (Revision(revision), Revision(other))
        return new.cluster != old.cluster || new.number < old.number
    }

    /// The cluster and the `mod_revision` of a key. Another cluster counts in another way.
    private struct Revision {
        let cluster: String
        let number: Int

        init(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1)
            cluster = parts.first.map(String.init) ?? ""
            number = parts.last.flatMap { Int($0) } ?? 0
        }
    }

    /// The text of a revision in an answer. None is the last number, after which no other comes.
    private func revision(_ number: JSON?, _ answer: JSONObject) throws(StoreError) -> String {
        guard let number = number?.string.flatMap({ Int($0) }), (1..<Int.max).contains(number) else { throw strange }
        return "\(answer["header"]?.object?["cluster_id"]?.string ?? ""):\(number)"
    }

    private func key(_ name: String) -> JSON { .string(Base64.encode(Array("\(prefix)/\(name)".utf8))) }

    package func read(_ name: TokenName) -> Attempt<SharedRecord?, StoreError> {
        ask("kv/range", ["key": key(name.text)]).reading { [self] (answer) throws(StoreError) in
            guard let answer else { throw silent }
            guard let pairs = answer["kvs"] else { return nil }
            // An empty value has no member.
            guard let pair = pairs.array?.first?.object, pair["key"] == key(name.text),
                let bytes = Base64.decode(pair["value"]?.string ?? "")
            else { throw strange }
            return SharedRecord(bytes: bytes, revision: try revision(pair["mod_revision"], answer))
        }
    }

    package func replace(
        _ name: TokenName, with bytes: [UInt8]?, over revision: String?
    ) -> Attempt<SharedRecord.Replacement, StoreError> {
        // etcd ignores members that it does not know, so that a misspelt comparison would hold for anything.
        let comparison: JSONObject = [
            "key": key(name.text), "target": .string("MOD"), "result": .string("EQUAL"),
            "mod_revision": .string(String(revision.map { Revision($0).number } ?? 0)),
        ]
        let change: JSONObject =
            if let bytes {
                ["request_put": .object(["key": key(name.text), "value": .string(Base64.encode(bytes))])]
            } else { ["request_delete_range": .object(["key": key(name.text)])] }
        let transaction: JSONObject = [
            "compare": .array([.object(comparison)]), "success": .array([.object(change)]),
        ]
        return ask("kv/txn", transaction, isWrite: true).reading { [self] (answer) throws(StoreError) in
            guard let answer else { return .unknown }
            guard answer["succeeded"]?.bool == true else { return .lost }
            return .done(revision: try self.revision(answer["header"]?.object?["revision"], answer))
        }
    }

    package func change(
        of name: TokenName, since revision: String, until end: MonotonicTime
    ) -> Attempt<Void, StoreError> {
        let next = Revision(revision).number + 1
        let watch: JSONObject = [
            "create_request": .object(["key": key(name.text), "start_revision": .string(String(next))])
        ]
        let request = request("watch", watch, to: endpoints[0])
        return watching(request, from: now(), until: end, pause: .seconds(1)) { content in
            // The first line says that the watch began, and perhaps that it is over: refused, or of a revision that was
            // compacted. What a member does not hear that is cut off is seen by reading.
            let first = String(decoding: content.prefix { $0 != 0x0A }, as: UTF8.self)
            guard !first.contains(#""canceled":true"#) else { return false }
            return content.count { $0 == 0x0A } > 1 ? true : nil
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> {
        let (first, last) = (key(""), JSON.string(Base64.encode(Array("\(prefix)0".utf8))))
        return ask("kv/range", ["key": first, "range_end": last, "keys_only": .bool(true)]).reading {
            [self] (answer) throws(StoreError) in
            guard let answer else { throw silent }
            let names = (answer["kvs"]?.array ?? []).compactMap { pair -> TokenName? in
                guard let key = pair.object?["key"]?.string.flatMap(Base64.decode) else { return nil }
                return try? TokenName(String(decoding: key.dropFirst(prefix.utf8.count + 1), as: UTF8.self))
            }
            return names.sorted { $0.text < $1.text }
        }
    }

    private var isSecure: Bool { endpoints[0].hasPrefix("https:") }

    /// A refusal for want of a certificate may look like a lost connection (TLS 1.3).
    private var hintForCertificate: String? {
        route.certificateFile == nil
            ? "if its members want client certificates: set OAP_ETCD_CERT and OAP_ETCD_KEY" : nil
    }

    private var silent: StoreError {
        .away(place, reason: "no member answers: the cluster has no quorum, or cannot be reached")
    }

    private var strange: StoreError { .shared(place, reason: "its answer is not one of etcd", hint: nil) }
}

extension EtcdRecords {
    /// Asks the members in turn, and once more with patience for what is only read.
    ///
    /// - Returns: nil for a write whose outcome is unknown.
    /// - Throws: `shared`.
    private func ask(
        _ path: String, _ body: JSONObject, isWrite: Bool = false
    ) -> Attempt<JSONObject?, StoreError> {
        func next(_ left: Int, mayAuthenticate: Bool, _ last: StoreError?) -> Attempt<JSONObject?, StoreError> {
            guard left > 0 else { return .done(.failure(last ?? silent)) }
            let isPatient = !isWrite && left <= endpoints.count
            func other(_ reason: String) -> Attempt<JSONObject?, StoreError> {
                endpoints.append(endpoints.removeFirst())
                return next(
                    left - 1, mayAuthenticate: mayAuthenticate,
                    .away(place, reason: reason, hint: isSecure ? hintForCertificate : nil))
            }
            return send(path, body, to: endpoints[0], isPatient: isPatient).onward {
                [self] (answer) throws(StoreError) in
                switch answer {
                case .message(let message): return .done(.success(message))
                case .unauthenticated where mayAuthenticate:
                    return authenticate().onward { (silence) in
                        silence.map(other) ?? next(left, mayAuthenticate: false, last)
                    }
                case .unauthenticated: throw .shared(place, reason: "it refuses its own token", hint: nil)
                case .nothing(wasSent: true, _) where isWrite:
                    endpoints.append(endpoints.removeFirst())
                    return .done(.success(nil))
                case .nothing(_, let reason): return other(reason)
                }
            }
        }
        return next(isWrite ? endpoints.count : 2 * endpoints.count, mayAuthenticate: true, nil)
    }

    private enum Answer {
        case message(JSONObject)
        case unauthenticated
        /// The server has no answer now.
        case nothing(wasSent: Bool, reason: String)
    }

    private func send(
        _ path: String, _ body: JSONObject, to endpoint: String, isPatient: Bool = false
    ) -> Attempt<Answer, StoreError> {
        var request = request(path, body, to: endpoint)
        if isPatient { request.maximumTime = Double(SharedRecord.patience) }
        return .send(request) { [self] (result, _) in
            attempting { () throws(StoreError) in .done(.success(try answer(in: result))) }
        }
    }

    private func request(_ path: String, _ body: JSONObject, to endpoint: String) -> ServerRequest {
        var message = HTTPRequest(
            method: "POST", url: "\(endpoint)/v3/\(path)", headers: [HTTPField("Content-Type", "application/json")],
            body: JSON.object(body).bytes)
        if let token { message.headers.append(HTTPField("Authorization", token)) }
        var request = ServerRequest(message: message)
        (request.maximumTime, request.route) = (Double(SharedRecord.longestRequest), route)
        return request
    }

    private func answer(in result: ServerRequest.Result) throws(StoreError) -> Answer {
        let response: HTTPResponse
        switch result {
        case .success(let received): response = received
        case .failure(let error):
            guard error.mayPass || error.requestSent else {
                let isOfClient = if case .certificate(.client, _) = error { true } else { false }
                throw .shared(place, reason: error.message, hint: isOfClient ? hintForCertificate : nil)
            }
            return .nothing(wasSent: error.requestSent, reason: error.message)
        }
        let members = (try? JSON(parsing: response.body))?.object
        let said = members?["error"]?.string ?? members?["message"]?.string ?? ""
        switch (response.head.status, members?["code"]?.integer) {
        case (200, _):
            guard let members, members["header"]?.object != nil else { throw strange }
            return .message(members)
        case (401, _),
            (400, 3) where said.contains("user name is empty"):
            return .unauthenticated
        // Where clients have certificates, one without a name is a user of no rights.
        case (403, _) where token == nil: return .unauthenticated
        case (403, _):
            throw .shared(
                place, reason: "the user \(user ?? "") may not use the keys below \(prefix)/",
                hint: "etcdctl role grant-permission ROLE --prefix=true readwrite \(prefix)/")
        case (400, _) where String(decoding: response.body, as: UTF8.self).contains("CommonName"):
            throw .shared(
                place, reason: "its gateway takes no client certificate with a CN while authentication is on",
                hint: "use a certificate without CN, and a user with a password")
        case (404, nil):
            throw .shared(
                place, reason: "it has no JSON gateway",
                hint: "etcd --enable-grpc-gateway (it may stand behind a proxy)")
        // Of gRPC: RESOURCE_EXHAUSTED.
        case (429, 8): throw .shared(place, reason: "the token is too large for it: \(said)", hint: nil)
        case (let status, _) where HTTPStatus.isFailureOfServer(status):
            return .nothing(wasSent: true, reason: said.isEmpty ? "it answered \(response.head.status)" : said)
        case (let status, _):
            throw .shared(place, reason: "it answered \(status)" + (said.isEmpty ? "" : ": \(said)"), hint: nil)
        }
    }

    /// Logs in at the member that is asked first.
    ///
    /// - Returns: why it has no answer; nil with a token.
    private func authenticate() -> Attempt<String?, StoreError> {
        attempting { () throws(StoreError) in
            guard let user, let password = try password() else {
                throw .shared(
                    place, reason: "it asks for a user", hint: "set OAP_ETCD_USER and OAP_ETCD_PASSWORD_FILE")
            }
            learn(password)
            token = nil
            let body: JSONObject = ["name": .string(user), "password": .string(password)]
            return send("auth/authenticate", body, to: endpoints[0]).reading { [self] (answer) throws(StoreError) in
                if case .nothing(_, let reason) = answer { return reason }
                guard case .message(let message) = answer, let token = message["token"]?.string else {
                    throw .shared(place, reason: "it refuses the user \(user)", hint: nil)
                }
                learn(token)
                self.token = token
                return nil
            }
        }
    }
}
