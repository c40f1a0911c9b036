internal import JOSE
internal import Wire

extension Client {
    /// Takes the algorithms of responses from checked metadata. A value that is not supported leaves the default: RS256
    /// for ID tokens, and no protection.
    mutating func setProtection(from asked: JSONObject) throws(Refusal) {
        for response in ProtectedResponse.allCases {
            let name = try Self.string(response.signingMember, of: asked) ?? ""
            signatures[response] = SigningKeys.algorithms.first { $0.rawValue.isIdentical(to: name) }
            encryptions[response] = try Self.encryption(of: response, asked)
        }
        idTokenAlgorithm = signatures[.idToken] ?? .rs256
        guard keySetURL == nil, let missing = encryptions.first(where: { key(for: $0.value) == nil }) else { return }
        let name = missing.key.encryptionMembers.algorithm
        throw .invalidMetadata("\(name) needs a public key for \(missing.value.algorithm) in jwks, or a jwks_uri")
    }

    private static func encryption(
        of response: ProtectedResponse, _ asked: JSONObject
    ) throws(Refusal) -> TokenEncryption? {
        let names = response.encryptionMembers
        let content = try string(names.content, of: asked)
        guard let algorithm = try string(names.algorithm, of: asked) else {
            guard content == nil else { throw .invalidMetadata("\(names.content) needs \(names.algorithm)") }
            return nil
        }
        let standard = "A128CBC-HS256"
        return TokenEncryption(algorithm: algorithm, encryption: content ?? standard)
            ?? TokenEncryption(algorithm: algorithm, encryption: standard)
    }

    /// The metadata of the protection as it was registered.
    func describeProtection(in members: inout JSONObject) {
        for response in ProtectedResponse.allCases {
            members[response.signingMember] = signs(response).map { .string($0.rawValue) }
            let (encryption, names) = (encryptions[response], response.encryptionMembers)
            members[names.algorithm] = encryption.map { .string($0.algorithm) }
            members[names.content] = encryption.map { .string($0.encryption) }
        }
    }
}

extension Client {
    /// The algorithm that signs a response; nil for none.
    func signs(_ response: ProtectedResponse) -> SignatureAlgorithm? {
        signatures[response] ?? (response == .userinfo ? nil : idTokenAlgorithm)
    }

    /// The key for what is encrypted for the client; nil if it has none that fits.
    func key(for encryption: TokenEncryption) -> JSONObject? { keys.first(where: encryption.fits) }

    /// Whether the keys of the client must be fetched before a response to it can be encrypted.
    var lacksEncryptionKey: Bool { encryptions.values.contains { key(for: $0) == nil } }
}

extension SandboxServer {
    /// Makes the keys that sign for a client.
    func prepareKeys(for client: Client) throws(Refusal) {
        for response in ProtectedResponse.allCases {
            if let algorithm = client.signs(response) { try keys.prepare(algorithm) }
        }
    }

    /// Claims as the client wants them: signed, encrypted, or both, one in the other; nil for neither.
    func protect(_ claims: JSONObject, _ response: ProtectedResponse, for client: Client) throws(Refusal) -> String? {
        let signed = try client.signs(response).map { (algorithm) throws(Refusal) in
            try keys.sign(claims, algorithm: algorithm)
        }
        guard let encryption = client.encryptions[response] else { return signed }
        guard let key = client.key(for: encryption) else {
            let name = response.encryptionMembers.algorithm
            let failure = client.keyFailure.map { ": \($0)" } ?? ""
            throw .serverError("the client has no key for \(encryption.algorithm) of \(name)\(failure)")
        }
        do throws(JOSEError) {
            return try encryption.encrypt(
                signed.map { Array($0.utf8) } ?? JSON.object(claims).bytes, for: key,
                header: signed == nil ? [:] : ["cty": .string("JWT")])
        } catch {
            throw .serverError("the response cannot be encrypted with the key of the client")
        }
    }
}
