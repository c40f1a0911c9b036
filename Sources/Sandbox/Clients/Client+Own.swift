package import Wire

extension Client {
    /// Checks the metadata of a client of the person who runs the sandbox, which has its `client_id`, and a
    /// `client_secret` if it authenticates with one; `settings` has the scope values, and the clients before it.
    package init(own document: JSONObject, settings: SandboxSettings) throws(SandboxError) {
        for name in ["client_id", "client_secret"] {
            guard document[name] == nil || document[name]?.string?.isEmpty == false else {
                throw SandboxError("\(name) is not a string, or it is empty")
            }
        }
        guard let id = document["client_id"]?.string else {
            throw SandboxError("client_id is missing")
        }
        guard !(ClientRegistry.builtIn + settings.clients).contains(where: { $0.id == id }) else {
            throw SandboxError("a client \(id.shown) exists already")
        }
        let secret = document["client_secret"]?.string
        var members = document
        if members["token_endpoint_auth_method"] == nil, secret == nil {
            members["token_endpoint_auth_method"] = .string(Client.AuthenticationMethod.none.rawValue)
        }
        do throws(Refusal) {
            self = try Client(registering: members, settings, id: id, issuedAt: 0, newSecret: secret ?? "")
        } catch {
            throw SandboxError(error.description)
        }
        guard self.secret?.isEmpty != true else { throw SandboxError("client_secret is missing") }
    }
}
