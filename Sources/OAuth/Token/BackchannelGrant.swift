extension Grant.Kind {
    package static let ciba: Grant.Kind = .init(
        type: "urn:openid:params:grant-type:ciba", name: "ciba",
        make: { document, _ throws(OAuthError) in try Grant.ciba(document) },
        impliedBy: "auth_req_id", secretParameters: ["auth_req_id"], isOfPerson: true, isSpent: true, isPolled: true,
        idToken: .expected, refusalHint: "an auth_req_id works only once; begin the login again to get a new one",
        lossHint: "the auth_req_id may be used up; begin the login again")
}

extension Grant {
    /// The grant of a login without a page (OpenID Connect CIBA Core §10.1). Its scope was requested when the login began.
    ///
    /// - Throws: `metadata_missing` for a missing `auth_req_id`, `usage`.
    static func ciba(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(.ciba, scope: try Scope(of: document))
        grant.parameters.add("auth_req_id", try document.required("auth_req_id"))
        return grant
    }
}
