internal import CommandSpec
internal import JOSE
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap store`: puts tokens into the store, and takes them out.
enum StoreCommand {
    /// What it does, by the word that says so.
    enum Action: String, CaseIterable {
        case put, get, list, delete, key
    }

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let word = session.arguments.operand(0) ?? ""
        guard let action = Action(rawValue: word) else {
            preconditionFailure("the parser lets no other action through than those of its record")
        }
        switch action {
        case .put: return try put(try name(for: action, session), session)
        case .get: return try get(try name(for: action, session), session)
        case .delete: return try delete(try name(for: action, session), session)
        case .list:
            try refuseName(for: action, session)
            return try StoreList(session).write()
        case .key:
            try refuseName(for: action, session)
            return try key(session)
        }
    }

    private static func name(for action: Action, _ session: Session) throws(Failure) -> TokenName {
        guard let text = session.arguments.operand(1) else { throw .usage("oap store \(action) needs a name") }
        return try Failure.storing { () throws(StoreError) in try TokenName(text) }
    }

    private static func refuseName(for action: Action, _ session: Session) throws(Failure) {
        guard session.arguments.operand(1) == nil else { throw .usage("oap store \(action) takes no name") }
    }

    /// What has no result takes no option that shapes one.
    private static func refuseForm(of action: Action, _ session: Session) throws(Failure) {
        guard let other = session.arguments.occurrences.first(where: { $0.option != GeneralOption.store }) else {
            return
        }
        throw .usage("oap store \(action) prints nothing that \(other.option.name) could shape")
    }

    private static func put(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        try refuseForm(of: .put, session)
        var document = Document(try Input.readStandardInput(hint: "pipe a token document in"))
        var descriptors: [String: String] = [:]
        try Input.settleFiles(in: &document, descriptors: &descriptors)
        let token = document.members["access_token"] ?? document.members["access_token_file"]
        guard token?.string?.isEmpty == false else {
            throw Failure(document.missing("access_token"), document: document)
        }
        let store = try session.store()
        let bytes = JSON.object(document.members).bytes + [0x0A]
        try Failure.storing { () throws(StoreError) in
            let held = try store.lock(name)
            try store.write(bytes, as: name)
            _ = consume held
        }
        return .done
    }

    private static func get(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        return try output.write(try ManagedToken(named: name.text, profile: nil, session: session).load())
    }

    private static func delete(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        try refuseForm(of: .delete, session)
        let store = try session.store()
        let existed = try Failure.storing { () throws(StoreError) -> Bool in
            let held = try store.lock(name)
            let existed = try store.remove(name)
            _ = consume held
            return existed
        }
        guard existed else { throw .file("no token is stored as \(name.text)") }
        return .done
    }

    /// A new key. A file that is there is not replaced: it may be a key, without which nothing can be opened any more.
    private static func key(_ session: Session) throws(Failure) -> Exit {
        let output = try session.output(replaces: false)
        let key: SymmetricKey
        do throws(JOSEError) {
            key = try SymmetricKey()
        } catch {
            throw Failure(error)
        }
        return try output.write(key.members)
    }
}
