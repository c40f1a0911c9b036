internal import HTTP
internal import OAuth
internal import Wire

/// The user of a token, from its claims or the userinfo endpoint (OpenID Connect Core §5.1, §5.3).
struct LoginIdentity {
    /// The user's name, else the subject.
    let name: String

    /// Reads the claims of the ID token, or the userinfo endpoint if they have no name. Errors are ignored: the login
    /// has succeeded, and the name is only informative.
    init?(of token: JSONObject, session: Session) {
        let claims = token["id_token_claims"]?.object ?? [:]
        let told = Self.name(in: claims) ?? Self.told(beside: claims, by: Self.userinfo(token, session), session)
        guard let name = told ?? claims["sub"]?.string else { return nil }
        self.name = session.redactor.redact(name, upTo: 100)
    }

    /// The name in a response of the userinfo endpoint, which must have the subject of the ID token (OpenID Connect
    /// Core §5.3.2).
    private static func told(beside claims: JSONObject, by answer: JSONObject?, _ session: Session) -> String? {
        guard let answer else { return nil }
        guard claims["sub"] == nil || claims["sub"] == answer["sub"] else {
            session.diagnostics.tell("warning: the userinfo endpoint names another user than the ID token")
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
