internal import HTTP
internal import OAuth
internal import Wire

/// Asks for metadata of servers and resources, at one address after the other.
struct MetadataSearch {
    private let transport: Transport
    private let cache: MetadataCache?

    /// A search that sends nothing yet.
    ///
    /// - Parameter cache: where metadata is looked for first, and stored.
    init(over transport: Transport, cache: MetadataCache? = nil) { (self.transport, self.cache) = (transport, cache) }

    /// The metadata of an authorization server.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    func server(_ discovery: ServerDiscovery) throws(Failure) -> ServerMetadata {
        let metadata = try found(by: discovery.search, at: discovery.addresses.map(\.text))
        try transport.diagnostics.warn(metadata.warnings)
        return metadata
    }

    /// A client document for a resource: the metadata of its authorization server, `resource`, `api_base` and `scope`.
    ///
    /// - Parameters:
    ///   - choice: the issuer that the caller wants; nil if the resource names only one.
    ///   - hint: what to do if it names several.
    ///   - expected: the issuer that the metadata must name; nil for that of the resource.
    /// - Throws: exit 3 without a choice, exit 4 to 10 for what was answered, exit 6 without an answer.
    func client(
        of discovery: ResourceDiscovery, choosing choice: String? = nil, hint: String? = nil,
        expecting expected: String? = nil
    ) throws(Failure) -> (issuer: String, members: JSONObject) {
        let (found, scope) = try resource(discovery)
        let issuer: String
        do throws(OAuthError) {
            issuer = try found.authorizationServer(choice)
        } catch {
            var failure = Failure(error)
            if found.authorizationServers.count > 1 { failure.hint = hint ?? failure.hint }
            throw failure
        }
        var client = try server(
            try lift(try ServerDiscovery(issuer, expecting: expected, forms: MetadataAddress.Form.ofResource))
        ).members
        client["resource"] = .string(found.resource)
        client["api_base"] = .string(found.resource)
        client["scope"] = found.scope(challenged: scope, of: client).map { .string($0) }
        return (issuer, client)
    }

    /// The metadata of a resource, and the scope that its challenge asks for.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    func resource(
        _ discovery: ResourceDiscovery
    ) throws(Failure) -> (metadata: ResourceMetadata, scope: String?) {
        let standard = resourceSearch(discovery, at: discovery.addresses)
        if let metadata = cached(standard, at: discovery.addresses) { return (metadata, nil) }
        let head = try head(of: discovery.probe)
        let challenge = try lift(try discovery.challenge(in: head))
        let addresses = challenge.metadata.map { [$0] } ?? discovery.addresses
        let metadata = try found(by: resourceSearch(discovery, at: addresses), at: addresses)
        try transport.diagnostics.warn(metadata.warnings)
        return (metadata, challenge.scope)
    }

    private func resourceSearch(
        _ discovery: ResourceDiscovery, at addresses: [String]
    ) -> AddressSearch<ResourceMetadata> {
        AddressSearch(addresses.map(ResourceDiscovery.request), "of the resource") {
            (response, _) throws(OAuthError) in try discovery.metadata(in: response)
        }
    }

    private func found<Metadata>(
        by search: AddressSearch<Metadata>, at addresses: [String]
    ) throws(Failure) -> Metadata {
        if let metadata = cached(search, at: addresses) { return metadata }
        var search = search
        while true {
            let (request, result) = (search.request, try transport.send(search.request))
            guard let metadata = try search.receive(result) else { continue }
            if case .success(let response) = result { cache?.store(response, from: request.message.url) }
            return metadata
        }
    }

    /// The metadata that is stored for the first of these addresses for which there is any.
    private func cached<Metadata>(_ search: AddressSearch<Metadata>, at addresses: [String]) -> Metadata? {
        guard let cache else { return nil }
        return addresses.indices.lazy.compactMap { number in
            cache.response(from: addresses[number]).flatMap { search.metadata(in: $0, at: number) }
        }.first
    }

    /// The head of a response, whose content may have no end.
    private func head(of request: HTTPRequest) throws(Failure) -> HTTPResponseHead {
        let receiver = HeadReceiver()
        if let failure = try transport.stream(ServerRequest(message: request, withCertificate: false), to: receiver),
            receiver.head == nil
        {
            throw Failure(failure, stake: .repeatable)
        }
        guard let head = receiver.head else { preconditionFailure("a transfer that succeeds has delivered a head") }
        return head
    }
}

extension ServerDiscovery {
    /// The search at its addresses.
    var search: AddressSearch<ServerMetadata> {
        AddressSearch(addresses.map(\.request), "of an authorization server") {
            (response, number) throws(OAuthError) in try metadata(in: response, of: addresses[number])
        }
    }
}

/// Takes a head, and ends the transfer.
private final class HeadReceiver: ResponseReceiver {
    private(set) var head: HTTPResponseHead?

    func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        return false
    }

    func receive(content: UnsafeRawBufferPointer) -> Bool { false }
}
