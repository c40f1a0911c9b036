internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap exchange`: flow or client → token.
enum ExchangeCommand {
    static let grant = Option(
        "grant", argument: "GRANT", completes: .words(Grant.names), section: "Request",
        summary: "what is traded for the token",
        details: """
            The grant type: `authorization_code`, `client_credentials`, `device_code`, `refresh_token`, or the URN of an \
            extension grant whose parameters `--param` gives. Without it, it follows from the document: `device_code` \
            where the document has one, else `authorization_code`.
            """)

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(MemberOption.identity + [MemberOption.resource])
        let output = try session.output()
        return try output.write(
            try token(
                of: input, grant: session.arguments.value(grant), extra: try session.extraParameters(),
                session: session))
    }

    /// The token document that a document is traded for.
    ///
    /// - Parameters:
    ///   - name: the grant as `--grant` names it; nil where it follows from the document.
    ///   - extra: parameters of the server's own (`--param`).
    /// - Throws: every failure of the exchange.
    static func token(
        of input: Input, grant name: String? = nil, extra: [(name: String, value: String)] = [], session: Session
    ) throws(Failure) -> JSONObject {
        var grant = try grant(of: input, named: name)
        try Failure.lifting(input.document) { () throws(OAuthError) in
            try grant.addExtra(extra, of: input.document)
        }
        let request = try TokenRequest(grant: grant, input: input, session: session)
        let issued = grant.isDevice ? try poll(request, for: input.document, session) : try request.send(session)
        let document = input.document.members
        let token =
            grant.type == "refresh_token"
            ? TokenDocument.refreshed(document, by: issued.response, start: issued.start)
            : TokenDocument.exchanged(
                document, for: issued.response, method: request.server.authentication.method, start: issued.start)
        return issued.addingClaims(to: token)
    }

    private static func poll(
        _ request: TokenRequest, for document: Document, _ session: Session
    ) throws(Failure) -> IssuedToken {
        var poll = try DevicePoll(request, for: document, session: session)
        return try poll.token()
    }

    private static func grant(of input: Input, named name: String?) throws(Failure) -> Grant {
        let document = input.document
        let named = if let name { name } else { try implied(by: document) }
        switch named {
        case "refresh_token":
            return try RefreshCommand.grant(of: input, scope: nil)
        case "client_credentials":
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.clientCredentials(document) }
        case "authorization_code":
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.authorizationCode(document) }
        case "device_code", Grant.deviceType:
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.deviceCode(document) }
        case let type:
            return try Failure.lifting(document) { () throws(OAuthError) in try Grant.other(type, document) }
        }
    }

    /// The grant that a document is made for.
    private static func implied(by document: Document) throws(Failure) -> String {
        let held = ["code", "device_code"].filter { document.members[$0]?.isNull == false }
        guard held.count < 2 else {
            throw Failure(
                .badInput, "usage", "the document has both code and device_code", hint: "--grant says which is meant")
        }
        return held == ["device_code"] ? "device_code" : "authorization_code"
    }
}
