internal import Errands
internal import HTTP
internal import OAuth
internal import Wire

/// A search for metadata at one address after the other, in steps: the caller sends the requests.
struct AddressSearch<Metadata> {
    private let count: Int
    private var rest: ArraySlice<HTTPRequest>
    private var first: OAuthError?
    private var hasFound = false
    /// Whether every address was asked.
    var isAtEnd: Bool { rest.isEmpty }
    /// Whether every address was asked, and none has metadata.
    private(set) var isExhausted = false
    private let whose: String
    private let metadata: (EndpointResponse, Int) throws(OAuthError) -> Metadata

    /// A search that begins with the first address.
    ///
    /// - Parameters:
    ///   - addresses: the requests, at least one, in the order in which they are sent.
    ///   - whose: what the metadata is of, for messages.
    ///   - metadata: the metadata in the response to the request of a number, counted from 0.
    init(
        _ addresses: [HTTPRequest], _ whose: String,
        metadata: @escaping (EndpointResponse, Int) throws(OAuthError) -> Metadata
    ) {
        (count, rest, self.whose, self.metadata) = (addresses.count, addresses[...], whose, metadata)
    }

    /// The next request. Metadata is public: its server does not need the identity of the client (RFC 8705 §8).
    var request: ServerRequest {
        guard let request = rest.first else { preconditionFailure("there is an address to ask") }
        return ServerRequest(message: request, withCertificate: false)
    }

    /// The metadata in a response that was received before, from the address of a number; nil if there is none.
    func metadata(in response: HTTPResponse, at number: Int) -> Metadata? {
        try? metadata(EndpointResponse(response), number)
    }

    /// The metadata that is stored for the first of these addresses for which there is any.
    ///
    /// - Parameter isWhole: whether it must be that of all addresses.
    func metadata(at addresses: [String], in cache: MetadataCache?, isWhole: Bool = false) -> Metadata? {
        guard let cache else { return nil }
        return addresses.indices.lazy.compactMap { number in
            cache.response(from: addresses[number], isWhole: isWhole).flatMap { metadata(in: $0, at: number) }
        }.first
    }

    /// Takes the response to the request. The next request is to the next address then, whatever came.
    ///
    /// - Returns: the metadata; nil if the next request is to be sent.
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    mutating func receive(_ result: ServerRequest.Result) throws(Failure) -> Metadata? {
        let number = rest.startIndex
        rest = rest.dropFirst()
        let response: EndpointResponse
        do throws(HTTPError) {
            response = EndpointResponse(try result.get())
        } catch {
            throw Failure(error, stake: .repeatable)
        }
        do throws(OAuthError) {
            let found = try metadata(response, number)
            hasFound = true
            return found
        } catch {
            guard ServerDiscovery.goesOn(after: error) else { throw Failure(error) }
            first = first ?? error
        }
        guard !hasFound, rest.isEmpty, var error = first else { return nil }
        isExhausted = true
        let places = count == 1 ? "at the address" : "at any of \(count) addresses"
        error.message = "there is no metadata \(whose) \(places): \(error.message)"
        error.hint = "add -v to see the addresses of the metadata"
        throw Failure(error)
    }
}
