import Testing
import Wire

@testable import JOSE

@Suite("A JSON Web Encryption with a key that both sides have")
struct JSONWebEncryptionTests {
    private let key: SymmetricKey
    private let text: String

    init() throws {
        key = try SymmetricKey()
        text = try key.encrypt(Array("a payload".utf8), header: ["oap_name": .string("work")])
    }

    @Test("a JSON Web Encryption gives back what was encrypted, and the header that is bound to it")
    func roundTrip() throws {
        let (header, content) = try key.decrypt(text)
        #expect(content == Array("a payload".utf8))
        #expect(header == ["alg": .string("dir"), "enc": .string("A256GCM"), "oap_name": .string("work")])
        #expect(try key.decrypt(key.encrypt([])).content == [])
    }

    @Test("a JSON Web Encryption never has the same vector twice")
    func freshVector() throws {
        let vectors = try (0..<100).map { _ in
            try key.encrypt([1]).split(separator: ".", omittingEmptySubsequences: false)[2]
        }
        #expect(Set(vectors).count == 100)
    }

    @Test("a JSON Web Encryption is not opened with another key")
    func otherKey() throws {
        let other = try SymmetricKey()
        #expect(throws: JOSEError.decryption) { try other.decrypt(text) }
    }

    @Test("a JSON Web Encryption is not opened when any bit of any part of it was changed")
    func flippedBits() throws {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for index in [0, 2, 3, 4] {
            let bytes = try #require(Base64.decodeURL(segments[index]))
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                var parts = segments
                parts[index] = Base64.encodeURL(changed)
                #expect(throws: JOSEError.self, "bit \(bit) of segment \(index)") {
                    try key.decrypt(parts.joined(separator: "."))
                }
            }
        }
    }

    @Test("a JSON Web Encryption is not opened when it was cut short anywhere, or made longer")
    func truncation() throws {
        for count in 0..<text.utf8.count {
            #expect(throws: JOSEError.self, "\(count) bytes") {
                try key.decrypt(String(text.prefix(count)))
            }
        }
        for longer in [text + "A", text + ".", text + "AAAA", "." + text] {
            #expect(throws: JOSEError.self) { try key.decrypt(longer) }
        }
    }

    @Test(
        "a JSON Web Encryption of another kind is refused by its header",
        arguments: [
            (#"{"alg":"A256KW","enc":"A256GCM"}"#, #"alg "A256KW""#),
            (#"{"enc":"A256GCM"}"#, "no alg"),
            (#"{"alg":"dir","enc":"A128GCM"}"#, #"enc "A128GCM""#),
            (#"{"alg":"dir","enc":"A256GCM","zip":"DEF"}"#, "zip"),
            (#"{"alg":"dir","enc":"A256GCM","crit":["x"],"x":1}"#, "crit"),
        ])
    func header(json: String, name: String) throws {
        let parts = [Base64.encodeURL(Array(json.utf8))] + text.split(separator: ".").dropFirst().map(String.init)
        let changed = "\(parts[0])..\(parts[1...].joined(separator: "."))"
        #expect(throws: JOSEError.header(name)) { try key.decrypt(changed) }
    }

    @Test("where both sides have or derive the key, a JSON Web Encryption has none", arguments: ["dir", "ECDH-ES"])
    func encryptedKey(algorithm: String) throws {
        let text = try JSONWebEncryption.seal(
            [1], algorithm, .gcm256, header: [:], key: key.bytes, encryptedKey: [0])
        #expect(throws: JOSEError.malformed("alg is \(algorithm), but there is an encrypted key")) {
            try JSONWebEncryption(parsing: text, algorithms: [algorithm])
        }
    }

    @Test(
        "the content encryption alone says how long key, vector and tag are: one byte more or less opens nothing",
        arguments: ContentEncryption.allCases)
    func lengths(encryption: ContentEncryption) throws {
        let key = [UInt8](repeating: 7, count: encryption.keyLength)
        let text = try JSONWebEncryption.seal([1], "dir", encryption, header: [:], key: key)
        let whole = try JSONWebEncryption(parsing: text, algorithms: ["dir"])
        #expect(try whole.open(with: key) == [1])
        for other in [key + [7], key.dropLast(), key + key] {
            #expect(throws: JOSEError.decryption) { try whole.open(with: other) }
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (place, name) in [(2, "the initialization vector"), (4, "the tag")] {
            let bytes = try #require(Base64.decodeURL(parts[place]))
            for changed in [bytes + [7], bytes.dropLast(), []] {
                var others = parts
                others[place] = Base64.encodeURL(changed)
                #expect(throws: JOSEError.malformed("\(name) is not base64url, or has the wrong length")) {
                    try JSONWebEncryption(parsing: others.joined(separator: "."), algorithms: ["dir"])
                }
            }
        }
    }

    @Test("a JSON Web Encryption has the content encryption of RFC 7516, appendix A.1")
    func publishedExample() throws {
        let bytes: [UInt8] = [
            177, 161, 244, 128, 84, 143, 225, 115, 63, 180, 3, 255, 107, 154, 212, 246, 138, 7, 110, 91, 112, 46, 34,
            105, 47, 130, 203, 46, 122, 234, 64, 252,
        ]
        let vector = try #require(Base64.decodeURL("48V1_ALb6US04U3b"))
        let associated = Array("eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ".utf8)
        let plain = Array("The true sign of intelligence is not knowledge but imagination.".utf8)
        let (ciphertext, tag) = try ContentEncryption.gcm256.seal(
            plain, key: bytes, vector: vector, associated: associated)
        #expect(
            Base64.encodeURL(ciphertext)
                == "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A")
        #expect(Base64.encodeURL(tag) == "XFBoMYUZodetZdvTiFvSkQ")
        #expect(
            ContentEncryption.gcm256.open(ciphertext, tag: tag, key: bytes, vector: vector, associated: associated)
                == plain)
    }
}

@Suite("A symmetric key")
struct SymmetricKeyTests {
    @Test("a symmetric key is a JSON Web Key of 256 bits, and another each time")
    func members() throws {
        let key = try SymmetricKey()
        #expect(key.members.members.map(\.name) == ["kty", "k"])
        #expect(try SymmetricKey(key.members).bytes == key.bytes && key.bytes.count == 32)
        #expect(try SymmetricKey().bytes != key.bytes)
    }

    @Test("a symmetric key has 256 bits and the type oct, and no other")
    func others() throws {
        for count in [0, 16, 31, 33, 64] {
            let k = JSON.string(Base64.encodeURL([UInt8](repeating: 1, count: count)))
            #expect(throws: JOSEError.self, "\(count) bytes") { try SymmetricKey(["kty": .string("oct"), "k": k]) }
        }
        let k = JSON.string(Base64.encodeURL([UInt8](repeating: 1, count: 32)))
        let ed25519: JSONObject = ["kty": .string("OKP"), "crv": .string("Ed25519"), "x": k]
        #expect(throws: JOSEError.keyInvalid("kty must be oct, and k must have 32 bytes")) { try SymmetricKey(ed25519) }
        #expect(throws: JOSEError.self) { try SymmetricKey(["k": k]) }
    }

    @Test("a symmetric key that says what it is for is for A256GCM, and for nothing else beside it")
    func purpose() throws {
        let key = try SymmetricKey().members
        let (alg, use, operations) = ("alg", "use", "key_ops")
        for (name, value) in [
            (alg, .string("A256GCM")), (alg, .string("dir")), (use, .string("enc")),
            (operations, .strings(["decrypt", "encrypt"])),
        ] as [(String, JSON)] { #expect(throws: Never.self) { try SymmetricKey(key.setting(name, to: value)) } }
        for (name, value) in [
            (alg, .string("HS256")), (alg, .null), (use, .string("sig")), (operations, .strings(["sign", "verify"])),
            (operations, .strings(["encrypt"])),
        ] as [(String, JSON)] { #expect(throws: JOSEError.self) { try SymmetricKey(key.setting(name, to: value)) } }
    }
}
