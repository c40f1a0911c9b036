import Wire

@testable import OAuth

extension ClientAuthentication {
    /// Authenticates by a method.
    init(method: Method, clientID: String, secret: String?) throws(OAuthError) {
        let document: JSONObject = [
            "client_id": .string(clientID), "token_endpoint_auth_method": .string(method.rawValue),
        ]
        try self.init(of: Document(document), secret: secret)
    }

    /// A request at any moment.
    func request(
        to endpoint: Endpoint, parameters: Parameters = Parameters(), format: RequestFormat = .form
    ) throws(OAuthError) -> HTTPRequest {
        let moment = RequestMoment(now: 1_700_000_000, random: [UInt8](repeating: 7, count: 32))
        return try request(to: endpoint, parameters: parameters, format: format, at: moment)
    }
}

extension Revocation {
    /// A request at any moment.
    func request(
        for token: String, of type: TokenType, by authentication: ClientAuthentication
    ) throws(OAuthError) -> HTTPRequest {
        try request(for: token, of: type, by: authentication, at: RequestMoment(now: 0, random: []))
    }
}
