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
        guard !(500..<600).contains(status) || TokenRefusal.registered.contains(found.code) else { return nil }
        let name = found.description.map { "\(found.code) (\($0))" } ?? found.code
        var error = OAuthError(.oauth, "\(place) said \(name)", code: found.code, status: status)
        error.codeDescription = found.description
        error.namesToken = TokenRefusal.isNamed(code: found.code, in: .object(members))
        error.codeURI = members["error_uri"]?.string
        (error.retryAfter, error.serverTime) = (retryAfter(in: headers), time(in: headers))
        error.interval = members["interval"]?.secondsRoundedUp
        if ["invalid_dpop_proof", "use_dpop_nonce"].contains(found.code) {
            error.hint = "the server wants a proof of a key (RFC 9449): log in with --dpop to get tokens with one"
        }
        return error
    }

    /// The error for a status that is no success and brought no OAuth error.
    ///
    /// - Parameter content: what it brought, a document or a text; nil for nothing that says why.
    static func unexplained(
        status: Int, headers: [HTTPField], content: JSON? = nil, of place: String
    ) -> OAuthError {
        var error = OAuthError(.httpStatus, "\(place) answered \(status)", status: status).saying(content, headers)
        (error.retryAfter, error.serverTime) = (retryAfter(in: headers), time(in: headers))
        return error
    }

    /// Why a server refused, in its own words: in whatever member of the content servers have them (RFC 6749 §5.2, RFC 9457
    /// §3.1), and in its challenge (RFC 6750 §3), which often says more. They may repeat a secret.
    package static func said(in content: JSON?, _ headers: [HTTPField]) -> String? {
        let challenge = headers.challenges.first { $0["error_description"]?.isEmpty == false }
        guard let description = challenge?["error_description"] else { return content.flatMap(said) }
        guard let words = content.flatMap(said) else { return description }
        let code = challenge?["error"].map { "\($0): " } ?? ""
        return words.contains(description) ? words : "\(words) (\(code)\(description))"
    }

    static func said(in content: JSON) -> String? {
        guard let object = content.object else { return content.string ?? content.array?.first.flatMap(said) }
        let members = object.members.prefix(1000)
        return TokenRefusal.list("sayings").lazy.compactMap { saying in
            members.first { TokenRefusal.squeezed($0.name) == saying }.map(\.value).flatMap { value in
                said(in: value) ?? (["errors", "errordescription"].contains(saying) ? saidOfField(in: value) : nil)
            }
        }.first { !$0.isEmpty }
    }

    /// What is wrong with the first field of a form, by its name, as Laravel and ASP.NET say it, or the first language.
    private static func saidOfField(in errors: JSON) -> String? {
        errors.object?.members.first.flatMap { field in said(in: field.value).map { "\(field.name): \($0)" } }
    }

    private static func code(in members: JSONObject) -> (code: String, description: String?)? {
        let description = said(in: .object(members))
        switch members["error"] {
        case .string(let code):
            let isAlone = description == code && members["error_description"]?.string == nil
            return code.isEmpty ? nil : (code, isAlone ? nil : description)
        case .object(let object):
            let known = TokenRefusal.code(ofSubcode: object["error_subcode"])
            guard let code = known ?? object["code"]?.string ?? object["type"]?.string, !code.isEmpty else {
                return nil
            }
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
        let time = time(in: headers)
        guard time != nil || HTTPDate(value) == nil else { return nil }
        return RetryAfter.seconds(value, now: time ?? 0)
    }

    private static func time(in headers: [HTTPField]) -> Int? {
        headers.first("Date").flatMap { HTTPDate($0)?.seconds }
    }
}

extension OAuthError {
    /// The error with what the server says of it, if anything. Some refuse with the status 200 (WeChat).
    func saying(_ content: JSON?, _ headers: [HTTPField] = []) -> OAuthError {
        var error = self
        error.codeDescription = ErrorResponse.said(in: content, headers)
        if let said = error.codeDescription { error.message += ": \(said)" }
        error.namesToken = content.map { TokenRefusal.isNamed(code: nil, in: $0) } ?? false
        return error
    }
}

/// What nginx says of the client's certificate, before the server behind it learns of the request: its pages for the errors
/// 495 and 496, which it sends with the status 400.
package enum CertificateRefusal: String, CaseIterable {
    case missing = "No required SSL certificate was sent"
    case refused = "The SSL certificate error"

    package init?(status: Int, content: [UInt8]) {
        let text = String(decoding: content.prefix(1024), as: UTF8.self)
        let found = Self.allCases.first { text.contains($0.rawValue) }
        guard let found, [400, 495, 496].contains(status) else { return nil }
        self = found
    }

    /// What happened, behind a colon.
    var reason: String { self == .missing ? "it wants a client certificate" : "it refuses the client certificate" }

    /// What to do about a certificate that is missing or refused.
    package static let remedy =
        "use --cert FILE and --key FILE with a certificate that has not expired, and whose issuer the server knows"
}
