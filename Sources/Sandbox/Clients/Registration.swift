internal import JOSE
internal import Wire

extension SandboxServer {
    /// The client registration endpoint (RFC 7591 §3). It is open to anyone.
    func register(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let metadata = try request.jsonObject()
        let id = secret("client")
        var client = try Client(
            registering: metadata, settings, id: id, issuedAt: now, newSecret: newClientSecret())
        client.registrationToken = secret("registration")
        try prepareKeys(for: client)
        clients.register(client)
        return SandboxResponse(status: 201, members: description(of: client))
    }

    /// The client configuration endpoint (RFC 7592 §2).
    func manageRegistration(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let id = String(request.path.dropFirst(Path.registration.count + 1))
        let (scheme, token) = try request.authorization() ?? ("", "")
        guard scheme == "bearer", var client = clients[id], let expected = client.registrationToken,
            constantTimeEqual(expected, token)
        else {
            let challenge = HTTPField("WWW-Authenticate", "Bearer realm=\"sandbox\", error=\"invalid_token\"")
            throw Refusal(
                "invalid_token", "the registration access token is wrong", status: 401, headers: [challenge])
        }
        switch request.method {
        case "DELETE":
            clients.remove(id)
            return SandboxResponse(status: 204)
        case "PUT":
            client = try replacement(of: client, by: try request.jsonObject())
            try prepareKeys(for: client)
            clients.register(client)
        default: break
        }
        return SandboxResponse(members: description(of: client))
    }

    /// A client with other metadata (RFC 7592 §2.2): the request has all of it; the identifier is unchanged.
    private func replacement(of client: Client, by metadata: JSONObject) throws(Refusal) -> Client {
        for name in ["registration_access_token", "registration_client_uri", "client_id_issued_at"] {
            guard metadata[name] == nil else { throw .invalidRequest("\(name) cannot be set") }
        }
        guard metadata["client_id"]?.string == client.id else {
            throw .invalidRequest("client_id belongs to another client")
        }
        guard metadata["client_secret"] == nil || metadata["client_secret"]?.string == client.secret else {
            throw .invalidRequest("client_secret cannot be chosen")
        }
        var replacement = try Client(
            registering: metadata, settings, id: client.id,
            issuedAt: client.metadata["client_id_issued_at"]?.integer ?? now,
            newSecret: client.secret ?? newClientSecret())
        replacement.registrationToken = client.registrationToken
        return replacement
    }

    /// A secret that has enough bytes for each algorithm of HMAC (RFC 7518 §3.2).
    private func newClientSecret() -> String { secret("secret", bytes: 48) }

    private func description(of client: Client) -> JSONObject {
        var members = client.metadata
        members["registration_access_token"] = client.registrationToken.map { .string($0) }
        members["registration_client_uri"] = .string(url(Path.registration) + "/" + client.id)
        return members
    }
}
