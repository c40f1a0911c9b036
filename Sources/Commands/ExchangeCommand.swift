internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    static let grant = Option(
        "grant", argument: "GRANT", completes: .words(Grant.names), section: "Request",
        summary: "what is traded for the token",
        details: """
            The grant type: `authorization_code`, `client_credentials`, `refresh_token`, or the URN of an extension grant \
            whose parameters `--param` gives. Without it, it follows from the document.
            """)

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(MemberOption.identity + [MemberOption.resource])
        let output = try session.output()
        var grant = try grant(of: input, named: session.arguments.value(grant))
        let extra = try session.extraParameters()
        try Failure.lifting(input.document) { () throws(OAuthError) in
            try grant.addExtra(extra, of: input.document)
        }
        let endpoint = try TokenRequest(grant: grant, input: input, session: session)
        let issued = try endpoint.send(session)
        let document = input.document.members
        let token =
            grant.type == "refresh_token"
            ? TokenDocument.refreshed(document, by: issued.response, start: issued.start)
            : TokenDocument.exchanged(
                document, for: issued.response, method: endpoint.server.authentication.method, start: issued.start)
        return try output.write(issued.addingClaims(to: token))
    }

    private static func grant(of input: Input, named name: String?) throws(Failure) -> Grant {
        let document = input.document
        switch name ?? "authorization_code" {
        case "refresh_token":
            return try RefreshCommand.grant(of: input, scope: nil)
        case "client_credentials":
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.clientCredentials(document) }
        case "authorization_code":
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.authorizationCode(document) }
        case let type:
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.other(type, document) }
        }
    }
}
