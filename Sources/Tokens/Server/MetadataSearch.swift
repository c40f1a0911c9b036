internal import Errands
internal import OAuth
internal import Wire
internal import Shell

/// A search for metadata at one address after the other. The searches for a server, for an issuer and for a resource
/// differ in their addresses, and in what is enough.
struct MetadataSearch<Metadata> {
    struct Address {
        let request: HTTPRequest
        let read: (EndpointResponse) throws(OAuthError) -> Metadata

        var text: String { request.url }
    }

    typealias Found = (metadata: Metadata, response: HTTPResponse, address: String)

    /// In the order in which they are asked.
    let addresses: [Address]
    /// What the metadata is of, for messages.
    let whose: String
    let transport: Transport
    /// What to do where none has metadata.
    var hint = "add -v to see the addresses of the metadata"
    var isEnough: ([Found]) -> Bool = { !$0.isEmpty }
    /// Takes note of what an address has, at once.
    var note: (Found) throws(ServerFault) -> Void = { (_) throws(ServerFault) in }
    /// Whether there is metadata already, so that an address without any is passed over.
    var hasOther = false
    /// Whether a server that does not answer ends the search, though there is metadata.
    var needsAnswers = false

    /// What is stored for the first of the addresses for which there is anything.
    ///
    /// - Parameter isWhole: whether it must be that of all addresses.
    func stored(in cache: MetadataCache?, isWhole: Bool = false) -> Metadata? {
        guard let cache else { return nil }
        return addresses.lazy.compactMap { address in
            cache.response(from: address.text, isWhole: isWhole).flatMap { try? address.read(EndpointResponse($0)) }
        }.first
    }

    /// Asks until there is enough, or every address was asked. After metadata, an address without any is passed over.
    ///
    /// - Returns: what was found, at least one unless there is other metadata; the addresses that were asked.
    func found() -> Attempt<(found: [Found], asked: [String]), ServerFault> { found(addresses[...], [], nil) }

    private func found(
        _ rest: ArraySlice<Address>, _ found: [Found], _ first: OAuthError?
    ) -> Attempt<(found: [Found], asked: [String]), ServerFault> {
        guard let address = rest.first, !isEnough(found) else {
            guard found.isEmpty, !hasOther, let first else {
                return .done(.success((found, addresses[..<rest.startIndex].map(\.text))))
            }
            return .done(.failure(.nothing(noMetadata(because: first))))
        }
        let rest = rest.dropFirst()
        return ask(address).then { result in
            switch result {
            case .success(let one): return self.found(rest, found + [one], first)
            case .failure(.refused(let error)) where ServerDiscovery.goesOn(after: error):
                return self.found(rest, found, first ?? error)
            case .failure(let fault):
                let isPassedOver = (hasOther || !found.isEmpty) && !(needsAnswers && fault.isUnavailable)
                guard isPassedOver else { return .done(.failure(fault)) }
                if fault.isUnavailable || transport.isVerbose {
                    transport.diagnostics.tell(
                        "the metadata address \(address.text) is not used: \(Failure(fault).message)")
                }
                return self.found(rest, found, first)
            }
        }
    }

    /// Metadata is public: its server does not need the identity of the client (RFC 8705 §8).
    private func ask(_ address: Address) -> Attempt<Found, ServerFault> {
        let request = ServerRequest(message: address.request, withCertificate: false)
        return transport.response(to: request).reading { (response) throws(ServerFault) in
            let metadata = try ServerFault.reading(address.read(EndpointResponse(response)))
            let found = (metadata: metadata, response: response, address: address.text)
            try note(found)
            return found
        }
    }

    private func noMetadata(because first: OAuthError) -> OAuthError {
        var error = first
        let places = addresses.count == 1 ? "at the address" : "at any of \(addresses.count) addresses"
        error.message = "there is no metadata \(whose) \(places): \(first.message)"
        error.hint = hint
        return error
    }
}

extension MetadataSearch<ServerMetadata> {
    /// The addresses in `asked` need not be asked.
    init(_ discovery: ServerDiscovery, besides asked: [String] = [], over transport: Transport) {
        let addresses = discovery.addresses.filter { !asked.contains($0.text) }.map { address in
            Address(request: address.request) { (response) throws(OAuthError) in
                try discovery.metadata(in: response, of: address)
            }
        }
        self.init(addresses: addresses, whose: "of an authorization server", transport: transport)
    }
}

extension MetadataSearch<ResourceMetadata> {
    init(_ discovery: ResourceDiscovery, at addresses: [String], over transport: Transport) {
        let addresses = addresses.map { address in
            Address(request: ResourceDiscovery.request(to: address)) { (response) throws(OAuthError) in
                try discovery.metadata(in: response)
            }
        }
        self.init(addresses: addresses, whose: "of the resource", transport: transport)
    }
}
