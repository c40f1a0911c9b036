import TestSupport
import Testing
import Wire

@testable import JOSE

@Suite struct JSONWebSignatureTests {
    @Test(
        "jws_verify: a signature is accepted or refused as the case says",
        arguments: try VectorGroup("jws_verify").cases)
    func vectors(vector: VectorCase) throws {
        let text = try #require(vector["jws"]?.string)
        var allowed = SignatureAlgorithm.asymmetric
        if vector.id == "rfc7515-A.1-HS256" { allowed.insert(.hs256) }
        let verify = { () throws(JOSEError) in
            let signature = try JSONWebSignature(parsing: text)
            let key = try vector["jwk"]?.object.map { (object) throws(JOSEError) in try JSONWebKey(object) }
            try signature.verify(with: key ?? JSONWebKey(secret: []), allowing: allowed)
        }
        if vector["valid"] == .bool(true) {
            try verify()
        } else {
            let error = #expect(throws: JOSEError.self) { try verify() }
            #expect(error.map(kind) == vector["kind"]?.string)
        }
    }

    @Test("a changed payload is noticed, not only a changed signature")
    func changedPayload() throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc7515-A.3-ES256")
        let segments = try #require(vector["jws"]?.string).split(separator: ".")
        let payload = Base64.encodeURL(Array(#"{"iss":"joe"}"#.utf8))
        let signature = try JSONWebSignature(parsing: "\(segments[0]).\(payload).\(segments[2])")
        let key = try JSONWebKey(#require(vector["jwk"]?.object))
        #expect(throws: JOSEError.signature) { try signature.verify(with: key, allowing: [.es256]) }
    }

    @Test(
        "what is not exactly three base64url segments with a JSON object in front is refused",
        arguments: [
            "", ".", "..", "e30.e30", "e30.e30.e30.e30", "e30.e30.e30.e30.e30.e30", "bm9wZQ.e30.", " e30.e30.",
            "e30 .e30.",
            "e30.e30.A", "e30.e30.\n", "é.e30.",
        ])
    func malformed(text: String) {
        let error = #expect(throws: JOSEError.self) { try JSONWebSignature(parsing: text) }
        #expect(error.map(kind) == "id_token_malformed")
    }

    @Test("more or fewer than three segments are refused, though the header is good", arguments: [1, 2, 4, 6, 7])
    func segmentCount(count: Int) throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc7515-A.3-ES256")
        let good = try #require(vector["jws"]?.string)
        _ = try JSONWebSignature(parsing: good)
        let segments = good.split(separator: ".").map(String.init) + ["e30", "e30", "e30", "e30"]
        let error = #expect(throws: JOSEError.self) {
            try JSONWebSignature(parsing: segments.prefix(count).joined(separator: "."))
        }
        #expect(error == .malformed("it must have 3 parts, not \(count)"))
    }

    @Test("an ECDSA signature is as long as its curve says: no byte more between its halves, nor in front or behind")
    func signatureLength() throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc7515-A.3-ES256")
        let segments = try #require(vector["jws"]?.string).split(separator: ".")
        let signature = try #require(Base64.decodeURL(segments[2]))
        let key = try JSONWebKey(#require(vector["jwk"]?.object))
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        for wrong in [r + [0] + s, [0] + r + s, r + s + [0], r + [0, 0] + s, r + Array(s.dropLast()), r, []] {
            let text = "\(segments[0]).\(segments[1]).\(Base64.encodeURL(wrong))"
            #expect(throws: JOSEError.signature) {
                try JSONWebSignature(parsing: text).verify(with: key, allowing: [.es256])
            }
        }
    }

    @Test("a code of HMAC is taken whole: none, the beginning of it, or more than it is not enough")
    func codeLength() throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc7515-A.1-HS256")
        let segments = try #require(vector["jws"]?.string).split(separator: ".")
        let code = try #require(Base64.decodeURL(segments[2]))
        let key = try JSONWebKey(#require(vector["jwk"]?.object))
        for wrong in [[], [code[0]], Array(code.dropLast()), code + [0], code + code] {
            let text = "\(segments[0]).\(segments[1]).\(Base64.encodeURL(wrong))"
            #expect(throws: JOSEError.signature) {
                try JSONWebSignature(parsing: text).verify(with: key, allowing: [.hs256])
            }
        }
    }

    @Test("a key of another curve does not fit the algorithm, though it made the signature")
    func otherCurve() throws {
        let key = try PrivateKey.generate(for: .ecdsa(.p384))
        let input = #"{"alg":"ES256"}"#.base64 + "." + "{}".base64
        let der = try key.sign(Array(input.utf8), algorithm: .es256)
        let signature = try #require(DER.signatureHalves(der, length: 48))
        let material = try key.publicMaterial()
        #expect(throws: JOSEError.keyMismatch("ES256")) {
            try JSONWebSignature(parsing: "\(input).\(Base64.encodeURL(signature))")
                .verify(with: JSONWebKey(material: material), allowing: [.es256, .es384])
        }
    }

    @Test("a kid of null is none, and a number is its text", arguments: [("null", nil), ("1", "1"), (#""1""#, "1")])
    func keyID(value: String, id: String?) throws {
        let header = #"{"alg":"RS256","kid":\#(value)}"#
        #expect(try JSONWebSignature(parsing: Base64.encodeURL(Array(header.utf8)) + ".e30.").keyID == id)
    }

    @Test("the two names of Ed25519 allow each other, and no other")
    func namesOfEd25519() throws {
        for name in ["EdDSA", "Ed25519"] {
            let token = Base64.encodeURL(Array(#"{"alg":"\#(name)"}"#.utf8)) + ".e30."
            let signature = try JSONWebSignature(parsing: token)
            for allowed in [SignatureAlgorithm.edDSA, .ed25519] {
                #expect(try signature.algorithm(allowing: [allowed]).rawValue == name)
            }
            #expect(throws: JOSEError.self) { try signature.algorithm(allowing: [.es256, .rs256]) }
        }
    }

    @Test("header members of the wrong type are refused", arguments: [#"{"alg":1}"#, #"{"alg":"RS256","kid":[]}"#])
    func wrongTypes(header: String) {
        let text = Base64.encodeURL(Array(header.utf8)) + ".e30."
        let error = #expect(throws: JOSEError.self) { try JSONWebSignature(parsing: text) }
        #expect(error.map(kind) == "id_token_malformed")
    }

    @Test("a header with a member twice is refused")
    func duplicateHeader() {
        let text = Base64.encodeURL(Array(#"{"alg":"none","alg":"RS256"}"#.utf8)) + ".e30."
        let error = #expect(throws: JOSEError.self) { try JSONWebSignature(parsing: text) }
        #expect(error.map(kind) == "id_token_malformed")
    }

    @Test(
        "crit and b64 are refused whatever they say",
        arguments: [
            #""crit":[]"#, #""crit":null"#, #""b64":true"#, #""b64":false"#,
        ])
    func extensions(member: String) {
        let text = Base64.encodeURL(Array(#"{"alg":"RS256",\#(member)}"#.utf8)) + ".e30."
        let error = #expect(throws: JOSEError.self) { try JSONWebSignature(parsing: text) }
        #expect(error.map(kind) == "id_token_header")
    }

    @Test("the caller's list decides, whatever the header and the key say")
    func allowList() throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc8037-A.4-EdDSA")
        let signature = try JSONWebSignature(parsing: #require(vector["jws"]?.string))
        let key = try JSONWebKey(#require(vector["jwk"]?.object))
        #expect(throws: JOSEError.algorithm("EdDSA")) { try signature.verify(with: key, allowing: [.es256, .rs256]) }
        #expect(throws: JOSEError.algorithm("EdDSA")) { try signature.verify(with: key, allowing: []) }
    }

    @Test("HMAC with a secret shorter than its digest is too weak")
    func shortSecret() throws {
        let vector = try VectorGroup("jws_verify").case(named: "rfc7515-A.1-HS256")
        let signature = try JSONWebSignature(parsing: #require(vector["jws"]?.string))
        let error = #expect(throws: JOSEError.self) {
            try signature.verify(with: JSONWebKey(secret: Array(repeating: 1, count: 31)), allowing: [.hs256])
        }
        #expect(error.map(kind) == "key_weak")
        #expect(throws: JOSEError.signature) {
            try signature.verify(with: JSONWebKey(secret: Array(repeating: 1, count: 32)), allowing: [.hs256])
        }
    }

    /// What the vectors call an error.
    private func kind(_ error: JOSEError) -> String {
        switch error {
        case .malformed: "id_token_malformed"
        case .encrypted, .keyUnsupported, .library: "unsupported"
        case .header: "id_token_header"
        case .algorithm: "id_token_alg"
        case .keyMismatch: "key_selection"
        case .keyInvalid: "key_invalid"
        case .keyWeak: "key_weak"
        case .signature: "signature"
        case .randomness, .passPhrase, .decryption: "none"
        }
    }
}

extension String {
    /// The text in Base64url.
    fileprivate var base64: String { Base64.encodeURL(Array(utf8)) }
}
