internal import CommandSpec
internal import Errands
internal import OAuth
internal import Wire

/// The protocol of AWS's `credential_process` (AWS SDKs and Tools, Process credentials), by a role that trusts the issuer.
enum AWSCredential {
    private static let section = "AWS"
    static let role = Option("role-arn", argument: "ARN", section: section, summary: "the role")
    private static let session = Option(
        "role-session-name", argument: "NAME", standard: "oap", section: section, summary: "the name of the session")
    private static let duration = Option(
        "duration", argument: "SECONDS", standard: "3600", section: section,
        summary: "how long the credentials are valid")
    private static let region = Option("region", argument: "REGION", section: section, summary: "the region of STS")
    private static let endpoint = Option(
        "sts-endpoint", argument: "URL", section: section, summary: "the endpoint of STS")
    static let options = [role, session, duration, region, endpoint]

    /// Prints the credentials.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        let (arguments, transport) = (request.session.arguments, request.session.transport)
        let seconds = arguments.value(duration).map { Int($0) ?? 0 }
        let role = try lift(
            try WebIdentityRole(
                arn: arguments.value(role) ?? "", session: arguments.value(session) ?? "oap", duration: seconds,
                region: arguments.value(region), endpoint: arguments.value(endpoint)))
        let output = try request.session.output()
        let token = try request.identity()
        transport.diagnostics.redactor.add(token.text)
        let asked = ServerRequest(message: role.request(with: token.text), withCertificate: false)
        let result: ServerRequest.Result = request.session.engine.run(try transport.asked(asked))
        switch result {
        case .failure(let error): throw Failure(error, stake: .repeatable, of: role.endpoint)
        case .success(let response): return try output.finish(try lift(try role.credentials(response)))
        }
    }
}
