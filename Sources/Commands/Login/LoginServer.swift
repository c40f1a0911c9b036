internal import OAuth
internal import Wire

/// What a login lacks of its server, to be found by the resource if no server is known, and by the issuer.
struct LoginServer {
    /// Whether a request must be sent for it.
    let isIncomplete: Bool
    private let needed: [String]
    private let resource: ResourceDiscovery?
    private let transport: Transport

    /// Finds out what is missing. Nothing is sent.
    ///
    /// - Parameter needed: the members that the login needs.
    /// - Throws: exit 2, 3 or 9 for a resource or an issuer that cannot be asked.
    init(of document: Document, needing needed: [String], over transport: Transport) throws(Failure) {
        (self.needed, self.transport) = (needed, transport)
        let isUnknown = (["issuer"] + needed).allSatisfy { document.members[$0]?.isNull ?? true }
        let addresses = isUnknown && transport.mayDiscover ? try lift(try document.strings("resource")) : []
        resource = addresses.count == 1 ? try lift(try document.blaming(try ResourceDiscovery(addresses[0]))) : nil
        let search = try IssuerSearch(for: document, needing: needed, over: transport)
        isIncomplete = resource != nil || search != nil
    }

    /// Finds it.
    ///
    /// - Returns: the input with what was found, and what the resource said.
    /// - Throws: exit 2 to 10.
    func complete(_ input: Input) throws(Failure) -> (input: Input, found: JSONObject) {
        var found = JSONObject()
        if let resource {
            let (issuer, client) = try MetadataSearch(over: transport).client(
                of: resource, hint: "choose one with --issuer")
            transport.metadata[issuer] = client
            found["issuer"] = .string(issuer)
            found["resource"] = client["resource"]
            for name in ["api_base", "scope"] { found[name] = input.document.members[name] ?? client[name] }
        }
        do throws(Failure) {
            return (try input.adding(found).completed(needing: needed, over: transport), found)
        } catch {
            guard resource == nil, let issuer = input.document.members["issuer"]?.string,
                error.kind != .metadataMissing
            else { throw error }
            var failure = error.explained(for: issuer, "oap login NAME", "--resource ")
            if !issuer.contains("://") {
                failure.hint = failure.hint?.replacing("NAME http", with: "NAME --issuer http")
            }
            throw failure
        }
    }

    /// What a document or the metadata of its issuer says of the server.
    func member(_ name: String, of document: Document) -> JSON? {
        if let value = document.members[name], !value.isNull { return value }
        return document.members["issuer"]?.string.flatMap { transport.metadata[$0]?[name] }
    }

    /// The scope by which a server says who has logged in, for a document without one: `openid`, if the server lists it
    /// and its ID tokens can be checked.
    func scopeForIdentity(of document: Document) -> String? {
        let offered = member("scopes_supported", of: document)?.strings ?? []
        guard document.members["scope"]?.isNull ?? true, offered.contains("openid") else { return nil }
        var document = document
        document.members["scope"] = .string("openid")
        let usesSecret = (try? IDToken.Expectation.check(document)) ?? true
        return usesSecret ? nil : "openid"
    }
}
