internal import Wire

/// The members of a response, in the shape of RFC 6749.
struct EndpointMembers {
    /// The members.
    let members: JSONObject
    /// Whether they came form-encoded.
    let isForm: Bool
    /// Oddities to tell.
    var warnings: [OAuthWarning]

    /// The members that mean nothing to `oap`, and those to be kept unread; what would steer the client is dropped
    /// (`oap-documents(5)`). The first few are told of one by one and the rest as a number, or an answer could fill the
    /// screen. An `error` is not kept either: an empty one is none, and must not make the document look like an error
    /// document.
    ///
    /// - Parameters:
    ///   - defined: the members that the answer's own RFC defines.
    ///   - kept: those of them that nobody has read.
    func others(
        besides defined: [String], keeping kept: [String] = [], _ warnings: inout [OAuthWarning]
    ) -> JSONObject {
        let read = defined.filter { !kept.contains($0) } + ["error", "error_description", "error_uri"]
        var others = JSONObject()
        var dropped: [String] = []
        for member in members.members where !read.contains(member.name) {
            if Member.isRefused(member.name, inAnswerThatDefines: defined) {
                dropped.append(member.name)
            } else {
                others[member.name] = member.value
            }
        }
        warnings += dropped.prefix(Self.mostNamed).map { .memberDropped($0) }
        if dropped.count > Self.mostNamed { warnings.append(.membersDropped(dropped.count - Self.mostNamed)) }
        return others
    }

    /// How many dropped members have a warning each.
    private static let mostNamed = 5
}
