internal import Wire

/// The members of a response, in the shape of RFC 6749.
struct EndpointMembers {
    /// The members.
    let members: JSONObject
    /// Whether they came form-encoded.
    let isForm: Bool
    /// Deviations that did not stop the work.
    var warnings: [OAuthWarning]

    /// Members to carry over unread. Members that would change the client's behaviour are dropped with a warning
    /// (`oap-documents(5)`): one each for the first few, and their number for the rest, so that a response cannot fill
    /// the screen. An empty `error` is dropped too: it would make the document look like an error document.
    ///
    /// - Parameters:
    ///   - defined: the members that the answer's own RFC defines.
    ///   - kept: those of them that were not read.
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
