package import Wire

/// A request about the registration of a client (RFC 7591 §3.1, RFC 7592 §2).
package struct RegistrationRequest: Sendable {
    /// What the request does; the raw value is its HTTP method.
    package enum Action: String, Sendable {
        case register = "POST", read = "GET", update = "PUT", delete = "DELETE"
    }

    package let action: Action
    let endpoint: Endpoint
    let metadata: JSONObject
    /// The identifier that the registration must have; nil for a new one.
    let clientID: String?

    /// Makes the request of a document. Nothing of a registration that the document may have goes into a new one.
    ///
    /// - Parameter secret: the client's secret, which an update repeats (RFC 7592 §2.2).
    /// - Throws: `metadata_missing` where the document lacks the endpoint, or the client to manage; what
    ///   ``ClientMetadata`` and ``Endpoint`` throw.
    package init(_ action: Action, of document: Document, secret: String? = nil) throws(OAuthError) {
        self.action = action
        let isNew = action == .register
        endpoint = try Endpoint(isNew ? "registration_endpoint" : "registration_client_uri", in: document)
        clientID = isNew ? nil : try document.required("client_id")
        guard action == .register || action == .update else {
            metadata = [:]
            return
        }
        var sent = try ClientMetadata(of: document)
        if isNew { try sent.fillIn(for: document) }
        var members = sent.members
        members["client_id"] = clientID.map { .string($0) }
        members[ClientCredential.secret.member] = isNew ? nil : secret.map { .string($0) }
        metadata = members
    }

    /// The member of the token that authorizes the request, and whether it must be there.
    package var token: (member: String, isRequired: Bool) {
        action == .register ? ("initial_access_token", false) : ("registration_access_token", true)
    }

    /// The request as it is sent.
    ///
    /// - Parameter token: the value of that member.
    package func message(token: String?) -> HTTPRequest {
        let method = action.rawValue
        var headers = [HTTPField("Accept", "application/json")]
        if let token { headers.append(HTTPField("Authorization", "Bearer \(token)")) }
        guard action == .register || action == .update else {
            return HTTPRequest(method: method, url: endpoint.url.text, headers: headers)
        }
        headers.append(HTTPField("Content-Type", RequestFormat.json.contentType))
        let sent = ClientMetadata.sent(metadata)
        return HTTPRequest(
            method: method, url: endpoint.url.text, headers: headers, body: JSON.object(sent).bytes)
    }
}
