package import Errands
package import System
internal import Wire

/// Records in Kubernetes: a Secret for each token, replaced by its `resourceVersion` (kubernetes.io, "Kubernetes API
/// Concepts").
///
/// A replacement without that version would overwrite whatever is there, so none is sent without it.
package final class KubernetesRecords: SharedRecords {
    package let place: String
    private let address: KubernetesAddress
    private let api: KubernetesAPI
    private let now: () -> MonotonicTime
    /// The Secret that was read or written last: it is replaced as a whole. Its object is nil where there was none.
    private var known: (secret: String, object: JSONObject?)?

    package init(
        _ address: KubernetesAddress, access: KubernetesAccess, by now: @escaping () -> MonotonicTime = { .now }
    ) {
        (self.address, self.now) = (address, now)
        place = "Kubernetes at \(access.server), namespace \(address.namespace)"
        api = KubernetesAPI(access, namespace: address.namespace, place: place)
    }

    /// Versions are compared for equality only.
    package func isOlder(_ revision: String, than other: String) -> Bool { false }

    package func read(_ name: TokenName) -> Attempt<SharedRecord?, StoreError> {
        let secret = address.secret(of: name)
        return api.ask("get", secret).reading { [self] (answer) throws(StoreError) in
            switch answer {
            case .object(let object):
                known = nil
                let record = try record(in: object, of: name)
                known = (secret, object)
                return record
            case .missing:
                known = (secret, nil)
                return nil
            case .conflict, .unknown: throw api.strange
            }
        }
    }

    /// The record of a Secret; nil for an empty one, which an administrator has made for a token.
    private func record(in object: JSONObject, of name: TokenName) throws(StoreError) -> SharedRecord? {
        func unfit(_ reason: String) -> StoreError {
            .corrupt(path: "\(place), Secret \(address.secret(of: name)) of \(name.text)", reason: reason)
        }
        guard let metadata = object["metadata"]?.object, let revision = metadata["resourceVersion"]?.string,
            !revision.isEmpty
        else { throw api.strange }
        guard object["immutable"]?.bool != true else { throw unfit("it is immutable, so no token can be kept in it") }
        let owner = metadata["annotations"]?.object?[Self.annotation]?.string
        guard owner == nil || owner == name.text else { throw unfit("its annotation says that it is another token's") }
        let data = object["data"]?.object ?? [:]
        guard let text = data["record"]?.string else {
            guard owner == nil, data.isEmpty else { throw unfit("its data.record is missing") }
            return nil
        }
        guard let bytes = Base64.decode(text) else { throw unfit("its data.record is not Base64") }
        return SharedRecord(bytes: bytes, revision: revision)
    }

    private static let annotation = "oap/name"
    private static let label = (name: "app.kubernetes.io/managed-by", value: "oap")

    package func replace(
        _ name: TokenName, with bytes: [UInt8]?, over revision: String?
    ) -> Attempt<SharedRecord.Replacement, StoreError> {
        if let known, known.secret == address.secret(of: name), Self.revision(of: known.object) == revision {
            return write(name, bytes, over: known.object)
        }
        // What is replaced must be known as a whole.
        return read(name).onward { [self] (kept) throws(StoreError) in
            guard kept?.revision == revision else { return .done(.success(.lost)) }
            return write(name, bytes, over: known?.object)
        }
    }

    /// The version of a Secret that has a record.
    private static func revision(of object: JSONObject?) -> String? {
        object?["data"]?.object?["record"] == nil ? nil : object?["metadata"]?.object?["resourceVersion"]?.string
    }

    private func write(
        _ name: TokenName, _ bytes: [UInt8]?, over object: JSONObject?
    ) -> Attempt<SharedRecord.Replacement, StoreError> {
        let secret = address.secret(of: name)
        let (verb, body): (String, JSONObject)
        switch (object, bytes) {
        case (let object?, let bytes?): (verb, body) = ("update", filled(object, name, bytes))
        case (nil, let bytes?): (verb, body) = ("create", filled(empty(secret), name, bytes))
        case (let object?, nil): (verb, body) = ("delete", Self.removal(of: object))
        case (nil, nil): return .done(.success(.lost))
        }
        return api.ask(verb, secret, body).onward { [self] (answer) throws(StoreError) in
            switch answer {
            case .object(let object):
                known = (secret, bytes == nil ? nil : object)
                guard bytes != nil else { return .done(.success(.done(revision: ""))) }
                guard let revision = Self.revision(of: object) else { throw api.strange }
                return .done(.success(.done(revision: revision)))
            case .missing:
                known = (secret, nil)
                return .done(.success(.lost))
            case .conflict: return resolveConflict(over: name, bytes)
            case .unknown:
                known = nil
                return .done(.success(.unknown))
            }
        }
    }

    /// Asks after a conflict whether the replacement itself came first, as where a lost connection had it sent twice.
    private func resolveConflict(
        over name: TokenName, _ bytes: [UInt8]?
    ) -> Attempt<SharedRecord.Replacement, StoreError> {
        read(name).reading { (kept) throws(StoreError) in
            guard let kept, kept.bytes == bytes else { return .lost }
            return .done(revision: kept.revision)
        }
    }

    private func empty(_ secret: String) -> JSONObject {
        let metadata: JSONObject = ["name": .string(secret), "namespace": .string(address.namespace)]
        return [
            "apiVersion": .string("v1"), "kind": .string("Secret"), "metadata": .object(metadata),
            "type": .string("Opaque"),
        ]
    }

    /// The Secret as it was read, with another record.
    private func filled(_ object: JSONObject, _ name: TokenName, _ bytes: [UInt8]) -> JSONObject {
        var (object, metadata) = (object, object["metadata"]?.object ?? [:])
        func with(_ value: String, for key: String, in member: String) -> JSON {
            .object((metadata[member]?.object ?? [:]).setting(key, to: .string(value)))
        }
        metadata["labels"] = with(Self.label.value, for: Self.label.name, in: "labels")
        metadata["annotations"] = with(name.text, for: Self.annotation, in: "annotations")
        object["metadata"] = .object(metadata)
        object["data"] = .object(
            (object["data"]?.object ?? [:]).setting("record", to: .string(Base64.encode(bytes))))
        return object
    }

    private static func removal(of object: JSONObject) -> JSONObject {
        let metadata = object["metadata"]?.object ?? [:]
        var preconditions: JSONObject = [:]
        for name in ["uid", "resourceVersion"] { preconditions[name] = metadata[name] }
        return [
            "apiVersion": .string("v1"), "kind": .string("DeleteOptions"), "preconditions": .object(preconditions),
        ]
    }

    package func change(
        of name: TokenName, since revision: String, until end: MonotonicTime
    ) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            let start = now()
            let request = try api.watch(address.secret(of: name), milliseconds: end.milliseconds(since: start))
            // Not by all waiting machines at once.
            return watching(request, from: start, until: end, pause: .milliseconds(.random(in: 500...1500))) {
                Self.news(in: $0, since: revision)
            }
        }
    }

    /// Whether the whole lines of a watch say that the Secret has changed, or that the watch goes no further, for example as
    /// its version is too old; nil while there is nothing but the version that is known.
    private static func news(in stream: [UInt8], since revision: String) -> Bool? {
        for line in stream.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            guard let event = (try? JSON(parsing: Array(line)))?.object, let type = event["type"]?.string else {
                return false
            }
            let version = event["object"]?.object?["metadata"]?.object?["resourceVersion"]?.string
            switch type {
            case "BOOKMARK": continue
            // It begins with what is there.
            case "ADDED" where version == revision, "MODIFIED" where version == revision: continue
            case "ADDED", "MODIFIED", "DELETED": return true
            default: return false
            }
        }
        return nil
    }

    package func list() -> Attempt<[TokenName], StoreError> { list(after: [], next: nil, left: 1000) }

    /// The list from a page on, of so many at the most.
    private func list(after known: [TokenName], next: String?, left: Int) -> Attempt<[TokenName], StoreError> {
        let pairs = [("labelSelector", "\(Self.label.name)=\(Self.label.value)"), ("limit", "250")]
        let query = FormEncoding.encode(pairs + (next.map { [("continue", $0)] } ?? []))
        return api.ask("list", query).onward { [self] (answer) throws(StoreError) in
            guard left > 0 else { throw api.strange }
            if case .conflict = answer { return list(after: [], next: nil, left: left / 2) }
            guard case .object(let list) = answer, let items = list["items"]?.array else { throw api.strange }
            let found = items.compactMap { item -> TokenName? in
                let metadata = item.object?["metadata"]?.object
                guard let text = metadata?["annotations"]?.object?[Self.annotation]?.string,
                    let name = try? TokenName(text), metadata?["name"]?.string == address.secret(of: name)
                else { return nil }
                return name
            }
            let names = known + found
            if let next = list["metadata"]?.object?["continue"]?.string, !next.isEmpty {
                return self.list(after: names, next: next, left: left - 1)
            }
            return .done(.success(names.sorted { $0.text < $1.text }))
        }
    }
}
