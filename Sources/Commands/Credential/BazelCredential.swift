internal import System
internal import Wire
internal import Shell

/// The protocol of Bazel's credential helpers (EngFlow credential-helper-spec).
enum BazelCredential {
    /// Carries out `get`.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        guard request.action == "get" else { throw .usage("the only action of bazel is get") }
        guard let uri = try request.object()["uri"]?.string, let url = WebURL(uri), url.host?.isEmpty == false else {
            throw CredentialRequest.bad("uri in the request on standard input is not a URL")
        }
        // `grpcs` is what remote caches are reached with.
        let urls = url.scheme == "grpcs" ? TokenSearch.urls("https" + uri.dropFirst(5)) : TokenSearch.urls(uri)
        guard let token = try request.token(for: urls) else { return try request.session.output().finish([:]) }
        let field = token.access.field
        var answer: JSONObject = ["headers": .object([field.name: .strings([field.value])])]
        answer["expires"] = token.expiresAt.map { .string(Timestamp.text($0)) }
        return try request.session.output().finish(answer)
    }
}
