internal import Glibc
internal import System
internal import Wire
internal import Shell

/// The protocol of Google's executable-sourced credentials (external account credentials, AIP-4117).
enum GoogleCredential {
    private static let types = "urn:ietf:params:oauth:token-type:"

    /// Prints a response, of a failure too.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        let output = try request.session.output()
        // The client reads standard error as a part of the response.
        let nothing = try Failure.system("cannot open /dev/null", try FileDescriptor.open("/dev/null", O_WRONLY))
        dup2(nothing.number, 2)
        let answer: JSONObject
        do throws(Failure) {
            answer = try success(request)
        } catch {
            answer = [
                "version": .integer(1), "success": .bool(false), "code": .string(error.code ?? error.kind.name),
                "message": .string(error.text(request.session.diagnostics.redactor)),
            ]
        }
        return try output.finish(answer)
    }

    private static func success(_ request: CredentialRequest) throws(Failure) -> JSONObject {
        let (token, isIDToken) = try request.identity()
        let asked = try request.session.environment.value("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE")
        let known = ["\(types)id_token", "\(types)jwt"]
        guard asked.map(known.contains) ?? true else {
            throw CredentialRequest.bad("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE names neither an ID token nor a JWT")
        }
        var answer: JSONObject = [
            "version": .integer(1), "success": .bool(true),
            "token_type": .string(asked ?? types + (isIDToken ? "id_token" : "jwt")),
            "id_token": .string(token.access.token),
        ]
        answer["expiration_time"] = token.expiresAt.map { .integer($0) }
        return answer
    }
}
