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
        let metadata = try first(of: discovery.addresses, "of an authorization server") {
            (address) throws(Failure) in
            let response = try send(address.request)
            return Self.judged { () throws(OAuthError) in try discovery.metadata(in: response, of: address) }
        }
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
        let metadata = try first(of: addresses, "of the resource") { (address) throws(Failure) in
            let response = try send(ResourceDiscovery.request(to: address))
            return Self.judged { () throws(OAuthError) in try discovery.metadata(in: response) }
        }
        try transport.diagnostics.warn(metadata.warnings)
        return (metadata, challenge.scope)
    }

    /// The first metadata that there is.
    private func first<Address, Metadata>(
        of addresses: [Address], _ whose: String,
        at ask: (Address) throws(Failure) -> Result<Metadata, OAuthError>
    ) throws(Failure) -> Metadata {
        var first: OAuthError?
        for address in addresses {
            switch try ask(address) {
            case .success(let metadata): return metadata
            case .failure(let error):
                guard ServerDiscovery.goesOn(after: error) else { throw Failure(error) }
                first = first ?? error
            }
        }
        guard var error = first else { preconditionFailure("there is an address to ask") }
        let places = addresses.count == 1 ? "at the address" : "at any of \(addresses.count) addresses"
        error.message = "there is no metadata \(whose) \(places): \(error.message)"
        error.hint = "-v shows the addresses"
        throw Failure(error)
    }

    private static func judged<Value>(
        _ step: () throws(OAuthError) -> Value
    ) -> Result<Value, OAuthError> {
        do throws(OAuthError) { return .success(try step()) } catch { return .failure(error) }
    }

    /// Metadata is public: its server does not need the identity of the client (RFC 8705 §8).
    private func send(_ request: HTTPRequest) throws(Failure) -> EndpointResponse {
        let result = try transport.send(ServerRequest(message: request, withCertificate: false))
        do throws(HTTPError) {
            return EndpointResponse(try result.get())
        } catch {
            throw Failure(error, stake: .repeatable)
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

/// Takes a head, and ends the transfer.
private final class HeadReceiver: ResponseReceiver {
    private(set) var head: HTTPResponseHead?

    func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        return false
    }

    func receive(content: UnsafeRawBufferPointer) -> Bool { false }
}
