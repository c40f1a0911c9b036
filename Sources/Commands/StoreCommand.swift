internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap store`: puts tokens into the store, and takes them out.
enum StoreCommand {
    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let store = try session.store()
        let action = session.arguments.operand(0) ?? ""
        if action == "list" {
            guard session.arguments.operand(1) == nil else { throw .usage("oap store list takes no name") }
            return try list(store, session)
        }
        guard let text = session.arguments.operand(1) else { throw .usage("oap store \(action) needs a name") }
        let name = try Failure.storing { () throws(StoreError) in try TokenName(text) }
        switch action {
        case "put": return try put(name, store)
        case "get":
            let output = try session.output()
            let managed = try ManagedToken(named: text, profile: nil, session: session)
            return try output.write(try managed.load())
        default: return try delete(name, store)
        }
    }

    private static func put(_ name: TokenName, _ store: any TokenStoring) throws(Failure) -> Exit {
        let document = try Input.readStandardInput()
        guard document["access_token"] != nil || document["access_token_file"] != nil else {
            throw Failure(Document(document).missing("access_token"), document: Document(document))
        }
        try Failure.storing { () throws(StoreError) in
            let held = try store.lock(name)
            try store.write(JSON.object(document).bytes + [0x0A], as: name)
            _ = consume held
        }
        return .done
    }

    private static func delete(_ name: TokenName, _ store: any TokenStoring) throws(Failure) -> Exit {
        let existed = try Failure.storing { () throws(StoreError) -> Bool in
            let held = try store.lock(name)
            let existed = try store.remove(name)
            _ = consume held
            return existed
        }
        guard existed else { throw .file("no token is stored as \(name.text)") }
        return .done
    }

    /// A line of JSON for each token, without a secret in it.
    private static func list(_ store: any TokenStoring, _ session: Session) throws(Failure) -> Exit {
        let names = try Failure.storing { () throws(StoreError) in try store.names() }
        var text = ""
        for name in names {
            let bytes = try Failure.storing { () throws(StoreError) in try store.read(name) }
            guard let bytes else { continue }
            let document = try Input.object(in: bytes, name: "the stored token \(name.text)", exit: .fileFailed)
            text += JSON.object(summary(of: document, name: name, now: session.now)).text + "\n"
        }
        try ByteSink.print(text)
        return .done
    }

    private static func summary(of document: JSONObject, name: TokenName, now: Int) -> JSONObject {
        var summary: JSONObject = ["name": .string(name.text)]
        for member in ["issuer", "client_id", "scope"] {
            summary[member] = document[member]?.string.map { .string($0) }
        }
        summary["expires_at"] = document["expires_at"]?.integer.map { .integer($0) }
        summary["seconds_left"] = document["expires_at"]?.integer.map { .integer(max(0, $0 - now)) }
        let canRefresh = document["refresh_token"] != nil || document["refresh_token_file"] != nil
        summary["can_refresh"] = .bool(canRefresh)
        return summary
    }
}
