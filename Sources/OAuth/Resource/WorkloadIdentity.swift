package import Wire

/// The identity of a CI job or a workload: a JWT that its platform has signed about it. The server that it is for checks its
/// signature.
package struct WorkloadIdentity: Sendable {
    package let token: String
    /// When it ends, in seconds since 1970; nil where it does not say.
    package let expiresAt: Int?
    package let claims: JSONObject

    /// The types of tokens that an exchange knows (RFC 8693 §3).
    package static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    package static let jwtType = "urn:ietf:params:oauth:token-type:jwt"

    /// Takes what a platform gave.
    ///
    /// - Parameters:
    ///   - audience: whom it was asked for; nil for anybody.
    ///   - place: where it came from, for messages.
    ///   - now: seconds since 1970.
    /// - Throws: `invalid_response` for what is no JWT, `identity_audience`, `identity_missing` for one that has expired.
    package init(_ text: String, for audience: String?, from place: String, now: Int) throws(OAuthError) {
        let token = text.split(whereSeparator: \.isWhitespace).joined()
        guard text.utf8.count < 1 << 16, let jwt = try? JSONWebToken(parsing: token, as: .other) else {
            throw OAuthError(.invalidResponse, "\(place) gave no JWT", hint: "an identity is a signed JWT (RFC 7519)")
        }
        let claims = JWTClaims(jwt.claims, of: .other, now: now)
        let named = (try? claims.audiences()) ?? []
        if let audience, !named.contains(where: { $0.isIdentical(to: audience) }) {
            let names = named.map { JSON.string($0).text }.joined(separator: ", ")
            throw OAuthError(
                .identityAudience,
                "\(place) gave an identity for \(named.isEmpty ? "no audience" : names), not for \(JSON.string(audience).text)",
                member: "aud")
        }
        expiresAt = (try? claims.time("exp")).flatMap { $0 }.flatMap { Int(exactly: $0.rounded(.down)) }
        if expiresAt == nil, jwt.claims["exp"] != nil {
            throw OAuthError(.invalidResponse, "the exp of \(place) is not a time", member: "exp")
        }
        if let expiresAt, expiresAt <= now - JWTExpectation.tolerance {
            throw OAuthError(
                .identityMissing, "the identity of \(place) has expired on \(Timestamp.text(expiresAt))", cause: .clock,
                member: "exp")
        }
        (self.token, self.claims) = (token, jwt.claims)
    }

    /// The text at a path of members in a JSON answer of a platform.
    ///
    /// - Parameter role: what answered, for messages.
    /// - Throws: `identity_missing` for a refusal; `redirect_refused`, `http_status`, `not_json`, `parse`,
    ///   `invalid_response`.
    package static func text(
        at path: [String], in response: HTTPResponse, of role: String
    ) throws(OAuthError) -> String {
        let members: JSONObject
        do throws(OAuthError) {
            members = try EndpointResponse(response).members(of: role, expecting: response.head.status).members
        } catch {
            throw refusal(error)
        }
        let value = path.reduce(JSON.object(members)) { value, name in value.object?[name] ?? .null }
        guard let text = value.string, !text.isEmpty else {
            let name = path.joined(separator: ".")
            throw OAuthError(.invalidResponse, "the answer of \(role) has no \(name)", status: response.head.status)
        }
        return text
    }

    /// The text of an answer that is nothing else.
    ///
    /// - Throws: as ``text(at:in:of:)``.
    package static func text(of response: HTTPResponse, of role: String) throws(OAuthError) -> String {
        guard response.head.status == 200 else {
            do throws(OAuthError) {
                _ = try EndpointResponse(response).members(of: role)
            } catch {
                throw refusal(error)
            }
            throw OAuthError(.invalidResponse, "\(role) answered \(response.head.status)", status: response.head.status)
        }
        return String(decoding: response.body, as: UTF8.self)
    }

    /// The error of an answer: a platform that refuses gives this job no identity.
    private static func refusal(_ error: OAuthError) -> OAuthError {
        guard let status = error.status, (400..<500).contains(status), !error.isTransient else {
            return error
        }
        return changing(error) { ($0.kind, $0.code) = (.identityMissing, nil) }
    }
}
