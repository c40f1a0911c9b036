internal import Shell

/// The command line of the `keyring` program, as pip and uv run it.
enum KeyringCredential {
    /// Carries out `get SERVICE [USER]`. Without a token it ends with status 1 and says nothing, as keyring does.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        var (words, values) = ([String](), ["--mode": "password", "--output": "plain"])
        var rest = request.words[...]
        while let word = rest.popFirst() {
            if let pair = word.cut(at: "="), values[pair.before] != nil {
                values[pair.before] = pair.after
            } else if values[word] != nil {
                values[word] = rest.popFirst() ?? ""
            } else if !word.hasPrefix("-") {
                words.append(word)
            }
        }
        guard words.first == "get", words.count >= 2 else {
            throw .usage("the only command of keyring is get SERVICE [USER]")
        }
        guard let token = try request.token(for: TokenSearch.urls(words[1])) else { return .falseOrNull }
        let user = words.count > 2 ? words[2] : request.username
        switch (values["--mode"], values["--output"]) {
        case ("creds", "json"):
            return try request.session.output().finish([
                "username": .string(user), "password": .string(token.access.token),
            ])
        case ("creds", _): return try request.session.output().finish(line: "\(user)\n\(token.access.token)")
        default: return try request.session.output().finish(line: token.access.token)
        }
    }
}
