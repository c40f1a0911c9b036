internal import CommandSpec
internal import OAuth
internal import TokenStore
internal import Wire

/// `oap token`: prints a stored token that is valid, and renews it first where it must.
enum TokenCommand {
    static let header = Option(
        "header", section: OutputOption.section, summary: "print it as an Authorization header",
        details: "Prints `Authorization: Bearer …`, or the field that the API wants; `curl -H @-` reads it.")
    static let document = Option(
        "document", section: OutputOption.section, summary: "print the whole token document",
        details: "Prints the token document, refresh token included.")

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let managed = try ManagedToken(
            named: session.arguments.operand(0) ?? "", profile: profile(session), session: session)
        let wantsDocument = session.arguments.has(document) || session.form.filter != nil
        guard !wantsDocument || !session.arguments.has(header) else {
            throw .usage("--header and --document exclude each other")
        }
        let output = try session.output()
        let minimum = try RefreshCommand.minimum(of: session)
        var kept = try managed.load()
        if try managed.isDue(kept, minimum: minimum) {
            kept = try managed.renewed(because: .due(minimum: minimum, seen: kept["access_token"]?.string))
        }
        if wantsDocument { return try output.write(kept) }
        let input = try managed.input([], members: kept)
        guard let token = try input.secret("access_token") else {
            throw Failure(input.document.missing("access_token"), document: input.document)
        }
        let access = try Failure.lifting(input.document) { () throws(OAuthError) in
            try AccessToken(token, of: input.document)
        }
        return try output.write(
            line: session.arguments.has(header) ? "\(access.field.name): \(access.field.value)" : token)
    }

    /// The profile of the name, which need not be there: a token document works alone.
    private static func profile(_ session: Session) throws(Failure) -> JSONObject? {
        try Profile.find(session.arguments.operand(0) ?? "", in: session)
    }
}
