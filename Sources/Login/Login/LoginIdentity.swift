internal import OAuth
package import Wire
internal import Shell
internal import Tokens
package import Sessions

/// The user of a token, from its claims or the userinfo endpoint (OpenID Connect Core §5.1, §5.3).
package struct LoginIdentity {
    /// The user's name, else the subject.
    package let name: String
    /// Whether only the userinfo endpoint has the name.
    package let isFetched: Bool

    /// Reads the claims of the ID token, or the userinfo endpoint if they have no name. Errors are no more than told: the
    /// login has succeeded, and the name is only informative.
    package init?(of token: JSONObject, _ session: Session) {
        let claims = token["id_token_claims"]?.object ?? [:]
        let claimed = Account.name(in: claims)
        let fetched = claimed == nil ? Self.fetchedName(of: token, claims, session) : nil
        guard let name = claimed ?? fetched ?? claims["sub"]?.string else { return nil }
        isFetched = fetched != nil
        self.name = session.diagnostics.redactor.redact(name, upTo: 100)
    }

    /// The name in the answer of the userinfo endpoint. A failure of the endpoint, and an answer about another user, are
    /// told; a refusal is not: it may only mean that the token is not for OpenID Connect.
    private static func fetchedName(
        of token: JSONObject, _ claims: JSONObject, _ session: Session
    ) -> String? {
        do throws(ServerFault) {
            guard let answer = try userinfo(token, claims, session) else { return nil }
            return Account.name(in: answer) ?? answer["sub"]?.string
        } catch {
            if case .refused(let refusal) = error, !error.isUnavailable, refusal.member != "sub" { return nil }
            let failure = Failure(error)
            session.diagnostics.tell("warning: the name of the user is not known: \(failure.message)")
            if case .lost = error, let hint = failure.hint { session.diagnostics.hint(hint) }
            return nil
        }
    }

    /// The answer of the userinfo endpoint, which must have the subject of the ID token (OpenID Connect Core §5.3.2); nil
    /// without an endpoint, and for an answer that is signed. It is waited for only briefly, and asked for once.
    private static func userinfo(
        _ token: JSONObject, _ claims: JSONObject, _ session: Session
    ) throws(ServerFault) -> JSONObject? {
        guard let input = try? session.inputs.input([], members: token, profile: nil) else { return nil }
        var document = Document(token)
        document.hasCertificate = input.document.hasCertificate
        guard let userinfo = try? Userinfo(of: document),
            let decryption = try? JWTDecryption(for: .userinfo, of: document, key: nil),
            let access = try? AccessToken(
                token["access_token"]?.string ?? "", of: document, binding: try input.binding())
        else { return nil }
        let transport = session.transport.retrying(.none)
        let answer = try userinfo.answer(
            to: access, of: document, decryption, over: transport, session.engine,
            within: transport.hasTimeLimit ? nil : 5)
        guard case .plain(let found, _) = answer else { return nil }
        if claims["sub"] != nil { _ = try ServerFault.reading(userinfo.checkSubject(of: found)) }
        return found
    }
}
