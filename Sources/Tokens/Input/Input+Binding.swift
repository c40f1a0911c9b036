package import OAuth
package import Shell

extension Input {
    /// The key that access tokens of the document are bound to (RFC 9449); nil if they are bearer tokens. A process has one
    /// object for each key.
    ///
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used, and for another one than that of the token or the code: a
    ///   server would refuse both, and may take them for stolen.
    package func binding() throws(Failure) -> DPoPBinding? {
        let name = DPoPBinding.keyMember
        let bound = try asFailure(document.string(DPoPBinding.thumbprintMember))
        guard let text = try secret(name) else {
            // Without a proof, some servers take a refresh token for stolen, and end it.
            guard bound == nil else { throw Failure(DPoPBinding.missing) }
            return nil
        }
        let binding = try secrets.binding(
            of: text, passPhrase: try secret(DPoPBinding.passPhraseMember), for: document)
        if let bound, bound != binding.thumbprint {
            throw Failure(
                .badInput, .keyInvalid,
                "\(place(of: name)?.text ?? name) has another key than the one that the code or the token is bound to",
                hint: "nothing was sent: bring the earlier key back, or log in again")
        }
        return binding
    }

    /// The access token of the document, which is sent to APIs.
    ///
    /// - Parameter hint: what to do without one, besides the usual.
    /// - Throws: exit 3 without a token or for an invalid one, exit 9 for one that is not a bearer token; as ``binding()``.
    package func accessToken(adding hint: String? = nil) throws(Failure) -> AccessToken {
        guard let token = try secret("access_token") else {
            let failure = Failure(document.missing("access_token"))
            throw hint.map(failure.adding) ?? failure
        }
        let binding = try binding()
        return try asFailure(AccessToken(token, of: document, binding: binding))
    }

    /// The input of a login or a grant whose token is to be bound, with a new key if the document has none: each token has
    /// its own, which the token document keeps. So it does with a key that a pipe brought.
    ///
    /// - Parameter isBegun: whether a code or a token that is there is bound to the key already.
    /// - Throws: exit 2, 3 or 11 for a key that cannot be used.
    package func withBinding(isBegun: Bool = false) throws(Failure) -> Input {
        let name = DPoPBinding.keyMember
        var input = self
        if !isBegun { input.document.members[DPoPBinding.thumbprintMember] = nil }
        guard try asFailure(document.isDPoPBound) else { return input }
        switch try source(of: name) {
        case nil:
            let text = try asFailure(DPoPBinding.newKey(for: DPoPBinding.algorithms(for: document)))
            input.document.members[name] = .string(text)
            secrets.register([name: .string(text)])
        case .file(_, isKept: false)?:
            for name in [name, DPoPBinding.passPhraseMember] {
                input.document.members[name] = try secret(name).map { .string($0) } ?? input.document.members[name]
            }
        case .file?, .value?, .variable?, .program?, .fetched?: break
        }
        input.document.members[DPoPBinding.thumbprintMember] = try input.binding().map { .string($0.thumbprint) }
        return input
    }
}
