internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// The list that `oap store list` prints of the stored tokens, without secrets.
struct StoreList {
    let session: Session

    /// The tokens, each a line of JSON, or of a table on a terminal.
    ///
    /// - Throws: exit 11.
    func list() throws(Failure) -> Exit {
        let store = try session.inputs.store()
        let names = try session.engine.run(Failure.storing(store.list()))
        return try session.list(
            names, columns: Self.columns, red: [TimeText.left(0), Self.refused], orSay: "no tokens are stored", row: row
        ) { (name) throws(Failure) in
            guard let stored = try session.engine.run(Failure.storing(store.load(name))) else { return nil }
            return try entry(of: stored, name)
        }
    }

    private static let columns = [
        Table.Column(head: "NAME", narrowing: .shortens), Table.Column(head: "LEFT"), Table.Column(head: "RENEWS"),
        Table.Column(head: "ENDS", narrowing: .leaves, isOptional: true),
        Table.Column(head: "ACCOUNT", narrowing: .cuts), Table.Column(head: "SERVER", narrowing: .cuts),
        Table.Column(head: "CLIENT", narrowing: .leaves), Table.Column(head: "SCOPE", narrowing: .cuts),
    ]

    private func entry(of stored: StoredToken, _ name: TokenName) throws(Failure) -> JSONObject {
        let document = TokenEnd.normalized(
            try Input.object(in: stored.bytes, name: "the stored token \(name.text)", exit: .fileFailed)
        ).document
        var entry: JSONObject = ["name": .string(name.text)]
        for member in ["issuer", "token_endpoint", "client_id", "scope"] {
            entry[member] = document[member]?.string.map { JSON.string($0).withoutCredentials }
        }
        entry["account"] = Account.name(of: document).map { .string($0) }
        let refusal = document["refused_at"]?.integer
        if let expiry = document["expires_at"]?.integer {
            entry["expires_at"] = .integer(expiry)
            entry["seconds_left"] = refusal == nil ? .integer(max(expiry - session.world.seconds, 0)) : nil
        }
        for (member, _) in TokenDocument.ends { entry[member] = document[member]?.integer.map { .integer($0) } }
        entry["refused_at"] = refusal.map { .integer($0) }
        let derived = DerivedToken.list(in: document)
        if !derived.isEmpty { entry["derived_tokens"] = .array(derived) }
        // A profile that cannot be read is a matter for the command that needs it.
        let profile = (try? session.inputs.profiles.find(name.text)).flatMap(\.self)
        entry["can_refresh"] = .bool(
            TokenDocument.isRenewable(document.adding(programsOf: profile), now: session.world.seconds))
        return entry
    }
}

extension StoreList {
    /// The cells of a token. The scope is the last, since it may be long.
    private func row(of entry: JSONObject) -> [String] {
        let server = Table.address((entry["issuer"] ?? entry["token_endpoint"])?.string ?? "")
        let texts = [entry["account"]?.string ?? "", server] + ["client_id", "scope"].map { entry[$0]?.string ?? "" }
        let isRefused = entry["refused_at"] != nil
        let left = isRefused ? Self.refused : entry["seconds_left"]?.integer.map(TimeText.left) ?? ""
        let renews = entry["can_refresh"] == .bool(true) ? "yes" : "no"
        let end = TokenDocument.end(ofRenewing: entry).map { TimeText.left($0 - session.world.seconds) } ?? ""
        return [entry["name"]?.string ?? "", left, renews, end] + texts
    }

    /// The API refused it, and nothing renews it: it is not handed out any more.
    private static let refused = "refused"
}
