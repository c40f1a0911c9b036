extension GrantFacts {
    static let deviceCode = {
        var facts = GrantFacts(type: "urn:ietf:params:oauth:grant-type:device_code", name: "device_code")
        facts.impliedBy = "device_code"
        facts.secretParameters = ["device_code"]
        facts.isSpent = true
        facts.isPolled = true
        facts.idToken = .expected
        facts.refusalHint = "a device code serves once; begin again for a new one"
        return facts
    }()
}

extension Grant {
    /// The device grant (RFC 8628 §3.4). Its scope was asked for when the code was.
    ///
    /// - Throws: `metadata_missing` for a missing `device_code`, `usage`.
    package static func deviceCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(.deviceCode, scope: try Scope(of: document))
        grant.parameters.add("device_code", try document.required("device_code"))
        try grant.parameters.addResources(of: document)
        return grant
    }
}
