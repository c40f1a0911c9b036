extension Grant.Kind {
    package static let deviceCode: Grant.Kind = .init(
        type: "urn:ietf:params:oauth:grant-type:device_code", name: "device_code",
        make: { document, _ throws(OAuthError) in try Grant.deviceCode(document) },
        impliedBy: "device_code", secretParameters: ["device_code"], isOfPerson: true, isSpent: true, isPolled: true,
        idToken: .expected, refusalHint: "a device code works only once; begin the login again to get a new one",
        lossHint: "the device code may be used up; begin the login again")
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
