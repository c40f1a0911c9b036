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
            throw Failure(document.missing("access_token"))
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
                    `put` stores the token document from standard input, and prints nothing; `get` prints it, \
                    `delete` deletes it. `list` prints one line of JSON for each token, or a table on a terminal, \
                    without secrets: name, account, issuer, client, scope, expiry, and whether it can be renewed. \
                    `refused_at` is when an API refused the token, which is not used since. \
                    The account is who has logged in, as far as the ID token or the userinfo endpoint says. `key` \
                    prints a new key for `OAP_STORE_KEY_FILE`; with `-o` it does not overwrite an existing file. \
                    `flows` prints a line of JSON for each flow that `oap authurl --remember` keeps until its \
                    redirect comes, without secrets, and `forget-flows` deletes them.
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
        Stores token documents under names. If a store or a token cannot be used, the command fails with exit status \
        11 and changes nothing.
        """

    private static let sections = [
        ManualSection(
            "STORES",
            text: """
                Without `--store` and `OAP_STORE` tokens are files of mode 0600, `NAME.json`, in \
                `$XDG_STATE_HOME/oap/tokens`, which is `~/.local/state/oap/tokens` by default; with `file:DIR` in that \
                folder. Files readable by others, folders writable by others, symbolic links and files of other users \
                are refused. Each token has a lock file, `NAME.lock`, which is not deleted; the file system must \
                support flock(2).

                `helper:NAME` stores tokens with the program `docker-credential-NAME` as passwords of the user `oap` \
                at `https://oap.invalid/NAME`: `secretservice` is the keyring of the desktop, `pass` is `pass(1)`, \
                both in Debian's golang-docker-credential-helpers. They accept tokens of up to about 60,000 bytes; \
                whether a token is replaced atomically is up to the helper. The locks are in \
                `~/.local/state/oap/locks`, where `~` is the home in the password database: a helper has one store for \
                each user, whatever `HOME` and `XDG_STATE_HOME` say. One helper runs at a time; it gets no variable that begins with `OAP_`, \
                and has a time limit of two minutes, enough to type a passphrase. `echo https://oap.invalid/NAME | \
                docker-credential-pass get` shows a token without `oap`.
                """),
        ManualSection(
            "SEALING",
            text: """
                With `OAP_STORE_KEY_FILE` every token is stored as a JSON Web Encryption (RFC 7516, compact, `dir` and \
                `A256GCM`) with the 256-bit key in that file, in any store. The file is a JSON Web Key of type `oct`, \
                as `oap store key` makes it, and must not be readable by others. `jose jwe dec -i NAME.json -k KEY` \
                opens a token without `oap`; one that `jose` makes is read when its protected header has the token's \
                name as `oap_name`, which binds it to its place.

                These fail with exit status 11: a wrong key; a damaged token; a sealed token but no key set; an \
                unsealed token but a key set. Such a token is never overwritten: delete it first with `oap store \
                delete`. To seal a stored token, get it, delete it, and put it again with the key.
                """),
    ]

    private static let examples = [
        Example("Store the token of a login.", command: "oap store put work < token.json"),
        Example("Print the names of the stored tokens.", command: "oap store list --jq .name -r", output: "work"),
        Example(
            "Print the names of tokens that cannot be renewed.",
            command: "oap store list --jq 'select(.can_refresh | not).name' -r"),
        Example(
            "Seal all tokens from now on.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap
                export OAP_STORE_KEY_FILE=${XDG_CONFIG_HOME:-~/.config}/oap/store.jwk
                oap store key -o "$OAP_STORE_KEY_FILE"
                """),
    ]
}
