internal import Wire
internal import Shell

/// The protocol of Docker's credential helpers (docker-credential-helpers). A complaint goes to standard output.
enum DockerCredential {
    /// What the clients look for when a helper has nothing.
    private static let nothing = "credentials not found in native keychain"

    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        do throws(Failure) {
            switch request.action {
            case "get": return try get(request)
            case "list": return try list(request)
            case "erase":
                _ = try request.input()
                return .done
            case "store":
                _ = try request.input()
                throw .usage("oap does not store passwords", hint: "log in with oap login")
            default: throw .usage("the actions of docker are get, list, store and erase")
            }
        } catch {
            try ByteSink.print(error.text(request.session.diagnostics.redactor) + "\n")
            throw error
        }
    }

    private static func get(_ request: CredentialRequest) throws(Failure) -> Exit {
        let server = try request.input().split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let urls = TokenSearch.urls(server)
        guard WebURL(server.contains("://") ? server : "https://\(server)").map(TokenSearch.hasHost) == true else {
            throw CredentialRequest.bad("the request on standard input is not a URL of a server")
        }
        guard let token = try request.token(for: urls) else {
            try ByteSink.print(nothing + "\n")
            return .falseOrNull
        }
        return try request.session.output().finish([
            "ServerURL": .string(server), "Username": .string(request.username),
            "Secret": .string(token.access.token),
        ])
    }

    /// The servers of the token that `-p` names, without a renewal.
    private static func list(_ request: CredentialRequest) throws(Failure) -> Exit {
        var servers: JSONObject = [:]
        if let found = try request.search.named() {
            for origin in try request.search.places(of: request.search.document(of: found)).origins {
                servers[origin] = .string(request.username)
            }
        }
        return try request.session.output().finish(servers)
    }
}
