extension Grant.Kind {
    package static let deviceCode = polled(
        type: "urn:ietf:params:oauth:grant-type:device_code", name: "device_code", with: "device_code",
        called: "device code")

    /// A grant that is polled for: with a code of which the user decides elsewhere, and which works once. Its scope was
    /// requested with the code.
    ///
    /// - Parameters:
    ///   - member: the member and parameter that has the code.
    ///   - noun: what people call it.
    static func polled(type: String, name: String, with member: String, called noun: String) -> Grant.Kind {
        .init(
            type: type, name: name,
            make: { document, _ throws(OAuthError) in
                var grant = Grant(Grant.Kind(named: name), scope: try Scope(of: document))
                grant.parameters.add(member, try document.required(member))
                try grant.parameters.addResources(of: document)
                return grant
            },
            impliedBy: member, secretParameters: [member], isOfPerson: true, isSpent: true, isPolled: true,
            idToken: .expected, refusalHint: "a \(noun) works only once; begin the login again to get a new one",
            lossHint: "the \(noun) may be used up; begin the login again")
    }
}

extension Grant.Kind {
    /// The grant of a login without a page (OpenID Connect CIBA Core §10.1).
    package static let ciba = polled(
        type: "urn:openid:params:grant-type:ciba", name: "ciba", with: "auth_req_id", called: "login request")
}
