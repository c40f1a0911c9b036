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
        arguments: ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"], JSONWebEncryption.encryptions)
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
        arguments: JSONWebEncryption.algorithms, JSONWebEncryption.encryptions)
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

    @Test("what was changed is not decrypted, whichever part it is", arguments: JSONWebEncryption.encryptions)
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
            #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM"}"#, #"{"alg":"ECDH-ES","enc":"A256CTR"}"#,
            #"{"alg":"ECDH-ES","enc":"A128GCM","zip":"DEF"}"#, #"{"alg":"ECDH-ES","enc":"A128GCM","crit":["x"]}"#,
            "[]", "{}",
        ])
    func refused(header: String) throws {
        let vector = Base64.encodeURL([UInt8](repeating: 0, count: 12))
        let tag = Base64.encodeURL([UInt8](repeating: 0, count: 16))
        let text = "\(Base64.encodeURL(Array(header.utf8)))..\(vector)..\(tag)"
        #expect(throws: JOSEError.self) { try JSONWebEncryption(parsing: text) }
    }

    @Test("the algorithms are those of RFC 7518, and the message names one that is not supported")
    func names() throws {
        #expect(
            JSONWebEncryption.encryptions == [
                "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM",
            ])
        #expect(
            JSONWebEncryption.algorithms == [
                "RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW",
            ])
        let headers = [
            (#"{"alg":"RSA1_5","enc":"A128GCM"}"#, #"the JWT header has alg "RSA1_5", which is not supported"#),
            (#"{"alg":"ECDH-ES","enc":"A256CTR"}"#, #"the JWT header has enc "A256CTR", which is not supported"#),
            (#"{"alg":"ECDH-ES"}"#, "the JWT header has no enc, which is not supported"),
        ]
        for (header, message) in headers {
            let text = "\(Base64.encodeURL(Array(header.utf8)))...."
            let error = #expect(throws: JOSEError.self) { try JSONWebEncryption(parsing: text) }
            #expect(error?.description == message)
        }
    }

    @Test(
        "RFC 7518 appendix B: the examples of AES-CBC with HMAC",
        arguments: [
            ("A128CBC-HS256", "652c3fa36b0a7c5b3219fab3a30bc1c4"),
            ("A192CBC-HS384", "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"),
            ("A256CBC-HS512", "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"),
        ])
    func appendixB(name: String, tag: String) throws {
        let encryption = try #require(ContentEncryption(named: name))
        let text =
            "A cipher system must not be required to be secret, and it must be able to fall into the hands of the "
            + "enemy without inconvenience"
        let key = (0..<UInt8(encryption.keyLength)).map { $0 }
        let vector: [UInt8] = [
            0x1A, 0xF3, 0x8C, 0x2D, 0xC2, 0xB9, 0x6F, 0xFD, 0xD8, 0x66, 0x94, 0x09, 0x23, 0x41, 0xBC, 0x04,
        ]
        let associated = Array("The second principle of Auguste Kerckhoffs".utf8)
        let made = try encryption.seal(Array(text.utf8), key: key, vector: vector, associated: associated)
        #expect(made.tag.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == tag)
        let opened = encryption.open(
            made.ciphertext, tag: made.tag, key: key, vector: vector, associated: associated)
        #expect(opened == Array(text.utf8))
    }

    /// Made for one key: by joserfc, whose shared secret begins with a zero, and by librhonabwy 1.1.11, which leaves out the
    /// zeros at the beginning of the secret, of a coordinate of its key, or of the other one.
    @Test(
        "numbers that begin with a zero byte are read at full length, and as librhonabwy writes them",
        arguments: [
            "eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJjcnYiOiJQLTI1NiIsIngiOiJPdS1yc2gyaVMtNFhm"
                + "YmJXNkVUVmJ4M0c4X0JGWUFZX1lHNTVzaENLNlhBIiwieSI6Ijg1ZVhWV040eVM1akIzTEJ3alhDanB2Q1VSMXNpNXV3Sk44"
                + "aVJqVHpYOVUiLCJrdHkiOiJFQyJ9fQ..y3ZBqLqdW5xO8Dxi.ZulBPWNRL96t.OKDXQnq8dpZEi5WfGXgJ5Q",
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IlRvWlhaNkh4QkpXRXhyN1BhVHQ0"
                + "Wmd2TWJOd3hSb09GN01maU9ldWpSQ0EiLCJ5IjoidHY4QkNUQmQ5QlBHaXNySXhUTHRhdTJXemtRdmFhREI3ajRja1lmSEtF"
                + "ZyIsImNydiI6IlAtMjU2In0sImVuYyI6IkExMjhDQkMtSFMyNTYifQ..GIZpLBG-9141b8ymVSQnMA.HB0kndr9QeuyzKGVn"
                + "0tSaA.wyySB7W9c50oBCk20AZo0g",
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImVwayI6eyJrdHkiOiJFQyIsIngiOiI4ZF80UGRrSXR6MW8w"
                + "NEJwUXNiOU5NVVM1MDUwdWZUN28xZEItZG5IczlrIiwieSI6IkZrT2o5TDF5UElOUTNiSG42cmxkN05YdDZLdkt0Y2ZiXy1l"
                + "eUptV0pmenciLCJjcnYiOiJQLTI1NiJ9LCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0.9osy8iQN54pCpiZZgohZZD42l8WLlW80"
                + "fW0Gr4jpBlplGMihVxkaig.esRvWZ4CAA-FCIAJSl5_Yw.1tVuuVm8q4jNtd5uApRIoA.Mqsm_BsBn4kHsuXZBLbwKA",
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IkhVbGl5eEE3THphMWZvT1J5clMy"
                + "UVhBQnJMSlBOZ1dvQUpxa25rdVp5dyIsInkiOiJ2LWJlVEdOUHNPYTBvTUdVeVpUc3RNb0xjdG8xZXVqQTR4T1hsc0ZsNlJR"
                + "IiwiY3J2IjoiUC0yNTYifSwiZW5jIjoiQTEyOEdDTSJ9..MnIeKCw2PMjECQYk.vck.zlsMYHaMkUZAT6xL8AGFNA",
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFQ0RILUVTIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6IjQ2OGU3UDBMVWtWdGZ6M00xTV9a"
                + "QlloOFBrVDV3VThYX21zRnlQZHJqeU0iLCJ5IjoiZzV0bEpLNWRYcG91OVlHd09GYVNVdjRZbGRoOXkyRkdUYmZiRDFUZDVn"
                + "IiwiY3J2IjoiUC0yNTYifSwiZW5jIjoiQTEyOEdDTSJ9..hVn6a6e3ZywrbW3Q.7H8.rmfIUx12VD3Myu17beN5zw",
        ])
    func zeros(jwe: String) throws {
        let text = try PrivateKeyText(
            #"""
            {"kty": "EC", "crv": "P-256", "x": "zDuyY54Pke3As5NOf4kGLGuxe5V7T4ZtJi4PRno7h18",
            "y": "qLyS_caiEhIYNsVvaStuiVJmgmw54PGIHqYQc19Y0Vg", "d": "lsRxLLaNALlNwSq59uJ2HZ8notITVQAavBFuRRhNSco"}
            """#)
        #expect(try !JSONWebEncryption(parsing: jwe).decrypt(with: text, passPhrase: nil).isEmpty)
        let parts = jwe.split(separator: ".", omittingEmptySubsequences: false)
        let other = parts.dropLast().joined(separator: ".") + "." + Base64.encodeURL([UInt8](repeating: 1, count: 16))
        #expect(throws: JOSEError.decryption) {
            try JSONWebEncryption(parsing: other).decrypt(with: text, passPhrase: nil)
        }
    }

    @Test("a point that is not on its curve, and one of another curve, are refused")
    func foreignPoints() throws {
        let made = try Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"P-256"}"#)
        let text = try PrivateKeyText(String(decoding: made, as: UTF8.self))
        let vector = Base64.encodeURL([UInt8](repeating: 0, count: 12))
        let tag = Base64.encodeURL([UInt8](repeating: 0, count: 16))
        let other = try #require(
            JSON(parsing: Array(Program("jose").run("jwk", "gen", "-i", #"{"kty":"EC","crv":"P-384"}"#))).object)
        let foreign = JSON.object(JSONObject(unique: other.members.filter { $0.name != "d" && $0.name != "key_ops" }))
            .text
        let point = { (lengths: Int...) in
            let texts = lengths.map { Base64.encodeURL([UInt8](repeating: 1, count: $0)) }
            return #"{"kty":"EC","crv":"P-256","x":"\#(texts[0])","y":"\#(texts[1])"}"#
        }
        for key in [point(32, 32), point(33, 32), point(32, 33), point(0, 32), foreign, "1"] {
            let header = #"{"alg":"ECDH-ES","enc":"A128GCM","epk":\#(key)}"#
            let jwe = "\(Base64.encodeURL(Array(header.utf8)))..\(vector)..\(tag)"
            #expect(throws: JOSEError.self) {
                try JSONWebEncryption(parsing: jwe).decrypt(with: text, passPhrase: nil)
            }
        }
    }
}
