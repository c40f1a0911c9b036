extension AuthorizationResponse {
    /// The JWT of a callback, whose signature the caller checks; nil for a flow whose request asked for none.
    ///
    /// - Throws: `parse`, `redirect_mismatch`, `wrong_channel`, `jarm_missing` without a JWT, `duplicate_param`, what
    ///   ``JSONWebToken`` throws.
    package static func token(of callback: Callback, for flow: Document) throws(OAuthError) -> JSONWebToken? {
        let mode = try ResponseMode(of: flow)
        guard mode.isSigned else { return nil }
        let name = Callback.response
        let texts = try received(callback, for: flow).filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
        guard let text = texts.first else {
            throw OAuthError(
                .jarmMissing, "the callback is not a signed response (JARM), though the request asked for one",
                hint: "the server may not support response_mode \(mode.rawValue)", member: name)
        }
        guard texts.count == 1 else {
            throw OAuthError(.duplicateParameter, "the callback has the parameter \(name) twice", member: name)
        }
        return try JSONWebToken(parsing: text, as: .authorizationResponse)
    }

    /// Tells a redirect that is worth checking from something else that was typed.
    ///
    /// - Throws: as ``init(_:verified:for:)``.
    package static func look(at callback: Callback, for flow: Document) throws(OAuthError) {
        _ = try Self(callback, verified: try token(of: callback, for: flow), for: flow)
    }
}
