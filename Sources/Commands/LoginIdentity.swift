internal import HTTP
internal import OAuth
internal import Wire

/// Who a token is for, as the server tells (OpenID Connect Core §5.1, §5.3).
struct LoginIdentity {
    /// The name that a person knows themselves by, else the subject.
    let name: String

    /// Looks into the claims of the ID token, and asks the userinfo endpoint where they name nobody. It is a courtesy: what
    /// goes wrong here is passed over, since the login has worked.
    init?(of token: JSONObject, session: Session) {
        let claims = token["id_token_claims"]?.object ?? [:]
        let told =
            Self.name(in: claims)
            ?? Self.userinfo(token, session).flatMap { answer in
                // Another subject's name is not this person's (OpenID Connect Core §5.3.2).
                guard claims["sub"] == nil || claims["sub"] == answer["sub"] else { return nil }
                return Self.name(in: answer) ?? answer["sub"]?.string
            }
        guard let name = told ?? claims["sub"]?.string else { return nil }
        self.name = name
    }

    private static func name(in members: JSONObject) -> String? {
        ["preferred_username", "email", "name"].lazy.compactMap { members[$0]?.string }.first { !$0.isEmpty }
    }

    private static func userinfo(_ token: JSONObject, _ session: Session) -> JSONObject? {
        let document = Document(token)
        guard let endpoint = try? Endpoint("userinfo_endpoint", in: document),
            let access = try? AccessToken(token["access_token"]?.string ?? "", of: document),
            let client = try? session.client(Redactor(secrets: [access.token]))
        else { return nil }
        let request = HTTPRequest(
            method: "GET", url: endpoint.url.text,
            headers: [HTTPField("Accept", "application/json"), access.field])
        guard let answer = try? client.send(request, maximumBody: ServerRequest.limit), answer.head.status == 200 else {
            return nil
        }
        return (try? JSON(parsing: answer.body))?.object
    }
}
