internal import CommandSpec
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap whoami`: the account of a token.
enum WhoamiCommand {
    static let members = UserinfoCommand.members

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let output = try session.output()
        var fetch = try UserinfoFetch(session, members: members)
        let known = fetch.input.document.members["id_token_claims"]?.object ?? [:]
        var (claims, source) = (known, "id_token")
        let stored = fetch.input.document.members
        if Account.name(in: known) == nil, let name = stored["logged_in_as"] {
            (claims, source) = (["login": name, "sub": known["sub"] ?? .null], "login")
        } else if known.members.isEmpty, let grant = stored["grant_type"]?.string,
            Grant.Kind(named: grant).isRepeatable,
            let client = stored["client_id"]
        {
            (claims, source) = (["login": client], "client")
        } else if Account.name(in: known) == nil {
            (claims, source) = (try found(by: &fetch, known, session) ?? known, "userinfo")
            if claims == known { source = "id_token" }
        }
        guard let account = Account.name(in: claims) ?? claims["sub"]?.string else {
            throw Failure(
                .badAnswer, .invalidResponse, "the answer of the userinfo endpoint names no user",
                hint: "oap userinfo shows the answer")
        }
        guard session.form.isShaped else { return try output.finish(line: Terminal.escaping(account)) }
        var result: JSONObject = ["account": .string(account)]
        result["sub"] = claims["sub"]
        result["issuer"] = fetch.input.document.members["issuer"]
        result["source"] = .string(source)
        return try output.finish(result)
    }

    /// What the userinfo endpoint says. One that fails is passed over, with a warning, if the user is known without it.
    ///
    /// - Throws: exit 2 to 11 where nothing else says who the user is.
    private static func found(
        by fetch: inout UserinfoFetch, _ known: JSONObject, _ session: Session
    ) throws(Failure) -> JSONObject? {
        do throws(ServerFault) {
            let answer = try fetch.claims(checksSubject: false)
            // Without a subject it names no account (OpenID Connect Core §5.3.2).
            return known["sub"] == nil || answer["sub"] != nil ? answer : nil
        } catch {
            let kind = error.error?.kind
            let failure = Failure(error)
            if known["sub"] == nil, kind == .metadataMissing, fetch.input.document.members["issuer"] != nil {
                throw Failure(
                    .badInput, .metadataMissing,
                    "neither the token nor the server names the user: there is no userinfo endpoint",
                    hint: fetch.input.document.hintForClientToken
                        ?? "if the server supports OpenID Connect, log in with openid in --scope")
            }
            guard known["sub"] != nil, kind != .subjectMismatch else { throw failure }
            guard kind != .metadataMissing else { return nil }
            try session.diagnostics.warn([.other("the name of the user is not known: \(failure.message)")])
            return nil
        }
    }

    static let command = Command(
        "whoami", section: "Log in and use a token", summary: "print the account of a token",
        options: members.map(\.option) + GeneralOption.tokenInput + [GeneralOption.minimumTTL]
            + OutputOption.allAndStrict + GeneralOption.server, writesErrorDocuments: false, run: run)
}
