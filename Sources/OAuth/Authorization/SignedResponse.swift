internal import Wire

/// The JWT that carries an authorization response (JARM, JWT Secured Authorization Response Mode §2).
package enum SignedResponse {
    /// The JWT of a callback, whose signature the caller checks; nil for a flow whose request asked for none.
    ///
    /// - Throws: `parse`, `redirect_mismatch`, `wrong_channel`, `jarm_missing` without a JWT, `duplicate_param`,
    ///   what ``JSONWebToken`` throws.
    package static func token(of callback: Callback, for flow: Document) throws(OAuthError) -> JSONWebToken? {
        guard try ResponseMode(of: flow).isSigned else { return nil }
        let received = try AuthorizationResponse.received(callback, for: flow)
        let texts = received.filter { $0.name == parameter && !$0.value.isEmpty }.map(\.value)
        guard let text = texts.first else {
            throw OAuthError(
                .jarmMissing, "the callback is not a signed response (JARM), though the request asked for one",
                hint: "the server may not support response_mode \(try ResponseMode(of: flow).rawValue)",
                member: parameter)
        }
        guard texts.count == 1 else {
            throw OAuthError(
                .duplicateParameter, "the callback has the parameter \(parameter) twice", member: parameter)
        }
        return try JSONWebToken(parsing: text, as: .authorizationResponse)
    }

    /// A query or form with the claims of the JWT in it as parameters; itself where there is none. Nothing is checked: it
    /// tells to which login a callback belongs.
    package static func opened(_ parameters: String) -> String {
        let pairs = (try? Callback.parse(parameters)) ?? []
        guard let text = pairs.first(where: { $0.name == parameter })?.value,
            let token = try? JSONWebToken(parsing: text, as: .authorizationResponse)
        else { return parameters }
        return FormEncoding.encode(self.parameters(of: token.claims))
    }

    /// The parameters in the claims of a JWT; an `iss` is the one of RFC 9207.
    static func parameters(of claims: JSONObject) -> [(name: String, value: String)] {
        claims.members.filter { !["aud", "exp", "iat", "nbf", "jti"].contains($0.name) }.compactMap { member in
            member.value.isNull ? nil : (member.name, member.value.string ?? member.value.text)
        }
    }

    static let parameter = "response"
}
