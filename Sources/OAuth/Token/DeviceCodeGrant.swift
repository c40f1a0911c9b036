extension Grant.Kind {
    package static let deviceCode: Grant.Kind = {
        let type = "urn:ietf:params:oauth:grant-type:device_code"
        var kind = Grant.Kind(type, name: "device_code") { document, _ throws(OAuthError) in
            try Grant.deviceCode(document)
        }
        kind.impliedBy = "device_code"
        kind.secretParameters = ["device_code"]
        kind.isOfPerson = true
        kind.isSpent = true
        kind.isPolled = true
        kind.idToken = .expected
        kind.refusalHint = "a device code works only once; begin the login again to get a new one"
        kind.lossHint = "the device code may be used up; begin the login again"
        return kind
    }()
}

extension Grant {
    /// The device grant (RFC 8628 §3.4). Its scope was requested with the device code.
    ///
    /// - Throws: `metadata_missing` for a missing `device_code`, `usage`.
    static func deviceCode(_ document: Document) throws(OAuthError) -> Grant {
        var grant = Grant(.deviceCode, scope: try Scope(of: document))
        grant.parameters.add("device_code", try document.required("device_code"))
        try grant.parameters.addResources(of: document)
        return grant
    }
}
