internal import HTTP
internal import OAuth
internal import Wire

/// Who a token is for, as the server tells (OpenID Connect Core §5.1, §5.3).
struct LoginIdentity {
    /// The name that a person knows themselves by, else the subject.
    let name: String

    /// Looks into the claims of the ID token, and asks the userinfo endpoint where they name nobody. It is a courtesy:
    /// what goes wrong here is passed over, since the login has worked.
    init?(of token: JSONObject, session: Session) {
        let claims = token["id_token_claims"]?.object ?? [:]
        let told = Self.name(in: claims) ?? Self.told(beside: claims, by: Self.userinfo(token, session), session)
        guard let name = told ?? claims["sub"]?.string else { return nil }
        self.name = session.redactor.redact(name, upTo: 100)
    }

    /// The name in an answer of the userinfo endpoint, which must be about the subject of the ID token (OpenID Connect
    /// Core §5.3.2).
    private static func told(beside claims: JSONObject, by answer: JSONObject?, _ session: Session) -> String? {
        guard let answer else { return nil }
        guard claims["sub"] == nil || claims["sub"] == answer["sub"] else {
            session.diagnostics.tell("warning: the userinfo endpoint speaks of somebody else than the ID token")
            return nil
        }
        return name(in: answer) ?? answer["sub"]?.string
    }

    private static func name(in members: JSONObject) -> String? {
        ["preferred_username", "email", "name"].lazy.compactMap { members[$0]?.string }.first { !$0.isEmpty }
    }

    private static func userinfo(_ token: JSONObject, _ session: Session) -> JSONObject? {
        let document = Document(token)
        guard let endpoint = try? Endpoint("userinfo_endpoint", in: document),
            let access = try? AccessToken(token["access_token"]?.string ?? "", of: document),
            let client = try? session.client()
        else { return nil }
        let request = HTTPRequest(
            method: "GET", url: endpoint.url.text,
            headers: [HTTPField("Accept", "application/json"), access.field])
        // The client certificate is for the authorization server. A userinfo endpoint elsewhere gets the token alone.
        let server = try? Endpoint("token_endpoint", in: document)
        let isServer = endpoint.url.origin == server?.url.origin
        if !session.arguments.has(GeneralOption.maxTime) { client.options.maximumTime = 5 }
        guard
            let answer = try? client.send(
                request, maximumBody: AuthorizationServer.limit, withCertificate: isServer),
            answer.head.status == 200
        else { return nil }
        return (try? JSON(parsing: answer.body))?.object
    }
}
