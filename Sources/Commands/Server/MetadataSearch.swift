internal import HTTP
internal import OAuth
internal import Wire

/// Asks for metadata of servers and resources, at one address after the other.
struct MetadataSearch {
    private let transport: Transport

    /// A search that sends nothing yet.
    init(over transport: Transport) { self.transport = transport }

    /// The metadata of an authorization server.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    func server(_ discovery: ServerDiscovery) throws(Failure) -> ServerMetadata {
        let metadata = try found(by: discovery.search)
        try transport.diagnostics.warn(metadata.warnings)
        return metadata
    }

    /// The metadata of a resource, and the scope that its challenge asks for.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    func resource(
        _ discovery: ResourceDiscovery
    ) throws(Failure) -> (metadata: ResourceMetadata, scope: String?) {
        let head = try head(of: discovery.probe)
        let challenge = try lift(try discovery.challenge(in: head))
        let addresses = challenge.metadata.map { [$0] } ?? discovery.addresses
        let search = AddressSearch(addresses.map(ResourceDiscovery.request), "of the resource") {
            (response, _) throws(OAuthError) in try discovery.metadata(in: response)
        }
        let metadata = try found(by: search)
        try transport.diagnostics.warn(metadata.warnings)
        return (metadata, challenge.scope)
    }

    private func found<Metadata>(by search: AddressSearch<Metadata>) throws(Failure) -> Metadata {
        var search = search
        while true {
            if let metadata = try search.receive(try transport.send(search.request)) { return metadata }
        }
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
