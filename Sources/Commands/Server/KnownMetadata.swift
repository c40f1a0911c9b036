internal import Wire

/// What a process knows of the metadata of an issuer.
struct KnownMetadata {
    /// The members of the documents that were found; the first document that has a member counts.
    var members = JSONObject()
    /// The addresses that need not be asked again.
    var asked: [String] = []

    /// Takes the document of the last of these addresses.
    mutating func add(_ document: JSONObject, from addresses: [String]) {
        asked += addresses
        for member in document.members where members[member.name] == nil { members[member.name] = member.value }
    }
}
