import Foundation
import Testing
import Wire

@testable import JOSE

/// Keys and signatures that programs of others made: Debian's `jose`, and `openssl` for EdDSA, which `jose` lacks.
@Suite struct IndependentJudgeTests {
    @Test(
        "what jose signs verifies, and its thumbprint is ours",
        arguments: [
            SignatureAlgorithm.hs256, .hs384, .hs512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384,
            .es512,
        ])
    func jose(algorithm: SignatureAlgorithm) throws {
        let jose = Program("jose")
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(jose.run("jwk", "gen", "-i", #"{"alg":"\#(algorithm.rawValue)"}"#), to: "key")
        let payload = try folder.write(Data("a payload".utf8), to: "payload")
        let text = String(decoding: try jose.run("jws", "sig", "-I", payload, "-k", keyFile, "-c"), as: UTF8.self)
        let thumbprint = String(decoding: try jose.run("jwk", "thp", "-i", keyFile), as: UTF8.self)
        let key = try JSONWebKey(
            #require(JSON(parsing: Array(Data(contentsOf: URL(filePath: keyFile)))).object))

        #expect(try key.thumbprint() == thumbprint.trimmingCharacters(in: .whitespacesAndNewlines))
        try expectVerified(text.trimmingCharacters(in: .whitespacesAndNewlines), key, algorithm)
    }

    @Test(
        "jose verifies what a generated key signs, and computes the same thumbprint",
        arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .es384, .es512])
    func joseVerifies(algorithm: SignatureAlgorithm) throws {
        let jose = Program("jose")
        let folder = try TemporaryFolder()
        let key = try SigningKey(generatedFor: algorithm)
        let publicKey = key.publicKey
        let keyID = key.keyID
        let keyFile = try folder.write(Data(JSON.object(#require(publicKey)).bytes), to: "key")
        let text = try folder.write(Data(key.sign(Array("a payload".utf8)).utf8), to: "jws")

        #expect(try jose.run("jws", "ver", "-i", text, "-k", keyFile, "-O-") == Data("a payload".utf8))
        let thumbprint = String(decoding: try jose.run("jwk", "thp", "-i", keyFile), as: UTF8.self)
        #expect(thumbprint.trimmingCharacters(in: .whitespacesAndNewlines) == keyID)
    }

    @Test("jose decrypts what is encrypted here, and what jose encrypts is decrypted")
    func encryption() throws {
        let jose = Program("jose")
        let folder = try TemporaryFolder()
        let key = try SymmetricKey()
        let keyFile = try folder.write(Data(JSON.object(key.members).bytes), to: "key")
        let ours = try key.encrypt(Array("a payload".utf8), header: ["x": .string("y")])
        let file = try folder.write(Data(ours.utf8), to: "jwe")
        #expect(try jose.run("jwe", "dec", "-i", file, "-k", keyFile) == Data("a payload".utf8))

        let payload = try folder.write(Data("another".utf8), to: "payload")
        let header = #"{"protected":{"alg":"dir","enc":"A256GCM","x":"z"}}"#
        let text = String(
            decoding: try jose.run("jwe", "enc", "-I", payload, "-k", keyFile, "-i", header, "-c"), as: UTF8.self)
        let theirs = try key.decrypt(text.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(theirs.content == Array("another".utf8) && theirs.header["x"] == .string("z"))

        let generated = try folder.write(jose.run("jwk", "gen", "-i", #"{"alg":"A256GCM"}"#), to: "generated")
        _ = try SymmetricKey(#require(JSON(parsing: Array(Data(contentsOf: URL(filePath: generated)))).object))
    }

    @Test(
        "what openssl signs with Ed25519 verifies under both names",
        arguments: [SignatureAlgorithm.edDSA, .ed25519])
    func openssl(algorithm: SignatureAlgorithm) throws {
        let openssl = Program("openssl")
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(openssl.run("genpkey", "-algorithm", "ed25519"), to: "key")
        let header = Base64.encodeURL(Array(#"{"alg":"\#(algorithm.rawValue)"}"#.utf8))
        let input = "\(header).\(Base64.encodeURL(Array("a payload".utf8)))"
        let inputFile = try folder.write(Data(input.utf8), to: "input")
        let signature = try openssl.run("pkeyutl", "-sign", "-inkey", keyFile, "-rawin", "-in", inputFile)
        // The last 32 bytes of a SubjectPublicKeyInfo are the key (RFC 8410 §4).
        let x = try openssl.run("pkey", "-in", keyFile, "-pubout", "-outform", "DER").suffix(32)
        let key = try JSONWebKey([
            "kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(Base64.encodeURL(x)),
        ])

        try expectVerified("\(input).\(Base64.encodeURL(signature))", key, algorithm)
    }

    @Test(
        "a PSS salt is as long as the digest, no other",
        arguments: [32, 20, 0, 222])
    func saltLength(length: Int) throws {
        let openssl = Program("openssl")
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(openssl.run("genrsa", "2048"), to: "key")
        let input = "\(Base64.encodeURL(Array(#"{"alg":"PS256"}"#.utf8)))."
        let inputFile = try folder.write(Data(input.utf8), to: "input")
        let bytes = try openssl.run(
            "dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:\(length)", "-sign",
            keyFile,
            inputFile)
        let modulus = String(decoding: try openssl.run("rsa", "-in", keyFile, "-noout", "-modulus"), as: UTF8.self)
        let digits = Array(modulus.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst().compactMap(hexadecimalValue))
        let n = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        let key = try JSONWebKey([
            "kty": .string("RSA"), "n": .string(Base64.encodeURL(n)), "e": .string("AQAB"),
        ])
        let signature = try JSONWebSignature(parsing: "\(input).\(Base64.encodeURL(bytes))")

        guard length != 32 else { return try signature.verify(with: key, allowing: [.ps256]) }
        #expect(throws: JOSEError.signature) { try signature.verify(with: key, allowing: [.ps256]) }
    }

    /// Right as it is; wrong with a bit of the signature changed, with another payload, and under any other algorithm.
    private func expectVerified(_ text: String, _ key: JSONWebKey, _ algorithm: SignatureAlgorithm) throws {
        let signature = try JSONWebSignature(parsing: text)
        #expect(signature.payload == Array("a payload".utf8))
        try signature.verify(with: key, allowing: [algorithm])

        let segments = text.split(separator: ".").map(String.init)
        var bytes = try #require(Base64.decodeURL(segments[2]))
        bytes[bytes.count / 2] ^= 1
        let payload = Base64.encodeURL(Array("b payload".utf8))
        for changed in [
            "\(segments[0]).\(segments[1]).\(Base64.encodeURL(bytes))", "\(segments[0]).\(payload).\(segments[2])",
        ] {
            let changed = try JSONWebSignature(parsing: changed)
            #expect(throws: JOSEError.signature) { try changed.verify(with: key, allowing: [algorithm]) }
        }
        let others = Set(SignatureAlgorithm.allCases.filter { !$0.isNamed(algorithm.rawValue) })
        #expect(throws: JOSEError.algorithm(algorithm.rawValue)) { try signature.verify(with: key, allowing: others) }
    }
}
