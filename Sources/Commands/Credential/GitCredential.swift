internal import Wire
internal import Shell
internal import Tokens

/// The protocol of git's credential helpers (gitcredentials(7), git-credential(1)).
enum GitCredential {
    /// Carries out `get` and `erase`; every other action is ignored, as the protocol wants it.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        guard let action = request.action else {
            throw .usage("missing operand: ACTION", hint: "git adds the operand get, store or erase")
        }
        guard ["get", "erase"].contains(action) else { return .done }
        let asked = try attributes(request)
        guard let urls = try urls(asked) else { return .done }
        guard action == "get" else { return try erase(asked["password"] ?? nil, urls, request) }
        let token: HandedToken?
        do throws(Failure) {
            token = try request.token(for: urls)
        } catch {
            // Git would ask the user for a password.
            if request.session.inputs.settings.name != nil { try ByteSink.print("quit=1\n") }
            throw error
        }
        guard let token else { return .done }
        let username = try CredentialRequest.line(request.username, as: CredentialOption.username.name)
        var lines = (asked["username"] ?? nil) == nil ? ["username=\(username)"] : []
        lines.append("password=\(token.access.token)")
        if let end = token.expiresAt { lines.append("password_expiry_utc=\(end)") }
        try ByteSink.print(lines.map { $0 + "\n" }.joined())
        return .done
    }

    /// Renews the token that the server refused, unless it is another one than the current.
    private static func erase(
        _ refused: String?, _ urls: [WebURL], _ request: CredentialRequest
    ) throws(Failure) -> Exit {
        guard let refused, let found = try request.search.token(for: urls),
            case let kept = try request.session.engine.run(found.load()),
            kept["access_token"]?.string?.isIdentical(to: refused) == true
        else { return .done }
        request.session.diagnostics.redactor.add(refused)
        _ = try request.session.engine.run(found.renewed(because: .refused(refused), after: kept))
        return .done
    }

    /// The URLs of the server; nil if no token is sent there.
    private static func urls(_ asked: [String: String?]) throws(Failure) -> [WebURL]? {
        guard case let scheme?? = asked["protocol"], case let host?? = asked["host"], scheme != "http" || !host.isEmpty
        else { return nil }
        guard ["https", "http"].contains(scheme) else { return nil }
        let path = (asked["path"] ?? nil).map { "/\($0)" } ?? ""
        guard let url = WebURL("\(scheme)://\(host)"), url.path.isEmpty, url.query == nil, url.fragment == nil,
            url.userinfo == nil
        else { throw CredentialRequest.bad("host in the request on standard input is not a host name") }
        // The path may hold characters that no URL has.
        return TokenSearch.urls("\(scheme)://\(host)\(WebURL("\(scheme)://\(host)\(path)") == nil ? "" : path)")
    }

    /// The lines `NAME=VALUE` up to an empty one.
    ///
    /// - Throws: exit 3 for another line, and for a control character.
    private static func attributes(_ request: CredentialRequest) throws(Failure) -> [String: String?] {
        var attributes: [String: String?] = [:]
        for bytes in try request.input().utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if bytes.isEmpty { break }
            guard let pair = String(Substring(bytes)).cut(at: "="), !pair.before.isEmpty else {
                throw CredentialRequest.bad("a line of the request on standard input is not NAME=VALUE")
            }
            attributes[pair.before] = try CredentialRequest.line(pair.after, as: "a value")
        }
        return attributes
    }
}
