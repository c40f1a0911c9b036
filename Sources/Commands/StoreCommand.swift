internal import CommandSpec
internal import JOSE
internal import OAuth
internal import System
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
            let list = try StoreList(session).list()
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
        let bytes = JSON.object(document.members).bytes + [0x0A]
        try session.engine.run(
            Failure.storing(try session.inputs.store().hold(name) { held in held.save(bytes, over: nil) }))
        try warn(ofSecretFor: document.members, name, session)
        return .done
    }

    /// Warns if a renewal of the token will not find the client's secret in the document or in the profile of the name.
    private static func warn(
        ofSecretFor token: JSONObject, _ name: TokenName, _ session: Session
    ) throws(Failure) {
        guard TokenDocument.isRenewable(token, now: Clock.now),
            token["token_endpoint_auth_method"]?.string?.hasPrefix("client_secret_") == true
        else { return }
        // The token is stored already: a profile that cannot be read is a matter for the command that needs it.
        let profile = (try? session.inputs.profiles.find(name.text)) ?? [:]
        let places = ["client_secret", "client_secret_file", "client_secret_command"]
        guard !places.contains(where: { token[$0] != nil || profile[$0] != nil }) else { return }
        session.diagnostics.tell("warning: the document has no client_secret, and each renewal needs it")
        session.diagnostics.hint(#"add the member "client_secret_file", with the path of a file, to the document"#)
    }

    private static func get(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        let managed = try ManagedToken(named: name.text, profile: nil, session.inputs, over: session.transport)
        let token = try session.engine.run(managed.load())
        // The message of a filter that fails repeats its input.
        session.inputs.register(token)
        return try output.finish(token)
    }

    private static func delete(_ name: TokenName, _ session: Session) throws(Failure) -> Exit {
        try refuseForm(of: .delete, session)
        let managed = try ManagedToken(named: name.text, profile: nil, session.inputs, over: session.transport)
        try session.engine.run(managed.requireStored())
        let removal = try session.inputs.store().hold(name) { held in held.remove() }
        guard try session.engine.run(Failure.storing(removal)) else { throw managed.notStored }
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
                    `put` reads a token document from standard input, and stores it. `get` prints a stored token \
                    document. `delete` deletes a stored token. `list` prints one line of JSON for each stored token, \
                    or a table on a terminal. A line shows the name, the account, the issuer, the token endpoint, the \
                    client, the scope and the expiry of the token, and whether the token can be renewed, but no \
                    secrets. If the terminal is too narrow for the table, `oap` cuts or leaves out columns. The \
                    account of a token is the user's name in the ID token or at the userinfo endpoint. If an API has \
                    refused a token that cannot be renewed, the line also has `refused_at`, the time of the refusal. \
                    `oap` does not use the refused token again.

                    `key` prints a new key for the encryption of stored tokens (see SEALING). With `-o FILE`, `key` \
                    never overwrites an existing file. `flows` prints one line of JSON, without secrets, for each flow \
                    document that `oap authurl --remember` has stored. Such a document is kept until the redirect of \
                    its login arrives, for at most one hour. `forget-flows` deletes all of them.
                    """),
            Operand(
                "NAME", isRequired: false,
                completes: .byFirst([
                    .init(["get", "delete"], StoredNames.tokens.completion),
                    .init(["put"], StoredNames.both.completion),
                ]), summary: "the token's name",
                details: """
                    The name of a stored token, for `put`, `get` and `delete`; the other actions take no name. A name \
                    has at most 128 characters: letters, digits and `._@:-`. The first character is a letter or a \
                    digit.
                    """),
        ],
        options: [GeneralOption.named, GeneralOption.store] + OutputOption.all,
        examples: examples, sections: sections,
        seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-token", 1)],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Manages stored tokens. A stored token is a token document that has a name in the store. If `oap` cannot read, \
        lock or write the store, or cannot open a token in it, the exit status is 11.
        """

    private static let sections = [
        ManualSection(
            "STORES",
            text: """
                The option `--store` or the variable `OAP_STORE` selects the store. If neither is given, tokens are \
                stored in the folder `$XDG_STATE_HOME/oap/tokens`, which is `~/.local/state/oap/tokens` by default. \
                With `file:DIR`, tokens are stored in the folder `DIR`. In the default folder and in `DIR`, each token \
                is a file `NAME.json` with mode 0600. `oap` refuses a file if other users can read it, if it belongs \
                to another user, or if it is a symbolic link. `oap` refuses a folder if other users can write to it. \
                Beside each token file is a lock file, `NAME.lock`. `oap` never deletes lock files. The file system \
                with the lock files must support flock(2).

                With `helper:PROGRAM`, the program `docker-credential-PROGRAM` stores each token as a password of the \
                user `oap` at `https://oap.invalid/NAME`. `helper:secretservice` uses the keyring of the desktop, and \
                `helper:pass` uses `pass(1)`. Debian's package golang-docker-credential-helpers contains both helpers. \
                Both helpers accept tokens of up to about 60,000 bytes. Some helpers do not replace a token \
                atomically. A helper has only one store for each user: `HOME` and `XDG_STATE_HOME` do not select \
                another store. For this reason, the lock files of every helper are in `~/.local/state/oap/locks`. \
                Here, `~` is the user's home folder according to passwd(5), and not `HOME`. Only one `oap` at a time \
                runs a helper: the others wait. The helper gets no environment variable that begins with `OAP_`. `oap` \
                stops the helper after two minutes: the user has this time to type a passphrase. This command shows a \
                token without `oap`: `echo https://oap.invalid/NAME | docker-credential-pass get`.
                """),
        ManualSection(
            "SEALING",
            text: """
                To seal a token is to encrypt it before it is stored. If `OAP_STORE_KEY_FILE` names a key file, `oap` \
                seals every token with the 256-bit key in this file, in every kind of store. A sealed token is a JSON \
                Web Encryption (RFC 7516) in the compact form, with the algorithms `dir` and `A256GCM`. The key file \
                contains a JSON Web Key of type `oct`, in the form that `oap store key` prints. Other users must not \
                be able to read the key file. Instead of a key file, a program can supply the key: see \
                `OAP_STORE_KEY_COMMAND` in `oap(1)`. This command decrypts a token without `oap`: `jose jwe dec -i \
                NAME.json -k KEY`. The protected header contains the token's name as `oap_name`. If somebody renames a \
                sealed token, `oap` cannot read the token any more. A token that the user seals with `jose` also needs \
                the header parameter `oap_name`.

                `oap` cannot open a token if the key is wrong or the token is damaged. If no key is set, `oap` cannot \
                open a sealed token. If a key is set, `oap` cannot open a token that is not sealed. If `oap` cannot \
                open a token, the exit status is 11. `oap` never overwrites a token that it cannot open, but `oap \
                store delete` deletes such a token. To seal a token that was stored without a key, save the output of \
                `oap store get`, and delete the token. Then set `OAP_STORE_KEY_FILE`, and store the token again.
                """),
    ]

    private static let examples = [
        Example("Store the token of a login.", command: "oap store put work < token.json"),
        Example("Print the names of the stored tokens.", command: "oap store list --jq .name -r", output: "work"),
        Example(
            "Print the names of the stored tokens that cannot be renewed.",
            command: "oap store list --jq 'select(.can_refresh | not).name' -r"),
        Example(
            "Make a key. While `OAP_STORE_KEY_FILE` is set, `oap` seals every token that it stores.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap
                export OAP_STORE_KEY_FILE=${XDG_CONFIG_HOME:-~/.config}/oap/key.jwk
                oap store key -o "$OAP_STORE_KEY_FILE"
                """),
    ]
}
