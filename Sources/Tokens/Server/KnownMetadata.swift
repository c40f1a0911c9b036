package import OAuth
package import Wire

/// What a process knows of the metadata of an issuer.
package struct KnownMetadata {
    /// The members of the documents that were found; the first document that has a member counts.
    package var members = JSONObject()
    /// The addresses that need not be asked again.
    package var asked: [String] = []

    package init(members: JSONObject = [:], asked: [String] = []) { (self.members, self.asked) = (members, asked) }

    package func adding(_ found: [ServerMetadata]) -> KnownMetadata {
        changing(self) { for metadata in found { $0.add(metadata) } }
    }

    /// With what a cache has of the addresses that were not asked.
    package func adding(_ discovery: ServerDiscovery, from cache: MetadataCache?) -> KnownMetadata {
        var known = self
        for address in discovery.addresses where !asked.contains(address.text) {
            guard let response = cache?.response(from: address.text),
                let metadata = try? discovery.metadata(in: EndpointResponse(response), of: address)
            else { continue }
            known.add(metadata)
            known.asked.append(address.text)
        }
        return known
    }

    private mutating func add(_ metadata: ServerMetadata) {
        for member in metadata.members.members where members[member.name] == nil {
            members[member.name] = member.value
        }
    }
}
