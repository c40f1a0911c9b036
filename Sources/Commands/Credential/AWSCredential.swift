internal import Errands
internal import Shell

/// The protocol of AWS's `credential_process` (AWS SDKs and Tools, Process credentials), by a role that trusts the issuer.
enum AWSCredential {
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        guard let named = request.role else { throw .usage("aws needs \(CredentialOption.role.name)") }
        let role = try asFailure(named.get())
        let output = try request.session.output()
        let token = try request.identity().token.access.token
        let transport = request.session.transport.serving(try request.search.document(of: request.named()))
        transport.diagnostics.redactor.add(token)
        let asked = ServerRequest(message: role.request(with: token), withCertificate: false)
        let call = try transport.asked(asked).mapFailure { Failure($0, stake: .repeatable, of: role.endpoint) }
        let response = try request.session.engine.run(call)
        let credentials = try asFailure(role.credentials(response))
        let secrets = ["SecretAccessKey", "SessionToken"].compactMap { credentials[$0]?.string }
        try MaskLine.detected(in: request.session.environment)?.mask(secrets)
        return try output.finish(credentials)
    }
}
