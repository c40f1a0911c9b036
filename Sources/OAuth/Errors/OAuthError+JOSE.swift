internal import JOSE

extension OAuthError {
    /// What a failure of JOSE means to the protocol.
    init(_ error: JOSEError) {
        let kind: Kind =
            switch error {
            case .library, .randomness: .library
            case .encrypted, .keyUnsupported: .unsupported
            case .malformed, .decryption: .idTokenMalformed
            case .header: .idTokenHeader
            case .algorithm: .idTokenAlgorithm
            case .keyMismatch: .keySelection
            case .keyInvalid, .passPhrase: .keyInvalid
            case .keyWeak: .keyWeak
            case .signature: .signature
            }
        let hint = error == .encrypted ? "--client-key-file names the file of the key" : nil
        self.init(kind, error.description, hint: hint)
    }

    /// What is wrong with a key of the user's own, by its member.
    static func ofKey(_ error: JOSEError, in member: String) -> OAuthError {
        var failure = OAuthError(error)
        guard failure.kind != .library else { return failure }
        if failure.kind != .keyWeak { failure.kind = .usage }
        failure.message = "\(member) cannot be used: \(failure.message)"
        (failure.member, failure.origin) = (member, .document)
        return failure
    }

    /// The value of an expression of JOSE, its error turned into one of the protocol.
    ///
    /// - Parameter member: that of the user's own key, if the expression is about one.
    static func translating<Value>(
        ofKey member: String? = nil, _ value: @autoclosure () throws(JOSEError) -> Value
    ) throws(OAuthError) -> Value {
        do throws(JOSEError) { return try value() } catch {
            throw member.map { ofKey(error, in: $0) } ?? OAuthError(error)
        }
    }
}
