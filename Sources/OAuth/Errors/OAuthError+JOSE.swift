internal import JOSE

extension OAuthError {
    /// What a failure of JOSE means to the protocol.
    init(_ error: JOSEError) {
        let kind: Kind =
            switch error {
            case .library, .randomness: .library
            case .encrypted, .keyUnsupported: .unsupported
            case .malformed: .idTokenMalformed
            case .header: .idTokenHeader
            case .algorithm: .idTokenAlgorithm
            case .keyMismatch: .keySelection
            case .keyInvalid, .passPhrase: .keyInvalid
            case .keyWeak: .keyWeak
            case .signature: .signature
            }
        self.init(kind, error.description)
    }

    /// The value of an expression of JOSE, its error turned into one of the protocol.
    static func translating<Value>(
        _ value: @autoclosure () throws(JOSEError) -> Value
    ) throws(OAuthError) -> Value {
        do throws(JOSEError) { return try value() } catch { throw OAuthError(error) }
    }
}
