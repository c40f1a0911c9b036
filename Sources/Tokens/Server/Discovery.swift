package import Errands
package import OAuth
package import Wire

/// Finds the metadata of a server or a resource that the user names.
package struct Discovery {
    package let transport: Transport
    /// Where metadata is looked for first, and stored.
    package let cache: MetadataCache?
    /// Whether a server is asked at all its addresses, and its documents are merged.
    package var asksAll = false

    package init(transport: Transport, cache: MetadataCache? = nil, asksAll: Bool = false) {
        (self.transport, self.cache, self.asksAll) = (transport, cache, asksAll)
    }

    package func server(_ discovery: ServerDiscovery) -> Attempt<ServerMetadata, ServerFault> {
        var search = MetadataSearch(discovery, over: transport)
        search.hint = """
            \(ServerFault.firstHint); add -v to see the addresses of the metadata; for the address of an API or an MCP \
            server, use --resource
            """
        return server(by: search)
    }

    private func server(by search: MetadataSearch<ServerMetadata>) -> Attempt<ServerMetadata, ServerFault> {
        let stored = search.stored(in: cache, isWhole: asksAll)
        let metadata = stored.map { .done(.success($0)) } ?? (asksAll ? whole(by: search) : first(by: search))
        return metadata.reading { (metadata) throws(ServerFault) in
            try ServerFault.doing(transport.diagnostics.warn(metadata.warnings + metadata.unusableEndpoints))
            for (name, origin) in metadata.endpointsElsewhere where transport.isVerbose {
                transport.diagnostics.tell("the \(name) is at another origin than the issuer: \(origin)")
            }
            return metadata
        }
    }

    private func first<Metadata>(by search: MetadataSearch<Metadata>) -> Attempt<Metadata, ServerFault> {
        search.found().reading { (found, _) throws(ServerFault) in
            cache?.store(found[0].response, from: found[0].address)
            return found[0].metadata
        }
    }

    /// The metadata of all addresses, merged, as it is stored too.
    private func whole(by search: MetadataSearch<ServerMetadata>) -> Attempt<ServerMetadata, ServerFault> {
        changing(search) { $0.isEnough = { _ in false } }.found().reading { (found, _) throws(ServerFault) in
            var metadata = found[0].metadata
            for other in found.dropFirst() { metadata.merge(other.metadata) }
            let merged = HTTPResponse(head: found[0].response.head, body: JSON.object(metadata.members).bytes)
            cache?.store(merged, from: found[0].address, isWhole: true)
            return metadata
        }
    }

    /// A client for a resource: the issuer as the resource names it, nil for a server without metadata; the metadata of
    /// that server, `resource`, `api_base` and `scope`.
    package typealias Client = (issuer: String?, members: JSONObject)

    /// The client of the issuer that the caller chooses, of the known one if the resource names it, or of the only one.
    /// Its metadata must name `expected`, or the issuer of the resource where that is nil; or else `accepted`.
    package func client(
        of discovery: ResourceDiscovery, choosing choice: String? = nil, preferring known: String? = nil,
        hint: String? = nil, expecting expected: String? = nil, accepting accepted: String? = nil
    ) -> Attempt<Client, ServerFault> {
        typealias Next = Attempt<Client, ServerFault>
        let chosen = { (metadata: ResourceMetadata, scope: String?) throws(ServerFault) -> Next in
            try ServerFault.doing(transport.diagnostics.warn(metadata.warnings))
            let isNamed = known.map { metadata.authorizationServers.contains(where: $0.isIdentical) } ?? false
            let issuer: String
            do throws(OAuthError) {
                issuer = try metadata.authorizationServer(
                    choice ?? (isNamed ? known : nil), accepting: accepted)
            } catch {
                var error = error
                if metadata.authorizationServers.count > 1 { error.hint = hint ?? error.hint }
                throw .refused(error)
            }
            let server = try ServerFault.reading(
                ServerDiscovery(
                    issuer, expecting: expected, accepting: accepted, forms: MetadataAddress.Form.ofResource))
            return client(of: metadata, at: issuer, by: server, scope: scope)
        }
        let stored = MetadataSearch(discovery, at: discovery.addresses, over: transport).stored(in: cache)
        if let stored { return attempting { () throws(ServerFault) in try chosen(stored, nil) } }
        return challenge(of: discovery).onward { (challenge, status) throws(ServerFault) in
            let addresses = challenge.metadata.map { [$0] } ?? discovery.addresses
            let search = MetadataSearch(discovery, at: addresses, over: transport)
            let stored = search.stored(in: cache)
            let metadata: Attempt<ResourceMetadata, ServerFault> =
                stored.map { .done(.success($0)) } ?? first(by: search)
            return metadata.then { result in
                switch result {
                case .success(let metadata):
                    return attempting { () throws(ServerFault) in try chosen(metadata, challenge.scope) }
                case .failure(.nothing(var error)):
                    if !challenge.isRefusal {
                        let answer = "\(discovery.resource.withoutQuery) answered \(status) without a token"
                        let end = (200..<300).contains(status) ? ", and may need none" : ""
                        error.message = "\(answer)\(end); \(error.message)"
                    }
                    guard challenge.metadata == nil, choice == nil, expected == nil else {
                        return .done(.failure(.nothing(error)))
                    }
                    return ownServer(of: discovery, challenge, orElse: .nothing(error))
                case .failure(let fault): return .done(.failure(fault))
                }
            }
        }
    }

    private func client(
        of resource: ResourceMetadata, at issuer: String, by discovery: ServerDiscovery, scope: String?
    ) -> Attempt<Client, ServerFault> {
        server(by: MetadataSearch(discovery, over: transport)).reading { (metadata) throws(ServerFault) in
            var client = metadata.members
            client["resource"] = .string(resource.resource)
            client["api_base"] = .string(resource.resource)
            client["scope"] = resource.scope(challenged: scope, of: client).map { .string($0) }
            return (issuer, client)
        }.mapFailure { fault in
            let isNothing = if case .nothing = fault { true } else { false }
            guard isNothing || fault.isUnavailable else { return fault }
            let missing = OAuthError(.metadataMissing, "", hint: "add -v to see the addresses of the metadata")
            return .search(missing: missing, of: "\(issuer), which the resource names", fault)
        }
    }

    /// A client document for a resource without metadata, whose own server is its authorization server, as the Model
    /// Context Protocol of 2025-03-26 has it. Endpoints are assumed only where the resource wants a token.
    ///
    /// - Parameter fault: why there is no metadata of the resource.
    private func ownServer(
        of discovery: ResourceDiscovery, _ challenge: ResourceDiscovery.Challenge, orElse fault: ServerFault
    ) -> Attempt<Client, ServerFault> {
        let origin = discovery.resource.origin
        return attempting { () throws(ServerFault) in
            let address = try ServerFault.reading(ServerDiscovery(discovery.ownServer))
            return server(by: MetadataSearch(address, over: transport))
        }.then { (result: Result<ServerMetadata, ServerFault>) -> Attempt<Client, ServerFault> in
            switch result {
            case .success(let metadata): return .done(.success((metadata.issuer, metadata.members)))
            case .failure(.nothing):
                return .done(challenge.isRefusal ? .success((nil, discovery.ownEndpoints)) : .failure(fault))
            case .failure(let other): return .done(.failure(other))
            }
        }.reading { (found) throws(ServerFault) in
            let warning =
                found.issuer == nil
                ? "neither the resource nor \(origin) has metadata: oap uses /authorize, /token and /register of \(origin)"
                : "the resource has no metadata: oap assumes that \(origin) is its authorization server"
            try ServerFault.doing(transport.diagnostics.warn([.other(warning)]))
            var client = found
            client.members["resource"] = .string(discovery.resource.text)
            client.members["api_base"] = .string(discovery.resource.text)
            client.members["scope"] = challenge.scope.map(JSON.string)
            return client
        }
    }

    /// The challenge of a resource to a request without a token, and the status. The response may have no end.
    private func challenge(
        of discovery: ResourceDiscovery
    ) -> Attempt<(ResourceDiscovery.Challenge, status: Int), ServerFault> {
        head(of: discovery.probe).onward { (head) throws(ServerFault) in
            ResourceDiscovery.takesNoGET(head) ? self.head(of: discovery.ping) : .done(.success(head))
        }.reading { (head) throws(ServerFault) in
            (try ServerFault.reading(discovery.challenge(in: head)), head.status)
        }
    }

    private func head(of request: HTTPRequest) -> Attempt<HTTPResponseHead, ServerFault> {
        let request = changing(ServerRequest(message: request, withCertificate: false)) { $0.endsAtHead = true }
        return transport.response(to: request).reading { (response) throws(ServerFault) in response.head }
    }
}
