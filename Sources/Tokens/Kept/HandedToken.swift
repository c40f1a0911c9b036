package import Errands
package import OAuth
package import Wire
package import Shell

/// A kept access token that is handed to another program.
package struct HandedToken {
    /// The token document as it is kept.
    package let document: JSONObject
    package let access: AccessToken

    /// When it ends, in seconds since 1970; nil if unknown.
    package var expiresAt: Int? { (try? RefreshDecision(of: Document(document)))?.expiresAt }
}

extension ManagedToken {
    /// The access token, or the ID token by its own end, renewed first if no more than these seconds are left of it, or than the default for nil.
    ///
    /// - Throws: as `current(minimum:)`; exit 3 for a document without an access token, exit 9 for one of a type that other
    ///   programs cannot send; for the ID token as `idToken(minimum:)`.
    package func handed(minimum: Int?, isIDToken: Bool = false) -> Attempt<HandedToken, Failure> {
        usable(minimum: minimum, isIDToken: isIDToken).reading { (token) throws(Failure) in
            transport.note()
            return token
        }
    }

    /// The same token, before it is handed out.
    func usable(minimum: Int?, isIDToken: Bool) -> Attempt<HandedToken, Failure> {
        guard !isIDToken else { return idToken(minimum: minimum) }
        return current(minimum: minimum).onward { (kept) throws(Failure) in try handed(of: kept) }
            .reading { (handed) throws(Failure) in
                if handed.access.binding != nil { try warn(Self.bound) }
                return handed
            }
    }

    /// What a program must know that sends a bound token by itself.
    package static let bound =
        "the token is bound to a key (DPoP): a request that has no proof of the key is refused; oap call makes the proof"

    /// The access token of a document as it is kept.
    ///
    /// - Throws: exit 3 or 9.
    package func handed(of kept: JSONObject, options: [MemberOption] = []) throws(Failure) -> Attempt<
        HandedToken, Failure
    > {
        try input(options, members: kept).withToken().reading { (input) throws(Failure) in
            HandedToken(document: kept, access: try input.accessToken())
        }
    }
}
