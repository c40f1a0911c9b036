internal import OAuth
internal import Wire

extension Input {
    /// The key that access tokens of the document are bound to (RFC 9449); nil if they are bearer tokens. A process has one
    /// object for each key.
    ///
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used.
    func binding() throws(Failure) -> DPoPBinding? {
        guard let text = try secret(DPoPBinding.keyMember) else { return nil }
        return try secrets.binding(of: text, for: document)
    }

    /// The input of a login or a grant whose token is to be bound, with a new key if the document has none: each token has
    /// its own, which the token document keeps.
    ///
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used.
    func withBinding() throws(Failure) -> Input {
        guard try lift(try document.isDPoPBound) else { return self }
        var input = self
        if try source(of: DPoPBinding.keyMember) == nil {
            let text = try lift(try DPoPBinding.newKey())
            input.document.members[DPoPBinding.keyMember] = .string(text)
            secrets.register([DPoPBinding.keyMember: .string(text)])
        }
        _ = try input.binding()
        return input
    }
}
