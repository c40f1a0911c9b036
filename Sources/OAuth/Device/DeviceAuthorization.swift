package import Wire

/// The request for a code that a person types on another device (RFC 8628 §3.1).
package struct DeviceAuthorizationRequest: Sendable {
    package let endpoint: Endpoint
    package private(set) var parameters = Parameters()

    /// Makes the request of a document: its `scope`, and its `resource` (RFC 8707 §2).
    ///
    /// - Throws: `metadata_missing` for a missing `device_authorization_endpoint`, what ``Endpoint`` throws, `usage`.
    package init(of document: Document, extra: [(name: String, value: String)] = []) throws(OAuthError) {
        try AuthorizationRequest.refuseBoundTokens(document)
        try JWTDecryption.check(document)
        endpoint = try Endpoint("device_authorization_endpoint", in: document)
        parameters.add("scope", try Scope(of: document).parameter(of: document))
        try parameters.addResources(of: document)
        let reserved = try ParameterNames(of: document).reserving(ClientAuthentication.reserved)
        let own = "device_authorization_params"
        try parameters.addExtra(try document.parameters(own), of: own, then: extra, reserved: reserved)
    }
}

/// The response of the device authorization endpoint (RFC 8628 §3.2), checked and normalised.
package struct DeviceAuthorizationResponse: Sendable {
    /// The code that the token endpoint is asked with; a secret.
    let deviceCode: String
    /// The code that the person types. Nothing in it acts on a terminal.
    package let userCode: String
    /// Where the person types the code: https, or loopback.
    package let verificationURI: WebURL
    /// Where the person opens a page with the code in it, where the server made one.
    package let verificationURIComplete: WebURL?
    /// The lifetime of both codes in seconds.
    package let expiresIn: Int
    /// The seconds between two polls.
    let interval: Int
    package let warnings: [OAuthWarning]
    private let others: JSONObject

    /// - Parameter usualLifetime: the seconds of an answer without `expires_in`, which it must have; nil to refuse it.
    package init(
        _ response: EndpointResponse, shape: AnswerShape = .standard, usualLifetime: Int? = nil
    ) throws(OAuthError) {
        let body = try response.members(of: "the device authorization endpoint", shape: shape)
        let members = body.members
        var warnings = body.warnings
        deviceCode = try Self.text("device_code", in: members)
        userCode = try Self.code(in: members)
        let name = members["verification_uri"] == nil ? Self.alias : "verification_uri"
        verificationURI = try Self.page(try Self.shown(name, in: members), as: name)
        verificationURIComplete = try Self.completePage(in: members)
        expiresIn = try body.lifetime(usual: usualLifetime, &warnings)
        interval = DevicePolling.interval(members["interval"], &warnings)
        // Some servers repeat the scope that was asked for; what is granted comes with the token.
        others = body.others(besides: Member.deviceResponse + [Self.alias, "scope"], &warnings)
        self.warnings = warnings
    }

    /// What Google calls `verification_uri`, as drafts of RFC 8628 did.
    private static let alias = "verification_url"

    /// The flow document: what the document was, without what belongs to earlier flows and tokens, and the answer.
    ///
    /// - Parameter start: when the request started, in seconds since 1970; the lifetime counts from there.
    package func flow(of document: JSONObject, start: Int) -> JSONObject {
        var flow = Self.beginning(of: document, with: others)
        flow["device_code"] = .string(deviceCode)
        flow["user_code"] = .string(userCode)
        flow["verification_uri"] = .string(verificationURI.text)
        flow["verification_uri_complete"] = verificationURIComplete.map { .string($0.text) }
        flow["interval"] = .integer(interval)
        flow["expires_at"] = .integer(start + expiresIn)
        return flow
    }

    /// What a document says of the client and its server, and what an answer says besides.
    static func beginning(of document: JSONObject, with others: JSONObject) -> JSONObject {
        var flow = document
        flow.remove(Member.of(.callback, .exchange, .accessToken))
        for member in others.members { flow[member.name] = member.value }
        return flow
    }
}

extension DeviceAuthorizationResponse {
    static func text(_ name: String, in members: JSONObject) throws(OAuthError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw OAuthError(.invalidResponse, "the server's answer has no usable \(name)", member: name)
                .saying(.object(members))
        }
        return text
    }

    /// A text to show, without characters that a terminal interprets.
    private static func shown(_ name: String, in members: JSONObject) throws(OAuthError) -> String {
        var shown = ""
        for scalar in try text(name, in: members).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: break
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return try text(name, in: [name: .string(shown)])
    }

    /// The code that a person types, which is shown on a line of its own: none that is a text, or that a system which
    /// runs us takes for a command (`::` in GitHub Actions, `##` in Azure Pipelines).
    private static func code(in members: JSONObject) throws(OAuthError) -> String {
        let code = try shown("user_code", in: members)
        let start = code.utf8.drop { $0 == UInt8(ascii: " ") }
        guard code.unicodeScalars.count <= 64, !start.starts(with: "::".utf8), !code.contains("##") else {
            throw OAuthError(
                .invalidResponse, "the server's user_code cannot be typed by a person", member: "user_code")
        }
        return code
    }

    /// A page where a person logs in: a browser is sent to https, or to this machine.
    private static func page(_ text: String, as name: String) throws(OAuthError) -> WebURL {
        guard let url = WebURL(text) else {
            throw OAuthError(.invalidResponse, "the server's \(name) is not a URL", member: name)
        }
        guard url.scheme == "https" || url.scheme == "http" && url.isLoopback else {
            throw OAuthError(
                .insecureTransport, "the server's \(name) is neither https nor on this machine", member: name)
        }
        guard url.host?.isEmpty == false, url.userinfo == nil else {
            throw OAuthError(.invalidResponse, "the server's \(name) is not the URL of a page", member: name)
        }
        return url
    }

    private static func completePage(in members: JSONObject) throws(OAuthError) -> WebURL? {
        let name = "verification_uri_complete"
        guard let value = members[name], !value.isNull, value != .string("") else { return nil }
        return try page(try shown(name, in: members), as: name)
    }
}
