internal import Engine
internal import Errands
internal import OAuth
internal import Wire

/// The user of a token, from its claims or the userinfo endpoint (OpenID Connect Core §5.1, §5.3).
struct LoginIdentity {
    /// The user's name, else the subject.
    let name: String
    /// Whether only the userinfo endpoint has the name.
    let isFetched: Bool

    /// Reads the claims of the ID token, or the userinfo endpoint if they have no name. Errors are no more than told: the
    /// login has succeeded, and the name is only informative.
    init?(of token: JSONObject, _ session: Session) {
        let claims = token["id_token_claims"]?.object ?? [:]
        let claimed = Account.name(in: claims)
        let fetched = claimed == nil ? Self.fetchedName(of: token, claims, session) : nil
        guard let name = claimed ?? fetched ?? claims["sub"]?.string else { return nil }
        isFetched = fetched != nil
        self.name = session.diagnostics.redactor.redact(name, upTo: 100)
    }

    /// The name in a response of the userinfo endpoint, which must have the subject of the ID token (OpenID Connect
    /// Core §5.3.2).
    private static func fetchedName(
        of token: JSONObject, _ claims: JSONObject, _ session: Session
    ) -> String? {
        let found: JSONObject?
        do throws(Failure) {
            found = try userinfo(token, session)
        } catch {
            session.diagnostics.tell("warning: the name of the user is not known: \(error.message)")
            if let hint = error.hint { session.diagnostics.hint(hint) }
            return nil
        }
        guard let answer = found else { return nil }
        guard claims["sub"] == nil || claims["sub"] == answer["sub"] else {
            let hasSubject = answer["sub"]?.string?.isEmpty == false
            session.diagnostics.tell(
                hasSubject
                    ? "warning: the userinfo endpoint names another user than the ID token"
                    : "warning: the answer of the userinfo endpoint has no sub")
            return nil
        }
        return Account.name(in: answer) ?? answer["sub"]?.string
    }

    /// The response of the userinfo endpoint; nil without one that is usable, and for a refusal: it may only mean that the
    /// token is not for OpenID Connect.
    ///
    /// - Throws: a failure of the transport or of the server.
    private static func userinfo(_ token: JSONObject, _ session: Session) throws(Failure) -> JSONObject? {
        let document = Document(token)
        guard let userinfo = try? Userinfo(of: document),
            let access = try? AccessToken(token["access_token"]?.string ?? "", of: document)
        else { return nil }
        var asked = userinfo.asked(with: access, of: document)
        if !session.transport.hasTimeLimit { asked.maximumTime = 5 }
        let result: ServerRequest.Result = session.engine.run(.send(asked) { result, _ in .done(result) })
        let answer: HTTPResponse
        do throws(HTTPError) {
            answer = try result.get()
        } catch {
            throw Failure(error, stake: .repeatable, of: userinfo.endpoint)
        }
        let status = answer.head.status
        guard !HTTPStatus.isFailureOfServer(status) else {
            throw Failure(.unavailable, .httpStatus, "\(userinfo.endpoint.description) answered \(status)")
        }
        return status == 200 ? (try? JSON(parsing: answer.body))?.object : nil
    }
}
