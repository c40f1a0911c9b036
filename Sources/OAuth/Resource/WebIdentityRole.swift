package import Wire

/// A role of AWS for which a JWT gives credentials (`AssumeRoleWithWebIdentity` of the AWS STS API, version 2011-06-15).
/// The request is not signed.
package struct WebIdentityRole: Sendable {
    package let endpoint: Endpoint
    private let parameters: [(name: String, value: String)]

    /// A role by what the caller says of it.
    ///
    /// - Parameters:
    ///   - arn: the role, `arn:aws:iam::123456789012:role/NAME`.
    ///   - session: the name of the session, of 2 to 64 characters.
    ///   - duration: how long the credentials are to be good, in seconds; nil for what the role says.
    ///   - region: the region whose endpoint is asked; nil for the global endpoint.
    /// - Throws: `usage`, `insecure_transport`.
    package init(
        arn: String, session: String, duration: Int?, region: String?, endpoint: String?
    ) throws(OAuthError) {
        let isLetter = { (byte: UInt8, others: String) in byte.isASCIILetterOrDigit || others.utf8.contains(byte) }
        guard arn.hasPrefix("arn:"), arn.contains(":role/"), (20...2048).contains(arn.utf8.count),
            arn.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw OAuthError(.usage, "the role is not an ARN such as arn:aws:iam::123456789012:role/NAME") }
        guard (2...64).contains(session.utf8.count), session.utf8.allSatisfy({ isLetter($0, "_+=,.@-") }) else {
            throw OAuthError(.usage, "the name of the session must be 2 to 64 letters, digits and _+=,.@-")
        }
        guard duration.map((900...43_200).contains) ?? true else {
            throw OAuthError(.usage, "the duration must be 900 to 43200 seconds")
        }
        guard region.map({ !$0.isEmpty && $0.utf8.allSatisfy { isLetter($0, "-") } }) ?? true else {
            throw OAuthError(.usage, "the region is not a name such as eu-central-1")
        }
        let place = (region.map { "\($0)." } ?? "") + "amazonaws.com" + (region?.hasPrefix("cn-") == true ? ".cn" : "")
        self.endpoint = try Endpoint(endpoint ?? "https://sts.\(place)/", name: "sts_endpoint")
        parameters =
            [
                ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", arn),
                ("RoleSessionName", session),
            ] + (duration.map { [("DurationSeconds", "\($0)")] } ?? [])
    }

    package func request(with token: String) -> HTTPRequest {
        HTTPRequest(
            method: "POST", url: endpoint.url.text, headers: STSAnswer.fields,
            body: Array(FormEncoding.encode(parameters + [("WebIdentityToken", token)] + STSAnswer.parameters).utf8))
    }

    /// The credentials in a response, as `credential_process` wants them (AWS SDKs and Tools, Process credentials).
    ///
    /// - Throws: `oauth` with the code of STS, `redirect_refused`, `http_status`, `invalid_response`.
    package func credentials(_ response: HTTPResponse) throws(OAuthError) -> JSONObject {
        let result = try STSAnswer.result(of: "AssumeRoleWithWebIdentity", in: response, from: endpoint)
        let given = result["Credentials"]?.object
        var credentials: JSONObject = ["Version": .integer(1)]
        for name in ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"] {
            let time = given?[name]?.seconds.map { Timestamp.text($0) }
            guard let text = given?[name]?.string ?? time, !text.isEmpty,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                throw OAuthError(
                    .invalidResponse, "the answer of \(endpoint.description) has no usable \(name)", status: 200)
            }
            credentials[name] = .string(text)
        }
        return credentials
    }
}

/// How the AWS STS API is asked for JSON in the place of XML, and what it answers then.
package enum STSAnswer {
    package static let fields = [
        HTTPField("Content-Type", "application/x-www-form-urlencoded"), HTTPField("Accept", "application/json"),
    ]
    /// For doubles of STS that do not read `Accept`.
    package static let parameters = [(name: "ContentType", value: "JSON")]

    /// The result of an action.
    ///
    /// - Throws: `oauth` with the code of STS, `redirect_refused`, `http_status`, `invalid_response`.
    package static func result(
        of action: String, in response: HTTPResponse, from endpoint: Endpoint
    ) throws(OAuthError) -> JSONObject {
        let (place, head) = (endpoint.description, response.head)
        try EndpointResponse(response).refuseRedirect(of: place)
        let members = (try? JSON(parsing: response.body, depth: JSON.maximumDepthOfPart))?.object
        guard head.status == 200 else {
            let fault = members?["Error"]?.object
            guard (400..<500).contains(head.status), !HTTPStatus.isFailureOfServer(head.status),
                let code = fault?["Code"]?.string, !code.isEmpty
            else { throw ErrorResponse.unexplained(status: head.status, headers: head.headers, of: place) }
            let message = fault?["Message"]?.string
            var error = OAuthError(
                .oauth, "\(place) answered \(code)" + (message.map { ": \($0)" } ?? ""), code: code,
                status: head.status)
            error.codeDescription = message
            throw error
        }
        guard let result = members?["\(action)Response"]?.object?["\(action)Result"]?.object else {
            throw OAuthError(.invalidResponse, "the answer of \(place) is no result of \(action)", status: 200)
        }
        return result
    }
}
