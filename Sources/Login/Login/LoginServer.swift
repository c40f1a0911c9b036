internal import OAuth
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// What a login lacks of its server, to be found by the resource if no server is known, and by the issuer.
package struct LoginServer {
    /// Whether a request must be sent for it.
    let isIncomplete: Bool
    private let needed: [String]
    private let optional: [String]
    private let resource: ResourceDiscovery?
    /// The resource as the option or the profile spells it.
    private let address: String?
    /// The issuer that is known of a resource that is asked again.
    private let issuer: String?
    /// The one of the servers of the resource that the command line or a variable names.
    private let choice: String?
    private let isChosenByVariable: Bool
    /// Another issuer that the metadata may name.
    private let accepted: String?
    private let name: TokenName
    private let replacesProfile: Bool
    private let session: Session

    /// Finds out what is missing. Nothing is sent.
    ///
    /// - Parameters:
    ///   - name: that of the login.
    ///   - client: what is known of the client without options and variables. A resource that it names, and the command
    ///     line too, is asked again: it may want another scope now, or name another server.
    ///   - replacesProfile: whether a resource may name another server.
    ///   - needed: the members that the login needs.
    ///   - optional: the members that it needs if the server has them.
    /// - Throws: exit 2, 3 or 9 for a resource or an issuer that cannot be asked.
    init(
        of document: Document, for name: TokenName, _ client: JSONObject, replacesProfile: Bool,
        needing needed: [String], optional: [String], _ session: Session
    ) throws(Failure) {
        (self.name, self.replacesProfile, self.session) = (name, replacesProfile, session)
        (self.needed, self.optional) = (needed, optional)
        let transport = session.transport
        let lacks = { (name: String) in document.members[name]?.isNull ?? true }
        // An option may name an endpoint that the metadata would name wrongly.
        let isUnknown =
            lacks("issuer") && needed.contains(where: lacks)
            && needed.allSatisfy { lacks($0) || document.origin(of: $0) == .option }
        let asked = try asFailure(document.strings("requested_resource"))
        let named = try asked.isEmpty ? asFailure(document.strings("resource")) : asked
        let origin = document.origin(of: "issuer")
        // A variable that names the server of the profile says nothing new.
        let namesIssuer = origin == .option || origin == .environment && client["issuer"] == nil
        let isOption = document.origin(of: "resource") == .option && !namesIssuer
        let known = try asFailure(Document(client).strings("resource"))
        let isSame = try client.isFor(named)
        issuer = isOption && isSame ? client["issuer"]?.string : nil
        let names = namesIssuer && document.origin(of: "resource") == .option && known.isEmpty
        choice = names ? try asFailure(document.string("issuer")) : nil
        isChosenByVariable = origin == .environment
        accepted = try asFailure(document.string("accept_issuer"))
        let addresses = (isUnknown || issuer != nil || choice != nil) && transport.mayDiscover ? named : []
        // Where the server is known, a resource may be any URI (RFC 8707 §2).
        let isKnown = choice != nil || issuer != nil
        let isAsked = { (text: String) in !isKnown || ["https", "http"].contains(WebURL(text)?.scheme) }
        address = addresses.count == 1 && isAsked(addresses[0]) ? addresses[0] : nil
        resource = try asFailure(
            address.map { text throws(OAuthError) in
                do throws(OAuthError) { return try document.blaming(ResourceDiscovery(text)) } catch {
                    throw changing(error) {
                        if $0.kind == .usage { $0.hint = $0.hint ?? "with --issuer URL, a resource may be any URI" }
                    }
                }
            })
        let isSearched = try document.issuerToAsk(for: needed + optional, transport) != nil
        if isSearched { try asFailure(IssuerIdentifier.check(document)) }
        isIncomplete = resource != nil || isSearched
    }

    /// Adds what the metadata of the issuer says, where the login lacks nothing of it: the server may require that the
    /// request is pushed. A server without metadata is used without.
    func described(_ input: Input) -> Input {
        do throws(Failure) {
            return try session.engine.run(
                input.completed(
                    needing: ["require_pushed_authorization_requests"], over: session.transport, isOptional: true,
                    takesFirst: true))
        } catch {
            if session.transport.isVerbose {
                session.diagnostics.tell("the metadata of the issuer is not used: \(error.message)")
            }
            return input
        }
    }

    var asksAgain: Bool { issuer != nil }

    /// The input with what was found, and what the resource said; a null for a member to be removed. A resource that is
    /// asked again keeps the granted scope.
    func complete(_ input: Input, granted: String?) throws(Failure) -> (input: Input, found: JSONObject) {
        var (input, found) = (input, JSONObject())
        if let resource { found = try ask(resource, &input, granted) }
        let values = JSONObject(unique: found.members.filter { !$0.value.isNull })
        do throws(ServerFault) {
            input = try session.engine.run(input.adding(values).completing(needing: needed, over: session.transport))
        } catch {
            throw failure(error, of: input)
        }
        input = try session.engine.run(
            input.completed(needing: optional, over: session.transport, isOptional: true))
        // A promise counts only if it is checked, and the check sees the document alone.
        let promise = member(LoginPlaces.promise, of: input.document)
        if promise == .bool(true) { input.document.members[LoginPlaces.promise] = promise }
        return (input, found)
    }

    /// A failure to find the server; it names the option for an address that is no issuer, and the issuer that the metadata
    /// names.
    private func failure(_ fault: ServerFault, of input: Input) -> Failure {
        let failure = Failure(fault)
        guard case .search = fault, resource == nil, let issuer = input.document.members["issuer"]?.string else {
            return failure
        }
        let login = "oap login \(name.text)"
        if let hint = fault.hint(for: issuer, login, "--resource ") { return failure.advising(hint) }
        guard let kind = fault.error?.kind, [.metadataIssuerMismatch, .redirectRefused].contains(kind) else {
            return failure
        }
        return failure.advising(failure.hint?.replacing("oap discover ", with: "\(login) --issuer "))
    }

    private func ask(
        _ resource: ResourceDiscovery, _ input: inout Input, _ granted: String?
    ) throws(Failure) -> JSONObject {
        let transport = session.transport.serving(input.document)
        guard let (issuer, client) = try client(of: resource, over: transport) else {
            let text = JSON.string(resource.resource.text)
            return ["resource": text, "api_base": input.document.members["api_base"] ?? text]
        }
        var (found, scopes) = (JSONObject(), [granted])
        if let former = self.issuer, issuer?.isIdentical(to: former) != true {
            found = try moved(resource, from: former, to: issuer, &input)
            scopes = []
        }
        if let issuer {
            session.transport.metadata[issuer] = KnownMetadata(members: client)
            found["issuer"] = .string(issuer)
        } else {
            for name in ["authorization_endpoint", "token_endpoint", "registration_endpoint"]
            where input.document.members[name]?.isNull ?? true {
                found[name] = client[name]
            }
        }
        found["resource"] = client["resource"]
        let isSame = client["resource"]?.string == address
        found["requested_resource"] = isSame ? .null : address.map { .string($0) }
        found["api_base"] = input.document.members["api_base"] ?? client["api_base"]
        let scope = input.document.members["scope"]
        if scope == nil || asksAgain, let wanted = client["scope"]?.string {
            let known = Scope(splitting: Scope.union(of: ([scope?.string] + scopes).compactMap(\.self)))
            if !Scope(splitting: wanted).isContained(in: known), input.document.origin(of: "scope") == .document {
                let text = "\(address ?? "the resource") asks for the scope \(wanted)"
                session.diagnostics.tellOnce(session.diagnostics.redactor.redact(text, upTo: Failure.sayingLimit))
            }
        }
        if asksAgain, input.document.origin(of: "scope") == .document {
            scopes = [scope?.string] + scopes + [client["scope"]?.string]
            let union = Scope.union(of: scopes.compactMap(\.self))
            found["scope"] = union.isEmpty ? found["scope"] : .string(union)
        } else {
            found["scope"] = scope ?? client["scope"]
        }
        return found
    }

    /// Drops the client of a resource that names another server now: no server gets the client of another one.
    ///
    /// - Returns: a null for each member to be removed.
    /// - Throws: exit 2 where the profile is not to be replaced.
    private func moved(
        _ resource: ResourceDiscovery, from former: String, to issuer: String?, _ input: inout Input
    ) throws(Failure) -> JSONObject {
        guard replacesProfile else {
            throw .usage(
                "the resource does not name \(former) any more: its authorization server is \(issuer ?? "its own")",
                hint: """
                    if the new server is right, add --register --save-profile to register a client with it and to \
                    replace the profile
                    """)
        }
        var removed = JSONObject()
        input = input.withoutCommands()
        for secret in Member.secrets { removed["\(secret)_command"] = .null }
        let names = Member.completed + Member.registrationResponse + Member.ofOneClient + ["accept_issuer"]
        for name in names where input.document.origin(of: name) == .document {
            guard input.document.members[name] != nil else { continue }
            input.document.members[name] = nil
            removed[name] = .null
        }
        input.document.members["issuer"] = nil
        removed["issuer"] = .null
        return removed
    }

    /// The authorization server of a resource; nil if the resource does not say, and the command line does.
    ///
    /// - Throws: exit 2 for a server that the resource does not name, exit 3 to 10.
    private func client(
        of resource: ResourceDiscovery, over transport: Transport
    ) throws(Failure) -> (issuer: String?, members: JSONObject)? {
        // A cache does not know what the resource wants now.
        let cache = asksAgain ? nil : transport.cache
        do throws(ServerFault) {
            return try session.engine.run(
                Discovery(transport: transport, cache: cache).client(
                    of: resource, choosing: choice, preferring: issuer,
                    hint: "choose an authorization server with --issuer", accepting: accepted))
        } catch {
            switch error {
            case .refused(let said) where choice != nil && isChosenByVariable && said.kind == .usage:
                let variable = Member.variable(for: "issuer")
                throw Failure(error, hint: "unset \(variable)")
                    .prefixed("--resource and \(variable) name different servers: ")
            case .lost where choice != nil && error.isUnavailable:
                session.diagnostics.tell("the resource is only a parameter of this login: \(Failure(error).message)")
                return nil
            case .nothing(let said) where said.status == 404:
                guard choice == nil else { return nil }
                let hint = """
                    the resource does not name its authorization server: name the server with --issuer URL, or add -v \
                    to see the addresses that oap asked
                    """
                throw Failure(error, hint: hint)
            default: throw Failure(error)
            }
        }
    }

    /// What a document or the metadata of its issuer says of the server.
    func member(_ name: String, of document: Document) -> JSON? {
        if let value = document.members[name], !value.isNull { return value }
        return document.members["issuer"]?.string.flatMap { session.transport.metadata[$0]?.members[name] }
    }

    /// The scope by which a server says who has logged in, for a document without one: `openid`, if the server lists it
    /// and its ID tokens can be checked, and what it lists of `profile` and `email`, without which there is no name. The
    /// list is optional; only providers of OpenID Connect name the algorithms of ID tokens (OpenID Connect Discovery §3).
    func scopeForIdentity(of document: Document) -> String? {
        let isProvider = member("id_token_signing_alg_values_supported", of: document)?.strings?.isEmpty == false
        let offered = member("scopes_supported", of: document)?.strings ?? (isProvider ? ["openid"] : [])
        guard document.members["scope"]?.isNull ?? true, offered.contains("openid") else { return nil }
        var document = document
        document.members["scope"] = .string("openid")
        // The check is of the server: a client may be registered later.
        document.members["client_id"] = document.members["client_id"] ?? .string("to be registered")
        let usesSecret = (try? IDToken.check(document)) ?? true
        return usesSecret ? nil : ["openid", "profile", "email"].filter(offered.contains).joined(separator: " ")
    }
}
