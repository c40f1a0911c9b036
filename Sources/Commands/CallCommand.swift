internal import Calls
internal import CommandSpec
internal import HTTP
internal import JQ
internal import OAuth
internal import Wire

/// `oap call`: token → the API's answer.
enum CallCommand {
    /// The members that its options set.
    static let members: [MemberOption] = [.apiBase, .authorizationScheme]

    /// Runs the command. The request is built first, so that usage errors are reported before a token is renewed.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let source = try TokenSource(session)
        let request = try CallRequest(session.arguments, document: source.document)
        if session.arguments.has(CallOption.dryRun) {
            return try printCurl(request.request, with: try source.token(), session)
        }
        let token = try source.isDue() ? nil : try source.token()
        let result = try CallResult(session, mayCompileLater: request.request.onlyReads)
        return try CallDriver(request, token: token, source: source, result: result, session: session).run()
    }

    private static func printCurl(
        _ request: APIRequest, with token: AccessToken, _ session: Session
    ) throws(Failure) -> Exit {
        let output = try session.output()
        var message = request.message
        message.headers.insert(token.field, at: 0)
        let secret = CurlCommand.Secret(variable: "OAP_ACCESS_TOKEN", value: token.token)
        let file = request.upload.map { $0.name == "standard input" ? "-" : $0.name }
        let command = CurlCommand(message, secrets: [secret], contentFile: file)
        return try output.write(line: command.text)
    }
}
