package import Wire

extension OwnClient {
    /// Checks the metadata; `settings` has the scope values, and the clients before it.
    package init(_ document: JSONObject, settings: SandboxSettings) throws(SandboxError) {
        for name in ["client_id", "client_secret"] {
            guard document[name] == nil || document[name]?.string?.isEmpty == false else {
                throw SandboxError(message: "\(name) is not a string, or it is empty")
            }
        }
        guard let id = document["client_id"]?.string else {
            throw SandboxError(message: "client_id is missing")
        }
        guard !(ClientRegistry.builtIn + settings.clients.map(\.client)).contains(where: { $0.id == id }) else {
            throw SandboxError(message: "a client \(id.shown) exists already")
        }
        let secret = document["client_secret"]?.string
        var members = document
        if members["token_endpoint_auth_method"] == nil, secret == nil {
            members["token_endpoint_auth_method"] = .string(Client.AuthenticationMethod.none.rawValue)
        }
        do throws(Refusal) {
            client = try Client(registering: members, settings, id: id, issuedAt: 0, newSecret: secret ?? "")
        } catch {
            throw SandboxError(message: error.description)
        }
        guard client.secret?.isEmpty != true else { throw SandboxError(message: "client_secret is missing") }
    }
}
