package import Wire

/// The error that an endpoint of the authorization server answered with (RFC 6749 §5.2).
package enum ErrorResponse {
    /// The OAuth error in the members of an answer, if there is one. GitHub answers errors with 200; `error` may be an
    /// object (Facebook), `errors` an array (Fitbit). With a status of 500 to 599 only a registered code is one: Spring
    /// Boot answers `{"error":"Internal Server Error"}`.
    static func error(
        in members: JSONObject, status: Int, headers: [HTTPField], of place: String = "the authorization server"
    ) -> OAuthError? {
        guard let found = code(in: members) else { return nil }
        guard !(500..<600).contains(status) || registered.contains(found.code) else { return nil }
        let name = found.description.map { "\(found.code) (\($0))" } ?? found.code
        var error = OAuthError(.oauth, "\(place) said \(name)", code: found.code, status: status)
        error.codeDescription = found.description
        error.codeURI = members["error_uri"]?.string
        error.retryAfter = retryAfter(in: headers)
        error.interval = members["interval"]?.secondsRoundedUp
        if ["invalid_dpop_proof", "use_dpop_nonce"].contains(found.code) {
            error.hint = "the server wants a proof of a key (RFC 9449): log in with --dpop to get tokens with one"
        }
        return error
    }

    /// The error for a status that is no success and brought no OAuth error.
    static func unexplained(status: Int, headers: [HTTPField], of place: String) -> OAuthError {
        var error = OAuthError(.httpStatus, "\(place) answered \(status)", status: status)
        error.retryAfter = retryAfter(in: headers)
        return error
    }

    /// The codes that an endpoint for clients may answer with (the registry of RFC 6749 §11.4).
    private static let registered: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "unsupported_token_type",
        "authorization_pending", "slow_down", "expired_token", "invalid_target", "invalid_authorization_details",
        "invalid_dpop_proof", "use_dpop_nonce", "invalid_redirect_uri", "invalid_client_metadata",
        "invalid_software_statement", "unapproved_software_statement", "invalid_token", "insufficient_scope",
        "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported",
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]

    private static func code(in members: JSONObject) -> (code: String, description: String?)? {
        let description = members["error_description"]?.string
        switch members["error"] {
        case .string(let code): return code.isEmpty ? nil : (code, description)
        case .object(let object):
            guard let code = object["code"]?.string ?? object["type"]?.string, !code.isEmpty else { return nil }
            return (code, object["message"]?.string ?? description)
        default:
            guard let first = members["errors"]?.array?.first?.object, let code = first["errorType"]?.string else {
                return nil
            }
            return (code, first["message"]?.string)
        }
    }

    /// The seconds of `Retry-After`. A date counts from the `Date` of the response, and is ignored without one (RFC
    /// 9110 §10.2.3).
    package static func retryAfter(in headers: [HTTPField]) -> Int? {
        guard let value = headers.first("Retry-After") else { return nil }
        let date = headers.first("Date").flatMap { HTTPDate($0) }
        guard date != nil || HTTPDate(value) == nil else { return nil }
        return RetryAfter.seconds(value, now: date?.seconds ?? 0)
    }
}
