internal import CommandSpec
internal import JOSE
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap store`: lists, reads, writes and deletes stored tokens.
enum StoreCommand {
    /// The actions.
    enum Action: String, CaseIterable {
        case put, get, list, delete, key, flows
        case forgetFlows = "forget-flows"
    }

    private static func run(_ session: Session) throws(Failure) -> Exit {
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
            let list = try StoreList(of: try store(session)).list()
            if list.isEmpty, session.form.isTable { session.diagnostics.tell("no tokens are stored") }
            return try list.write(to: try session.output(), session.form, session.diagnostics)
        case .key:
            try refuseName(for: action, session)
            return try key(session)
        case .flows:
            try refuseName(for: action, session)
            return try flows(session)
        case .forgetFlows:
            try refuseName(for: action, session)
            try refuseForm(of: action, session)
            try RememberedFlow.forget(in: session.environment.folders)
            return .done
        }
    }

    private static func name(for action: Action, _ session: Session) throws(Failure) -> TokenName {
        let text = try session.inputs.name(session.arguments.operand(1))
        return try Failure.storing(try TokenName(text))
    }

    private static func refuseName(for action: Action, _ session: Session) throws(Failure) {
        let isNamed = session.arguments.operand(1) != nil || session.arguments.has(GeneralOption.profile)
        guard !isNamed else { throw .usage("oap store \(action.rawValue) takes no name") }
    }

    /// Refuses output options for actions without output.
    private static func refuseForm(of action: Action, _ session: Session) throws(Failure) {
        guard
            let other = session.arguments.occurrences.first(where: {
                ![GeneralOption.store, GeneralOption.named, GeneralOption.errorDocument].contains($0.option)
            })
        else { return }
        throw .usage("oap store \(action.rawValue) prints nothing, so \(other.option.name) has no effect")
    }

    private static func store(_ session: Session) throws(Failure) -> any TokenStoring {
        try StoreSelection.store(session.arguments, session.environment, session.diagnostics.redactor)
    }

    private static func put(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        try refuseForm(of: .put, session)
        var document = Document(try Input.readStandardInput(hint: "pipe a token document in"))
        var descriptors: [String: String] = [:]
        try Input.settleFiles(in: &document, descriptors: &descriptors)
        session.inputs.register(document.members)
        let token = document.members["access_token"] ?? document.members["access_token_file"]
        guard token?.string?.isEmpty == false else {
            throw Failure(
                .badInput, .metadataMissing, "access_token is missing",
                hint: "pipe in the token document that oap exchange printed")
        }
        let store = try store(session)
        let bytes = JSON.object(document.members).bytes + [0x0A]
        try Failure.storing(try store.hold(name).write(bytes))
        return .done
    }

    private static func get(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        let managed = try ManagedToken(named: name.text, profile: nil, session.inputs, over: session.transport)
        let token = try managed.load()
        // The message of a filter that fails repeats its input.
        session.inputs.register(token)
        return try output.finish(token)
    }

    private static func delete(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        try refuseForm(of: .delete, session)
        let managed = try ManagedToken(named: name.text, profile: nil, session.inputs, over: session.transport)
        try managed.requireStored()
        let store = try store(session)
        let existed = try Failure.storing(try store.hold(name).remove())
        guard existed else { throw .file("no token is stored as \(name.text)") }
        return .done
    }

    /// The flows that wait for their redirect, a line of JSON for each.
    private static func flows(_ session: Session) throws(Failure) -> Exit {
        var output = try session.output()
        for flow in try RememberedFlow.list(in: session.environment.folders) { try output.write(.object(flow)) }
        return try output.end()
    }

    /// A new key. An existing file is not overwritten: it may be a key that stored tokens need.
    private static func key(_ session: Session) throws(Failure) -> Exit {
        let output = try session.output(replaces: false)
        let key: SymmetricKey
        do throws(JOSEError) {
            key = try SymmetricKey()
        } catch {
            throw Failure(error)
        }
        return try output.finish(key.members)
    }

    /// The command.
    static let command = Command(
        "store", section: "Log in and use a token", summary: "list, read, write and delete stored tokens",
        description: description,
        operands: [
            Operand(
                "ACTION", choices: Action.allCases.map(\.rawValue), summary: "what to do",
                details: """
                    `put` stores the token document from standard input, and prints nothing. `get` prints a stored \
                    token document. `delete` deletes a stored token. `list` prints one line of JSON for each token, or \
                    a table on a terminal, without secrets: name, account, issuer, client, scope, expiry, and whether \
                    it can be renewed. The account is the user's name in the ID token or at the userinfo endpoint. \
                    `refused_at` is the time at which an API refused the token; such a token is not used again. `key` \
                    prints a new key for `OAP_STORE_KEY_FILE`; `key -o FILE` never overwrites a file. `flows` prints a \
                    line of JSON, without secrets, for each flow that `oap authurl --remember` stored and whose \
                    redirect has not come yet. `forget-flows` deletes these flows.
                    """),
            Operand(
                "NAME", isRequired: false,
                completes: .byFirst([
                    .init(["get", "delete"], StoredNames.tokens.completion),
                    .init(["put"], StoredNames.both.completion),
                ]), summary: "the token's name",
                details: "Letters, digits and `._@:-`, at most 128, for `put`, `get` and `delete` only."),
        ],
        options: [GeneralOption.named, GeneralOption.store] + OutputOption.all,
        examples: examples, sections: sections,
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-token", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Manages the token documents that are stored under names. If the store or a token cannot be used, the command \
        fails with exit status 11 and changes nothing.
        """

    private static let sections = [
        ManualSection(
            "STORES",
            text: """
                Without `--store` and `OAP_STORE`, each token is a file `NAME.json` of mode 0600 in the folder \
                `$XDG_STATE_HOME/oap/tokens`, which is `~/.local/state/oap/tokens` by default. The store `file:DIR` is \
                another folder. Files that others can read, folders that others can write to, symbolic links and files \
                of other users are refused. Each token has a lock file, `NAME.lock`, which is not deleted; the file \
                system must support flock(2).

                `helper:PROGRAM` stores tokens with the program `docker-credential-PROGRAM` as passwords of the user \
                `oap` at `https://oap.invalid/NAME`: `secretservice` is the keyring of the desktop, `pass` is `pass(1)`, \
                both in Debian's golang-docker-credential-helpers. They accept tokens of up to about 60,000 bytes; it \
                depends on the helper whether a token is replaced atomically. The locks are in \
                `~/.local/state/oap/locks`, where `~` is the user's home in the password database, since a helper has \
                one store for each user, independent of `HOME` and `XDG_STATE_HOME`. One helper runs at a time. It \
                gets no variable that begins with `OAP_`, and has two minutes, enough to type a passphrase. To see a \
                token without `oap`: `echo https://oap.invalid/NAME | docker-credential-pass get`.
                """),
        ManualSection(
            "SEALING",
            text: """
                With `OAP_STORE_KEY_FILE` every token is stored as a JSON Web Encryption (RFC 7516, compact, `dir` and \
                `A256GCM`) with the 256-bit key in that file, in any store. The file is a JSON Web Key of type `oct`, \
                as `oap store key` makes it, and must not be readable by others. To open a token without `oap`: `jose \
                jwe dec -i NAME.json -k KEY`. The protected header has the token's name as `oap_name`, so that a \
                sealed token cannot be moved to another name; a token that `jose` seals needs it too.

                The exit status is 11 if the key is wrong, if the token is damaged, if it is sealed and no key is set, \
                and if it is not sealed although a key is set. Such a token is never overwritten; `oap store delete` \
                deletes it. To seal a token that is stored without a key, print it with `get`, delete it, and store it \
                again with the key.
                """),
    ]

    private static let examples = [
        Example("Store the token of a login.", command: "oap store put work < token.json"),
        Example("Print the names of the stored tokens.", command: "oap store list --jq .name -r", output: "work"),
        Example(
            "Print the names of tokens that cannot be renewed.",
            command: "oap store list --jq 'select(.can_refresh | not).name' -r"),
        Example(
            "Make a key, and seal every token that is stored from now on.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap
                export OAP_STORE_KEY_FILE=${XDG_CONFIG_HOME:-~/.config}/oap/key.jwk
                oap store key -o "$OAP_STORE_KEY_FILE"
                """),
    ]
}
