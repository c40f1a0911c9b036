internal import Errands
internal import OAuth
internal import Wire

/// A kept access token that is handed to another program.
struct HandedToken {
    /// The token document as it is kept.
    let document: JSONObject
    let access: AccessToken
}

extension ManagedToken {
    /// The access token, renewed first if no more than these seconds are left of it, or than the default for nil.
    ///
    /// - Throws: as `current(minimum:)`; exit 3 for a document without an access token, exit 9 for one of a type that other
    ///   programs cannot send.
    func handed(minimum: Int?) -> Attempt<HandedToken, Failure> {
        current(minimum: minimum).onward { (kept) throws(Failure) in try handed(of: kept) }
            .reading { (handed) throws(Failure) in
                if handed.access.binding != nil { try warn(Self.bound) }
                return handed
            }
    }

    /// What a program must know that sends a bound token by itself.
    static let bound =
        "the token is bound to a key (DPoP): a request that has no proof of the key is refused; oap call makes the proof"

    /// The access token of a document as it is kept.
    ///
    /// - Throws: exit 3 or 9.
    func handed(of kept: JSONObject, options: [MemberOption] = []) throws(Failure) -> Attempt<HandedToken, Failure> {
        try input(options, members: kept).withToken().reading { (input) throws(Failure) in
            guard let token = try input.secret("access_token") else {
                throw Failure(input.document.missing("access_token"))
            }
            let binding = try input.binding()
            let access = try lift(try AccessToken(token, of: input.document, binding: binding))
            return HandedToken(document: kept, access: access)
        }
    }
}
