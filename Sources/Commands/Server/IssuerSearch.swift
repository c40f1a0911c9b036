internal import Errands
internal import OAuth
internal import Wire

/// The search for members of a document that are missing, in the metadata of its issuer (RFC 8414 §3), in steps: the
/// caller sends the requests. The first metadata that is found counts; if it lacks a member too, the other addresses of the
/// issuer are asked for that: some servers list an endpoint in one document only. A process asks each address once.
struct IssuerSearch {
    private let document: Document
    private let issuer: String
    private let needed: [String]
    /// The error for the first member that is missing.
    private let missing: Failure
    /// Whether the first metadata will do, even if it lacks a member.
    private let takesFirst: Bool
    private let transport: Transport
    private let cache: MetadataCache?
    private var asked: [String] = []
    private var search: AddressSearch<ServerMetadata>

    /// A search for what a document lacks; nil if it lacks nothing, names no issuer, or `--no-discovery` forbids it.
    ///
    /// - Parameters:
    ///   - needed: the names of members.
    ///   - takesFirst: whether the first metadata will do, even if it lacks a member.
    /// - Throws: exit 2, 3 or 9 for an issuer that cannot be asked.
    init?(
        for document: Document, needing needed: [String], over transport: Transport, takesFirst: Bool = false
    ) throws(Failure) {
        cache = try transport.cache()
        guard transport.mayDiscover, let name = needed.first(where: { Self.lacks($0, document) }),
            let issuer = try lift(try document.string("issuer"))
        else { return nil }
        (self.document, self.issuer, self.needed, self.transport) = (document, issuer, needed, transport)
        self.takesFirst = takesFirst
        missing = Self.failure(name, document)
        let discovery = try lift(try document.blaming(try ServerDiscovery(of: document)))
        var known = transport.metadata[issuer] ?? KnownMetadata()
        for address in discovery.addresses where !known.asked.contains(address.text) {
            guard let response = cache?.response(from: address.text),
                let metadata = try? discovery.metadata(in: EndpointResponse(response), of: address)
            else { continue }
            known.add(metadata.members, from: [address.text])
        }
        search = discovery.search(besides: known.asked)
        transport.metadata[issuer] = known
        if transport.isDryRun, request != nil {
            transport.diagnostics.tell("the \(name) is missing; looking for it in the metadata of \(issuer)")
        }
    }

    /// The next request; nil when what is needed is known, or every address was asked.
    private var request: ServerRequest? {
        let known = transport.metadata[issuer]?.members ?? [:]
        let hasNeeded = takesFirst || needed.allSatisfy { known[$0] != nil || !Self.lacks($0, document) }
        let isKnown = !known.isEmpty && hasNeeded
        return isKnown || search.isAtEnd ? nil : search.request
    }

    /// The search when what is needed is known, or every address was asked.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    fileprivate func ended() -> Attempt<IssuerSearch, Failure> {
        attempting { () throws(Failure) in
            guard let request else { return .done(.success(self)) }
            return try transport.asked(request).then { result in
                attempting { () throws(Failure) in
                    var search = self
                    try search.receive(result)
                    return search.ended()
                }
            }
        }
    }

    /// Takes the response to the request. After the first metadata, an address without any is passed over.
    ///
    /// - Throws: exit 4 to 10 for what was answered, exit 6 without an answer.
    private mutating func receive(_ result: ServerRequest.Result) throws(Failure) {
        let address = search.request.message.url
        asked.append(address)
        let isFirst = transport.metadata[issuer]?.members.isEmpty ?? true
        do throws(Failure) {
            let metadata = try search.receive(result)
            if metadata != nil || !isFirst { transport.metadata[issuer]?.add(metadata?.members ?? [:], from: asked) }
            guard let metadata else { return }
            if case .success(let response) = result { cache?.store(response, from: address) }
            try transport.diagnostics.warn(metadata.warnings)
        } catch {
            guard isFirst || error.exit == .unavailable else {
                transport.metadata[issuer]?.asked += asked
                if transport.isVerbose {
                    transport.diagnostics.tell("the metadata address \(address) is not used: \(error.message)")
                }
                return
            }
            // A file of the caller's, such as that of --cacert: another endpoint would not help.
            guard error.exit != .fileFailed else { throw error }
            var failure = error
            failure.message = "\(missing.message), and the search in the metadata failed: \(failure.message)"
            if failure.exit == .badAnswer || failure.hint == nil, failure.exit != .unavailable {
                failure.hint = missing.hint
            }
            throw failure
        }
    }

    /// What the metadata adds to a document: no member that it has.
    ///
    /// - Parameter isOptional: whether the members that are needed may be in neither.
    /// - Throws: exit 3 if one is in neither.
    func members(for document: Document, isOptional: Bool = false) throws(Failure) -> JSONObject {
        var added = JSONObject()
        for name in Member.completed where document.members[name]?.isNull ?? true {
            added[name] = transport.metadata[issuer]?.members[name]
        }
        if !isOptional, let name = needed.first(where: { added[$0] == nil && Self.lacks($0, document) }) {
            var failure = Self.failure(name, document)
            failure.message += ", also in the metadata of \(issuer)"
            failure.hint = document.ownHint(forMissing: name) ?? failure.hint
            throw failure
        }
        return added
    }

    /// The failure for a member that is missing, and not to be found.
    private static func failure(_ name: String, _ document: Document) -> Failure {
        var error = document.missing(name)
        error.hint = document.hintForMissing ?? Member.named(name)?.supply(isKept: document.isKept)
        return Failure(error)
    }

    private static func lacks(_ name: String, _ document: Document) -> Bool { document.members[name]?.isNull ?? true }
}

extension Input {
    /// The input, with what the metadata of its issuer adds to it if one of these members is missing.
    ///
    /// - Parameters:
    ///   - isOptional: whether metadata without them will do.
    ///   - takesFirst: whether no other metadata is asked for them after the first.
    /// - Throws: exit 2 to 10 without metadata or a member.
    func completed(
        needing names: [String], over transport: Transport, isOptional: Bool = false, takesFirst: Bool = false
    ) -> Attempt<Input, Failure> {
        attempting { () throws(Failure) in
            guard
                let search = try IssuerSearch(
                    for: document, needing: names, over: transport, takesFirst: takesFirst)
            else { return .done(.success(self)) }
            return search.ended().reading { (search) throws(Failure) in
                adding(try search.members(for: document, isOptional: isOptional))
            }
        }
    }

    /// The input with further members.
    func adding(_ members: JSONObject) -> Input {
        var input = self
        for member in members.members { input.document.members[member.name] = member.value }
        return input
    }
}
