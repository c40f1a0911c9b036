internal import Wire

/// A place in an answer: the names of members with dots between them, a number for an element of an array, as in
/// `authed_user.access_token` and `errors.0.code`.
struct AnswerPath: Sendable {
    /// The steps to the object that holds the value.
    let holder: [String]
    let name: String

    /// Reads the path that a member of the document names; nil when there is none.
    ///
    /// - Throws: `usage` for an empty step.
    init?(_ member: String, in document: Document) throws(OAuthError) {
        guard let text = try document.string(member) else { return nil }
        let steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let last = steps.last, !steps.contains("") else {
            throw document.invalid(member, "must be names with dots between them")
        }
        holder = steps.dropLast()
        name = last
    }

    /// The object that holds the value, whether the value is in it or not; nil when the answer has no such object.
    func holder(in members: JSONObject) -> JSONObject? { Self.value(at: holder, in: members)?.object }

    /// What is at the place; nil when the answer has no such place.
    func value(in members: JSONObject) -> JSON? { Self.value(at: holder + [name], in: members) }

    private static func value(at steps: [String], in members: JSONObject) -> JSON? {
        var value = JSON.object(members)
        for step in steps {
            if let array = value.array {
                guard let index = Int(step), array.indices.contains(index) else { return nil }
                value = array[index]
            } else {
                guard let next = value.object?[step] else { return nil }
                value = next
            }
        }
        return value
    }
}
