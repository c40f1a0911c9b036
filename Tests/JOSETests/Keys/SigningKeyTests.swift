import Testing
import Wire

@testable import JOSE

@Suite struct SigningKeyTests {
    private let payload = Array("a payload".utf8)

    @Test(
        "a generated key signs what its public half verifies, and no other key does",
        arguments: [
            SignatureAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA, .ed25519,
        ])
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey(generatedFor: algorithm)
        let ownKey = try publicKey(of: key)
        let other = try SigningKey(generatedFor: algorithm)
        let otherKey = try publicKey(of: other)
        // Numbers in signatures now and then begin with a zero byte, which must not shorten them.
        for _ in 0..<(algorithm.keyType == .rsa ? 2 : 300) {
            let signature = try JSONWebSignature(parsing: key.sign(payload, header: ["typ": .string("JWT")]))
            try signature.verify(with: ownKey, allowing: [algorithm])
            #expect(signature.payload == payload)
        }
        let signature = try JSONWebSignature(parsing: key.sign(payload))
        #expect(throws: JOSEError.signature) { try signature.verify(with: otherKey, allowing: [algorithm]) }
    }

    @Test("the header has alg, kid and what the caller adds", arguments: [SignatureAlgorithm.rs256, .es256, .edDSA])
    func header(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey(generatedFor: algorithm)
        let header = try JSONWebSignature(parsing: key.sign(payload, header: ["typ": .string("at+jwt")])).header
        let thumbprint = try publicKey(of: key).thumbprint()

        #expect(
            header == [
                "alg": .string(algorithm.rawValue), "kid": .string(thumbprint), "typ": .string("at+jwt"),
            ])
    }

    @Test("the public half has no private member, and says what it is for")
    func publicHalf() throws {
        let key = try SigningKey(generatedFor: .rs256)
        let publicKey = key.publicKey
        let members = try #require(publicKey)

        #expect(members.members.map(\.name) == ["e", "kty", "n", "kid", "alg", "use"])
        #expect(members["alg"] == .string("RS256") && members["use"] == .string("sig"))
        #expect(members["e"] == .string("AQAB"))
    }

    @Test("a shared secret signs without a kid", arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func secret(algorithm: SignatureAlgorithm) throws {
        let secret = [UInt8](repeating: 7, count: algorithm.digest.rawValue)
        let key = try SigningKey(secret: secret, algorithm: algorithm)
        let signature = try JSONWebSignature(parsing: key.sign(payload))

        try signature.verify(with: JSONWebKey(secret: secret), allowing: [algorithm])
        let publicKey = key.publicKey
        #expect(signature.keyID == nil && publicKey == nil)
        let reason = "the secret has \(secret.count - 1) bytes, but HMAC needs at least \(secret.count)"
        #expect(throws: JOSEError.keyWeak(reason)) {
            _ = try SigningKey(secret: Array(secret.dropLast()), algorithm: algorithm)
        }
    }

    @Test("a key of another kind than the algorithm's is refused")
    func mismatch() {
        #expect(throws: JOSEError.keyMismatch("HS256")) { _ = try SigningKey(generatedFor: .hs256) }
        #expect(throws: JOSEError.keyMismatch("ES256")) { _ = try SigningKey(secret: payload, algorithm: .es256) }
    }

    @Test("the algorithm that a key names is the only one for it")
    func named() throws {
        let key = try SigningKey(generatedFor: .ps256).privateKey() ?? [:]
        let text = try PrivateKeyText(JSON.object(key).text)
        #expect(try SigningKey(of: text, preferring: [.rs256, .ps256]).algorithm == .ps256)
        #expect(throws: JOSEError.keyMismatch("RS256")) { try SigningKey(of: text, preferring: [.rs256]) }
    }

    @Test(
        "of the two names of Ed25519 a key signs with the one that it says, else with the first that may be used",
        arguments: ["Ed25519", "EdDSA"])
    func ownName(name: String) throws {
        var key = try SigningKey(generatedFor: .ed25519).privateKey() ?? [:]
        for preference in [[SignatureAlgorithm.edDSA, .ed25519], [.ed25519, .edDSA]] {
            for (own, used) in [(JSON.string(name), name), (nil, preference[0].rawValue)] {
                key["alg"] = own
                let text = try PrivateKeyText(JSON.object(key).text)
                #expect(try SigningKey(of: text, preferring: preference).algorithm.rawValue == used)
            }
        }
    }

    @Test("a private number may lack the zeros at its beginning")
    func shortNumber() throws {
        // The number 1, and so the base point of the curve (FIPS 186-4 D.1.2.3).
        let key = #"""
            {"kty": "EC", "crv": "P-256", "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
            "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU", "d": "AQ"}
            """#
        let signing = try SigningKey(of: PrivateKeyText(key))
        let signature = try JSONWebSignature(parsing: signing.sign(payload))
        #expect(throws: Never.self) { try signature.verify(with: publicKey(of: signing), allowing: [.es256]) }
    }

    @Test(
        "bytes that are no ECDSA signature have no halves",
        arguments: [
            [], [0x30], [0x30, 0x00], [0x30, 0x03, 0x02, 0x01, 0x01], [0x31, 0x06, 0x02, 0x01, 1, 0x02, 0x01, 1],
            [0x30, 0x06, 0x02, 0x01, 1, 0x02, 0x02, 1], [0x30, 0x06, 0x02, 0x01, 1, 0x02, 0x01, 1, 0],
            [0x30, 0x07, 0x02, 0x01, 1, 0x02, 0x01, 1, 0], [0x30, 0x82, 0, 6, 0x02, 0x01, 1, 0x02, 0x01, 1],
            [0x30, 0x08, 0x02, 0x03, 1, 1, 1, 0x02, 0x01, 1],
        ] as [[UInt8]])
    func malformedSignature(der: [UInt8]) {
        #expect(DER.signatureHalves(der, length: 2) == nil)
    }

    @Test("the halves of a signature have their length whatever the numbers are")
    func halves() {
        #expect(DER.signatureHalves([0x30, 0x07, 0x02, 0x02, 0, 0x80, 0x02, 0x01, 1], length: 2) == [0, 0x80, 0, 1])
        #expect(
            DER.signatureHalves([0x30, 0x81, 0x06, 0x02, 0x01, 1, 0x02, 0x01, 2], length: 1) == [1, 2])
    }

    private func publicKey(of key: borrowing SigningKey) throws -> JSONWebKey {
        let members = key.publicKey
        return try JSONWebKey(#require(members))
    }
}
