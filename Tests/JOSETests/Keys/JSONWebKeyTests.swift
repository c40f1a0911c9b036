import TestSupport
import Testing
import Wire

@testable import JOSE

@Suite struct JSONWebKeyTests {
    @Test(
        "jwk_thumbprint: the thumbprint of a key is that of the case",
        arguments: try VectorGroup("jwk_thumbprint").cases)
    func thumbprints(vector: VectorCase) throws {
        let key = try JSONWebKey(#require(vector["jwk"]?.object))
        #expect(try key.thumbprint() == vector["thumbprint"]?.string)
    }

    @Test(
        "signing_keys: a private key has the thumbprint of its public half, and its published signature verifies",
        arguments: try VectorGroup("signing_keys").cases)
    func signingKeys(vector: VectorCase) throws {
        let members = try #require(vector["jwk"]?.object)
        var publicMembers = members
        publicMembers.remove(["d", "p", "q", "dp", "dq", "qi"])
        let key = try JSONWebKey(members)
        #expect(try key.thumbprint() == JSONWebKey(publicMembers).thumbprint())
        // The published signatures of RFC 7515 and RFC 8037 verify with the public part of these keys.
        let examples = [
            "hs": "rfc7515-A.1-HS256", "rsa": "rfc7515-A.2-RS256", "p256": "rfc7515-A.3-ES256",
            "p521": "rfc7515-A.4-ES512", "ed25519": "rfc8037-A.4-EdDSA",
        ]
        let example = try VectorGroup("jws_verify").case(named: #require(examples[vector.id]))
        let signature = try JSONWebSignature(parsing: #require(example["jws"]?.string))
        try signature.verify(with: key, allowing: Set(SignatureAlgorithm.allCases))
    }

    @Test("zeros before the RSA modulus change neither the key nor its thumbprint")
    func leadingZero() throws {
        let members = try #require(VectorGroup("signing_keys").case(named: "rsa")["jwk"]?.object)
        var padded = members
        let modulus = try #require(members["n"]?.string.flatMap { Base64.decodeURL($0) })
        padded["n"] = .string(Base64.encodeURL([0, 0] + modulus))
        #expect(try JSONWebKey(padded).thumbprint() == JSONWebKey(members).thumbprint())
    }

    @Test("RSA is counted in bits, not in the bytes it is written with", arguments: [1024, 2047, 2048, 16384, 16385])
    func modulusLength(bits: Int) throws {
        var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
        modulus[0] >>= UInt8(modulus.count * 8 - bits)
        let members: JSONObject = [
            "kty": .string("RSA"), "n": .string(Base64.encodeURL([0] + modulus)), "e": .string("AQAB"),
        ]
        switch bits {
        case ..<2048:
            let error = #expect(throws: JOSEError.self) { try JSONWebKey(members) }
            guard case .keyWeak? = error else { throw try #require(error) }
        case ...16384: _ = try JSONWebKey(members)
        default: try expectInvalid(members)
        }
    }

    @Test("an RSA exponent of one, or an even one, or none is refused", arguments: ["AQ", "AAE", "AQAA", "", "AA"])
    func exponent(text: String) throws {
        var members = try #require(VectorGroup("signing_keys").case(named: "rsa")["jwk"]?.object)
        members["e"] = .string(text)
        try expectInvalid(members)
    }

    @Test("coordinates must be as long as the curve says", arguments: ["p256", "p521", "ed25519"])
    func coordinateLength(id: String) throws {
        let members = try #require(VectorGroup("signing_keys").case(named: id)["jwk"]?.object)
        let x = try #require(members["x"]?.string.flatMap { Base64.decodeURL($0) })
        for wrong in [[0] + x, Array(x.dropLast()), []] {
            var changed = members
            changed["x"] = .string(Base64.encodeURL(wrong))
            try expectInvalid(changed)
        }
    }

    @Test(
        "an Ed25519 key of small order is refused, however it is spelled",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(hexadecimal: String) throws {
        var point = stride(from: 0, to: 64, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
        #expect(point.count == 32)
        for _ in ["one sign", "the other"] {
            try expectInvalid([
                "kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(Base64.encodeURL(point)),
            ])
            point[31] ^= 0x80
        }
        // One bit away it is another point, and only libcrypto says whether there is one.
        point[7] ^= 0x10
        _ = try JSONWebKey(["kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(Base64.encodeURL(point))])
    }

    @Test(
        "members that are missing or no base64url are refused",
        arguments: [
            ("rsa", "n"), ("rsa", "e"), ("p256", "x"), ("p256", "y"), ("p256", "crv"), ("ed25519", "x"),
            ("ed25519", "crv"),
            ("hs", "k"), ("rsa", "kty"),
        ])
    func missingMember(id: String, name: String) throws {
        var members = try #require(VectorGroup("signing_keys").case(named: id)["jwk"]?.object)
        members[name] = nil
        try expectInvalid(members)
        members[name] = .integer(1)
        try expectInvalid(members)
        guard !["crv", "kty"].contains(name) else { return }
        members[name] = .string("+/==")
        try expectInvalid(members)
    }

    @Test(
        "types and curves that are not known are told apart from broken keys",
        arguments: [
            ["kty": "AKP"], ["kty": "EC", "crv": "secp256k1"], ["kty": "OKP", "crv": "X25519"],
            ["kty": "O\u{212A}P", "crv": "Ed25519"],
        ])
    func unsupported(members: [String: String]) throws {
        let object = JSONObject(unique: members.map { .init(name: $0.key, value: .string($0.value)) })
        let error = #expect(throws: JOSEError.self) { try JSONWebKey(object) }
        guard case .keyUnsupported? = error else { throw try #require(error) }
    }

    @Test(
        "a point that is not on its curve verifies nothing",
        arguments: [
            ("p256", "rfc7515-A.3-ES256"), ("p521", "rfc7515-A.4-ES512"),
        ])
    func pointOffTheCurve(id: String, example: String) throws {
        var members = try #require(VectorGroup("signing_keys").case(named: id)["jwk"]?.object)
        var y = try #require(members["y"]?.string.flatMap { Base64.decodeURL($0) })
        y[y.count - 1] ^= 1
        members["y"] = .string(Base64.encodeURL(y))
        let text = try #require(VectorGroup("jws_verify").case(named: example)["jws"]?.string)
        let key = try JSONWebKey(members)
        let error = #expect(throws: JOSEError.self) {
            try JSONWebSignature(parsing: text).verify(with: key, allowing: [.es256, .es512])
        }
        guard case .keyInvalid? = error else { throw try #require(error) }
    }

    private func expectInvalid(_ members: JSONObject) throws {
        let error = #expect(throws: JOSEError.self) { try JSONWebKey(members) }
        guard case .keyInvalid? = error else { throw try #require(error) }
    }
}
