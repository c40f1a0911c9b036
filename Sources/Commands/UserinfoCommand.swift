internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Sessions

/// `oap userinfo`: the claims of the userinfo endpoint (OpenID Connect Core §5.3).
enum UserinfoCommand {
    static let members = MemberOption.of(
        "client_id", ClientCredential.secret.member, "issuer", "userinfo_endpoint", "jwks_uri", "authorization_scheme")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let isRaw = arguments.has(GeneralOption.raw)
        let output = try session.output()
        if !isRaw { try session.refuseWaitingToken(orElse: GeneralOption.raw.name) }
        var fetch = try UserinfoFetch(session, members: members, isRaw: isRaw)
        return try output.finish(try asFailure(fault: fetch.claims()))
    }

    static let command = Command(
        "userinfo", section: "Log in and use a token", summary: "ask the server who the user of a token is",
        options: [GeneralOption.raw] + members.map(\.option) + GeneralOption.tokenInput + [GeneralOption.minimumTTL]
            + OutputOption.allAndStrict + GeneralOption.server + [GeneralOption.dryRun], rules: GeneralOption.rawRules,
        writesErrorDocuments: false, run: run)
}
