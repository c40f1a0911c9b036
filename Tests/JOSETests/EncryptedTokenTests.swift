import Foundation
import Testing
import Wire

@testable import JOSE

/// What jose and openssl encrypt for a key.
@Suite struct EncryptedTokenTests {
    private let folder: TemporaryFolder
    private let payload = Array("a payload".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func jwe(_ header: String, for key: String) throws -> String {
        let content = try folder.write(Data(payload), to: "payload")
        let text = try Program("jose").run(
            "jwe", "enc", "-I", content, "-k", key, "-i", #"{"protected":\#(header)}"#, "-c")
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "ECDH-ES of jose, alone and with key wrapping, on each curve, with each content encryption",
        arguments: ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"], ["A128CBC-HS256", "A128GCM", "A256GCM"])
    func ecdh(algorithm: String, encryption: String) throws {
        for curve in ["P-256", "P-384", "P-521"] {
            let made = try Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"\#(curve)"}"#)
            let file = try folder.write(made, to: "key")
            let text = try PrivateKeyText(String(decoding: made, as: UTF8.self))
            for more in ["", #","apu":"QWxpY2U","apv":"Qm9i""#] {
                let jwe = try jwe(#"{"alg":"\#(algorithm)","enc":"\#(encryption)"\#(more)}"#, for: file)
                #expect(try JSONWebEncryption(parsing: jwe).decrypt(with: text, passPhrase: nil) == payload)
            }
        }
    }

    /// The `jose` of Debian lacks OAEP.
    @Test(
        "what is encrypted here is opened, by jose too for a key on a curve",
        arguments: ["RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"],
        ["A128CBC-HS256", "A128GCM", "A256GCM"])
    func made(algorithm: String, encryption: String) throws {
        let encryption = try #require(TokenEncryption(algorithm: algorithm, encryption: encryption))
        let isRSA = algorithm.hasPrefix("RSA")
        let curves = ["P-256", "P-384", "P-521"].map { #"{"kty":"EC","crv":"\#($0)","kid":"a"}"# }
        for kind in isRSA ? [#"{"kty":"RSA","bits":2048,"kid":"a"}"#] : curves {
            let made = try Program("jose").run("jwk", "gen", "-i", kind)
            let key = try #require(JSON(parsing: Array(made)).object)
            #expect(encryption.fits(key))
            let jwe = try encryption.encrypt(payload, for: key, header: ["cty": .string("JWT")])
            let parsed = try JSONWebEncryption(parsing: jwe)
            #expect(parsed.header["kid"] == .string("a") && parsed.header["cty"] == .string("JWT"))
            let text = try PrivateKeyText(String(decoding: made, as: UTF8.self))
            #expect(try parsed.decrypt(with: text, passPhrase: nil) == payload)
            if !isRSA {
                let (file, jwe) = (try folder.write(made, to: "key"), try folder.write(Data(jwe.utf8), to: "jwe"))
                #expect(try Program("jose").run("jwe", "dec", "-i", jwe, "-k", file) == Data(payload))
            }
            let other = isRSA ? "ECDH-ES" : "RSA-OAEP"
            let foreign = try #require(TokenEncryption(algorithm: other, encryption: "A128GCM"))
            #expect(!foreign.fits(key))
            #expect(throws: JOSEError.keyMismatch(other)) { try foreign.encrypt(payload, for: key) }
        }
    }

    @Test("of several keys the one that the kid names decrypts, else the one that fits")
    func chosen() throws {
        let made = try ["a", "b"].map { kid in
            try Program("jose").run(
                "jwk", "gen", "-i", #"{"kty":"EC","crv":"P-256","kid":"\#(kid)","use":"enc"}"#)
        }
        let rsa = try Program("jose").run("jwk", "gen", "-i", #"{"kty":"RSA","bits":2048,"use":"enc"}"#)
        let keys = (made + [rsa]).map { String(decoding: $0, as: UTF8.self) }
        let set = try PrivateKeyText(#"{"keys":[\#(keys.joined(separator: ","))]}"#)
        let file = try folder.write(made[1], to: "key")
        for named in ["", #","kid":"b""#, #","kid":"unknown""#] {
            let jwe = try jwe(#"{"alg":"ECDH-ES","enc":"A128GCM"\#(named)}"#, for: file)
            #expect(try JSONWebEncryption(parsing: jwe).decrypt(with: set, passPhrase: nil) == payload)
        }
        let other = try jwe(#"{"alg":"ECDH-ES","enc":"A128GCM","kid":"a"}"#, for: file)
        #expect(throws: JOSEError.decryption) {
            try JSONWebEncryption(parsing: other).decrypt(with: set, passPhrase: nil)
        }
        try JSONWebEncryption.check(set, passPhrase: nil, for: "RSA-OAEP")
        #expect(throws: JOSEError.keyMismatch("RSA-OAEP")) {
            try JSONWebEncryption.check(PrivateKeyText(keys[0]), passPhrase: nil, for: "RSA-OAEP")
        }
    }

    /// A JWE whose content key openssl has encrypted with OAEP.
    private func rsa(_ algorithm: String, for key: String) throws -> String {
        let secret = try SymmetricKey()
        let file = try folder.write(Data(secret.bytes), to: "secret")
        let digest = algorithm == "RSA-OAEP" ? "sha1" : "sha256"
        let wrapped = try Program("openssl").run(
            "pkeyutl", "-encrypt", "-inkey", key, "-in", file, "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt",
            "rsa_oaep_md:\(digest)", "-pkeyopt", "rsa_mgf1_md:\(digest)")
        return try JSONWebEncryption.seal(
            payload, algorithm, .gcm256, header: [:], key: secret.bytes, encryptedKey: Array(wrapped))
    }

    @Test("RSA-OAEP of openssl, with both digests", arguments: ["RSA-OAEP", "RSA-OAEP-256"])
    func oaep(algorithm: String) throws {
        let pem = try Program("openssl").run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        let file = try folder.write(pem, to: "rsa")
        let jwe = try rsa(algorithm, for: file)
        let text = try PrivateKeyText(String(decoding: pem, as: UTF8.self))
        #expect(try JSONWebEncryption(parsing: jwe).decrypt(with: text, passPhrase: nil) == payload)
        let other = try Program("openssl").run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        #expect(throws: JOSEError.decryption) {
            try JSONWebEncryption(parsing: jwe)
                .decrypt(with: PrivateKeyText(String(decoding: other, as: UTF8.self)), passPhrase: nil)
        }
    }

    @Test("what was changed is not decrypted, whichever part it is", arguments: ["A128CBC-HS256", "A256GCM"])
    func changed(encryption: String) throws {
        let made = try Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"P-256"}"#)
        let text = try PrivateKeyText(String(decoding: made, as: UTF8.self))
        let file = try folder.write(made, to: "key")
        let jwe = try jwe(#"{"alg":"ECDH-ES+A128KW","enc":"\#(encryption)"}"#, for: file)
        let parts = jwe.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for place in 1...4 {
            var bytes = try #require(Base64.decodeURL(parts[place]))
            bytes[bytes.count / 2] ^= 1
            var other = parts
            other[place] = Base64.encodeURL(bytes)
            #expect(throws: JOSEError.decryption, "\(place)") {
                try JSONWebEncryption(parsing: other.joined(separator: ".")).decrypt(with: text, passPhrase: nil)
            }
        }
    }

    @Test(
        "other algorithms, compression and what is no JWE are refused",
        arguments: [
            #"{"alg":"RSA1_5","enc":"A128GCM"}"#, #"{"alg":"dir","enc":"A128GCM"}"#,
            #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM"}"#, #"{"alg":"ECDH-ES","enc":"A256CBC-HS512"}"#,
            #"{"alg":"ECDH-ES","enc":"A128GCM","zip":"DEF"}"#, #"{"alg":"ECDH-ES","enc":"A128GCM","crit":["x"]}"#,
            "[]", "{}",
        ])
    func refused(header: String) throws {
        let vector = Base64.encodeURL([UInt8](repeating: 0, count: 12))
        let tag = Base64.encodeURL([UInt8](repeating: 0, count: 16))
        let text = "\(Base64.encodeURL(Array(header.utf8)))..\(vector)..\(tag)"
        #expect(throws: JOSEError.self) { try JSONWebEncryption(parsing: text) }
    }

    @Test("a point that is not on its curve, and one of another curve, are refused")
    func foreignPoints() throws {
        let made = try Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"P-256"}"#)
        let text = try PrivateKeyText(String(decoding: made, as: UTF8.self))
        let vector = Base64.encodeURL([UInt8](repeating: 0, count: 12))
        let tag = Base64.encodeURL([UInt8](repeating: 0, count: 16))
        let zero = Base64.encodeURL([UInt8](repeating: 1, count: 32))
        let other = try #require(
            JSON(parsing: Array(Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"P-384"}"#))).object)
        let foreign = JSON.object(JSONObject(unique: other.members.filter { $0.name != "d" && $0.name != "key_ops" }))
            .text
        for key in [#"{"kty":"EC","crv":"P-256","x":"\#(zero)","y":"\#(zero)"}"#, foreign, "1"] {
            let header = #"{"alg":"ECDH-ES","enc":"A128GCM","epk":\#(key)}"#
            let jwe = "\(Base64.encodeURL(Array(header.utf8)))..\(vector)..\(tag)"
            #expect(throws: JOSEError.self) {
                try JSONWebEncryption(parsing: jwe).decrypt(with: text, passPhrase: nil)
            }
        }
    }
}
