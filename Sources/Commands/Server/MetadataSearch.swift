internal import Engine
internal import Errands
internal import OAuth
internal import Wire

/// Asks for metadata of servers and resources, at one address after the other.
struct MetadataSearch {
    private let transport: Transport
    private let engine: Engine
    private let cache: MetadataCache?
    private let asksAll: Bool

    /// A search that sends nothing yet.
    ///
    /// - Parameters:
    ///   - cache: where metadata is looked for first, and stored.
    ///   - asksAll: whether a server is asked at all its addresses, and its documents are merged.
    init(_ session: Session, cache: MetadataCache? = nil, asksAll: Bool = false) {
        (transport, engine, self.cache, self.asksAll) = (session.transport, session.engine, cache, asksAll)
    }

    /// The metadata of the authorization server that the user names.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    func server(_ discovery: ServerDiscovery) throws(Failure) -> ServerMetadata {
        var search = discovery.search()
        do throws(Failure) {
            return try server(discovery, by: &search)
        } catch {
            guard search.isExhausted else { throw error }
            var failure = error
            failure.hint = """
                add -v to see the addresses of the metadata; for the address of an API or an MCP server, use \
                --resource
                """
            throw failure
        }
    }

    private func server(
        _ discovery: ServerDiscovery, by search: inout AddressSearch<ServerMetadata>
    ) throws(Failure) -> ServerMetadata {
        let addresses = discovery.addresses.map(\.text)
        let metadata = asksAll ? try whole(by: &search, at: addresses) : try found(by: &search, at: addresses)
        try transport.diagnostics.warn(metadata.warnings + metadata.unusableEndpoints)
        for (name, origin) in metadata.endpointsElsewhere where transport.isVerbose {
            transport.diagnostics.tell("the \(name) is at another origin than the issuer: \(origin)")
        }
        return metadata
    }

    /// A client document for a resource: the metadata of its authorization server, `resource`, `api_base` and `scope`.
    ///
    /// - Parameters:
    ///   - choice: the issuer that the caller wants; nil if the resource names only one.
    ///   - known: the issuer to take, if the resource names it.
    ///   - hint: what to do if it names several.
    ///   - expected: the issuer that the metadata must name; nil for that of the resource.
    /// - Returns: the issuer as the resource names it, nil for a server without metadata; the document.
    /// - Throws: exit 3 without a choice, exit 4 to 10 for what was answered, exit 6 without an answer.
    func client(
        of discovery: ResourceDiscovery, choosing choice: String? = nil, preferring known: String? = nil,
        hint: String? = nil, expecting expected: String? = nil
    ) throws(Failure) -> (issuer: String?, members: JSONObject) {
        var search = resourceSearch(discovery, at: discovery.addresses)
        var (metadata, challenge) = (
            search.metadata(at: discovery.addresses, in: cache), ResourceDiscovery.Challenge()
        )
        if metadata == nil {
            challenge = try self.challenge(of: discovery)
            let addresses = challenge.metadata.map { [$0] } ?? discovery.addresses
            search = resourceSearch(discovery, at: addresses)
            do throws(Failure) {
                metadata = try found(by: &search, at: addresses)
            } catch {
                let mayBeOld = search.isExhausted && challenge.metadata == nil && choice == nil && expected == nil
                guard mayBeOld else { throw error }
                return try ownServer(of: discovery, challenge, orElse: error)
            }
        }
        guard let metadata else { preconditionFailure("a search that throws nothing has found metadata") }
        try transport.diagnostics.warn(metadata.warnings)
        let isNamed = known.map { metadata.authorizationServers.contains(where: $0.isIdentical) } ?? false
        let issuer: String
        do throws(OAuthError) {
            issuer = try metadata.authorizationServer(choice ?? (isNamed ? known : nil))
        } catch {
            var failure = Failure(error)
            if metadata.authorizationServers.count > 1 { failure.hint = hint ?? failure.hint }
            throw failure
        }
        return (issuer, try client(of: metadata, at: issuer, expecting: expected, scope: challenge.scope))
    }

    private func client(
        of resource: ResourceMetadata, at issuer: String, expecting expected: String?, scope: String?
    ) throws(Failure) -> JSONObject {
        let forms = MetadataAddress.Form.ofResource
        let discovery = try lift(try ServerDiscovery(issuer, expecting: expected, forms: forms))
        var search = discovery.search()
        var client = try server(discovery, by: &search).members
        client["resource"] = .string(resource.resource)
        client["api_base"] = .string(resource.resource)
        client["scope"] = resource.scope(challenged: scope, of: client).map { .string($0) }
        return client
    }

    /// A client document for a resource without metadata, whose own server is its authorization server, as the Model
    /// Context Protocol of 2025-03-26 has it. Endpoints are assumed only where the resource wants a token.
    ///
    /// - Parameter failure: why there is no metadata of the resource.
    /// - Throws: the failure of the search if no metadata is found and no endpoint can be assumed; a warning with
    ///   `--strict`.
    private func ownServer(
        of discovery: ResourceDiscovery, _ challenge: ResourceDiscovery.Challenge, orElse failure: Failure
    ) throws(Failure) -> (issuer: String?, members: JSONObject) {
        let origin = discovery.resource.origin
        let address = try lift(try ServerDiscovery(discovery.ownServer))
        var search = address.search()
        var (issuer, client) = (String?.none, discovery.ownEndpoints)
        do throws(Failure) {
            let metadata = try server(address, by: &search)
            (issuer, client) = (metadata.issuer, metadata.members)
        } catch {
            guard search.isExhausted else { throw error }
            guard challenge.isRefusal else { throw failure }
        }
        let warning =
            issuer == nil
            ? "neither the resource nor \(origin) has metadata: oap uses /authorize, /token and /register of \(origin)"
            : "the resource has no metadata: oap assumes that \(origin) is its authorization server"
        try transport.diagnostics.warn([.other(warning)])
        client["resource"] = .string(discovery.resource.text)
        client["api_base"] = .string(discovery.resource.text)
        client["scope"] = challenge.scope.map(JSON.string)
        return (issuer, client)
    }

    /// The challenge of a resource to a request without a token.
    private func challenge(of discovery: ResourceDiscovery) throws(Failure) -> ResourceDiscovery.Challenge {
        var head = try head(of: discovery.probe)
        if ResourceDiscovery.takesNoGET(head) { head = try self.head(of: discovery.ping) }
        return try lift(try discovery.challenge(in: head))
    }

    private func resourceSearch(
        _ discovery: ResourceDiscovery, at addresses: [String]
    ) -> AddressSearch<ResourceMetadata> {
        AddressSearch(addresses.map(ResourceDiscovery.request), "of the resource") {
            (response, _) throws(OAuthError) in try discovery.metadata(in: response)
        }
    }

    private func found<Metadata>(
        by search: inout AddressSearch<Metadata>, at addresses: [String]
    ) throws(Failure) -> Metadata {
        if let metadata = search.metadata(at: addresses, in: cache) { return metadata }
        while true {
            let (request, result) = try asked(search.request)
            guard let metadata = try search.receive(result) else { continue }
            if case .success(let response) = result { cache?.store(response, from: request.message.url) }
            return metadata
        }
    }

    /// The metadata of all addresses, merged, as it is stored too. After the first metadata, an address without any is
    /// passed over.
    private func whole(
        by search: inout AddressSearch<ServerMetadata>, at addresses: [String]
    ) throws(Failure) -> ServerMetadata {
        if let metadata = search.metadata(at: addresses, in: cache, isWhole: true) { return metadata }
        var first: (metadata: ServerMetadata, response: HTTPResponse, address: String)?
        while !search.isAtEnd {
            let (request, result) = try asked(search.request)
            do throws(Failure) {
                guard let metadata = try search.receive(result), case .success(let response) = result else { continue }
                first = first ?? (metadata, response, request.message.url)
                first?.metadata.merge(metadata)
            } catch {
                guard first != nil else { throw error }
                let isNews = error.exit == .unavailable || transport.isVerbose
                if isNews {
                    transport.diagnostics.tell(
                        "the metadata address \(request.message.url) is not used: \(error.message)")
                }
            }
        }
        guard let (metadata, response, address) = first else { preconditionFailure("a search ends with an error") }
        let merged = HTTPResponse(head: response.head, body: JSON.object(metadata.members).bytes)
        cache?.store(merged, from: address, isWhole: true)
        return metadata
    }

    private func asked(_ request: ServerRequest) throws(Failure) -> (
        request: ServerRequest, result: ServerRequest.Result
    ) {
        (request, engine.run(try transport.asked(request)))
    }

    /// The head of a response, whose content may have no end.
    private func head(of request: HTTPRequest) throws(Failure) -> HTTPResponseHead {
        var request = ServerRequest(message: request, withCertificate: false)
        request.endsAtHead = true
        switch try asked(request).result {
        case .success(let response): return response.head
        case .failure(let error): throw Failure(error, stake: .repeatable)
        }
    }
}

extension ServerDiscovery {
    /// The search at its addresses.
    ///
    /// - Parameter asked: the addresses that need not be asked.
    func search(besides asked: [String] = []) -> AddressSearch<ServerMetadata> {
        let addresses = addresses.filter { !asked.contains($0.text) }
        return AddressSearch(addresses.map(\.request), "of an authorization server") {
            (response, number) throws(OAuthError) in try metadata(in: response, of: addresses[number])
        }
    }
}
