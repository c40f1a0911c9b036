import Testing
import Wire

@testable import JOSE

/// Which key of a text is meant. A key of a set is written as its `kid` and its `use`, and `public` if it is only that.
@Suite("The text of a private key")
struct PrivateKeyTextTests {
    private let payload = Array("a payload".utf8)
    private let keys: [String: JSONObject]

    init() throws {
        var keys: [String: JSONObject] = [:]
        for name in ["a", "b", "c", "o"] {
            var members = try SigningKey(generatedFor: name == "o" ? .edDSA : .es256).privateKey() ?? [:]
            members.remove(["kid", "use", "alg"])
            keys[name] = members
        }
        self.keys = keys
    }

    private func key(_ text: String) -> JSONObject {
        let words = text.split(separator: " ").map(String.init)
        var members = keys[words[0]] ?? [:]
        members["kid"] = .string(words[0])
        if words.count > 1, words[1] != "any" { members["use"] = .string(words[1]) }
        if words.last == "public" { members["d"] = nil }
        return members
    }

    private func set(_ keys: [String]) throws -> PrivateKeyText {
        try PrivateKeyText(JSON.object(["keys": .array(keys.map { .object(key($0)) })]).text)
    }

    /// The key of RFC 8037 appendix A in PKCS#8.
    private func pem() throws -> String {
        let head: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
        return block(
            "PRIVATE KEY", head + (try #require(Base64.decodeURL("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))))
    }

    private func block(_ label: String, _ bytes: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Base64.encode(bytes))\n-----END \(label)-----\n"
    }

    @Test("the first certificate of a chain is the client's, wherever the key stands; of two keys the first one is")
    func chain() throws {
        let (own, authority) = (block("CERTIFICATE", [1]), block("CERTIFICATE", [2]))
        let key = try pem()
        for text in [own + authority + key, key + own + authority, own + key + authority] {
            #expect(try PrivateKeyText(text).certificateThumbprint == Base64.encodeURL(Digest.sha256([1])))
        }
        #expect(try PrivateKeyText(key).certificateThumbprint == nil)
        let other = block("PRIVATE KEY", [1])
        #expect(try SigningKey(of: PrivateKeyText(key + other)).algorithm == .edDSA)
        #expect(throws: JOSEError.self) { try SigningKey(of: PrivateKeyText(other + key)).algorithm }
    }

    @Test("the kid that is asked for names the key in the place of its own")
    func names() throws {
        let account = JSON.object(["private_key": .string(try pem()), "private_key_id": "own"]).text
        let own = JSON.object(key("a")).text
        for (text, asked, name) in [
            (account, nil, "own"), (account, "asked", "asked"), (own, nil, "a"), (own, "asked", "asked"),
            (try pem(), nil, nil), (try pem(), "asked", "asked"),
        ] as [(String, String?, String?)] {
            #expect(try SigningKey(of: PrivateKeyText(text), keyID: asked).keyID == name)
        }
    }

    @Test(
        "one key of a set signs: a private one, for signatures, that nothing else in the set could be",
        arguments: [
            (["a sig", "b sig"], nil, "the set has 2 private keys that fit; its kid must choose one"),
            (["a sig", "b any"], nil, "the set has 2 private keys that fit; its kid must choose one"),
            (["a sig", "a sig", "b sig"], "a", "the set has 2 private keys that fit; its kid must choose one"),
            (["a sig", "b sig"], "a", "a"), (["a sig", "b sig"], "b", "b"),
            (["a sig", "c enc"], nil, "a"), (["c enc", "a any"], nil, "a"), (["b sig public", "a sig"], nil, "a"),
            (["a enc", "c enc"], nil, "the set has no private key that signs"),
            (["a sig", "c enc"], "c", #"the set has no private key that signs with the kid "c""#),
            (["a sig", "b sig public"], "b", #"the set has no private key that signs with the kid "b""#),
            (["c enc"], nil, #"its use is "enc": a key that signs is needed"#), (["a sig"], nil, "a"),
        ] as [([String], String?, String)])
    func chosen(keys: [String], kid: String?, outcome: String) throws {
        let text = try set(keys)
        var found: String?
        do throws(JOSEError) {
            found = try SigningKey(of: text, keyID: kid).keyID
        } catch {
            guard case .keyInvalid(let reason) = error else { throw error }
            found = reason
        }
        #expect(found == outcome)
    }

    @Test(
        "a set decrypts with each private key that is not for signatures, be it named or not",
        arguments: [
            (["a sig", "c enc"], "c", nil), (["c enc", "a sig"], "c", nil), (["a sig", "c enc"], "a", .decryption),
            (["a enc", "c any"], "a", nil), (["a enc", "c any"], "c", nil), (["a enc", "c any"], "b", .decryption),
            (["c enc public", "a enc"], "a", nil), (["o enc", "c enc"], "c", nil), (["c enc", "o enc"], "c", nil),
            (["a sig", "b sig"], "a", .keyInvalid("the set has no private key of the type EC that decrypts")),
            (["o enc", "a enc public"], "a", .keyInvalid("the set has no private key of the type EC that decrypts")),
            (["a sig"], "a", .keyInvalid(#"its use is "sig": a key that decrypts is needed"#)),
        ] as [([String], String, JOSEError?)])
    func decrypts(keys: [String], reader: String, failure: JOSEError?) throws {
        let text = try set(keys)
        let encryption = try #require(TokenEncryption(algorithm: "ECDH-ES", encryption: "A128GCM"))
        var unnamed = key(reader)
        unnamed["kid"] = nil
        for recipient in [key(reader), unnamed] {
            let token = try JSONWebEncryption(parsing: encryption.encrypt(payload, for: recipient))
            guard let failure else {
                #expect(try token.decrypt(with: text, passPhrase: nil) == payload)
                continue
            }
            #expect(throws: failure) { try token.decrypt(with: text, passPhrase: nil) }
        }
    }

    @Test("a set with keys on several curves decrypts with the one on the curve of the token, wherever it stands")
    func curves() throws {
        let encryption = try #require(TokenEncryption(algorithm: "ECDH-ES", encryption: "A128GCM"))
        let made = try [SignatureAlgorithm.es256, .es384, .es512].map { algorithm in
            var members = try SigningKey(generatedFor: algorithm).privateKey() ?? [:]
            members.remove(["kid", "use", "alg"])
            return members
        }
        for keys in [made, made.reversed()] {
            let text = try PrivateKeyText(JSON.object(["keys": .array(keys.map { .object($0) })]).text)
            for reader in keys {
                let token = try JSONWebEncryption(parsing: encryption.encrypt(payload, for: reader))
                #expect(try token.decrypt(with: text, passPhrase: nil) == payload)
            }
        }
    }

    @Test("each private key beside the one that signs is published, without its private half")
    func published() throws {
        var marked = key("a enc")
        (marked["alg"], marked["x5u"]) = ("ECDH-ES", "https://x.example")
        let set = [marked] + ["b sig", "c enc", "a sig", "a enc public"].map { key($0) }
        let text = try PrivateKeyText(JSON.object(["keys": .array(set.map { .object($0) })]).text)
        let found = try text.publicKeys(besides: key("b sig"))
        #expect(found.map { $0["kid"]?.string } == ["a", "c", "a"])
        #expect(Set(found[0].members.map(\.name)) == ["kty", "crv", "x", "y", "kid", "use", "alg"])
        #expect(try PrivateKeyText(pem()).publicKeys(besides: [:]).isEmpty)
    }

    @Test(
        "a key signs unless it says otherwise, and a set if one of its keys does",
        arguments: [
            ("{}", true), (#"{"use":"sig"}"#, true), (#"{"use":"enc"}"#, false),
            (#"{"key_ops":["verify","sign"]}"#, true), (#"{"key_ops":["verify"]}"#, false),
            (#"{"alg":"ES256"}"#, true), (#"{"alg":"RSA-OAEP-256"}"#, false), (#"{"alg":"RSA1_5"}"#, false),
            (#"{"alg":"ECDH-ES+A128KW"}"#, false), (#"{"use":"sig","alg":"ECDH-ES"}"#, false),
            (#"{"keys":[{"use":"enc"},{"use":"sig"}]}"#, true), (#"{"keys":[{"use":"sig"},{"use":"enc"}]}"#, true),
            (#"{"keys":[{"use":"enc"},{"use":"enc"}]}"#, false),
        ])
    func signs(text: String, signs: Bool) throws { #expect(try PrivateKeyText(text).signs == signs) }

    @Test(
        "a set has keys, and nothing else", arguments: ["[]", "[1]", "1", #"[{"kty":"EC"},1]"#, #"[1,{"kty":"EC"}]"#])
    func noSet(keys: String) {
        #expect(throws: JOSEError.keyInvalid("keys of the set is not an array of keys")) {
            try PrivateKeyText(#"{"keys":\#(keys)}"#)
        }
    }

    @Test("a token is encrypted for a key of its type that is for nothing else")
    func fits() throws {
        let encryption = try #require(TokenEncryption(algorithm: "ECDH-ES", encryption: "A128GCM"))
        for (members, fits) in [
            ([:], true), (["use": "enc"], true), (["use": "sig"], false), (["alg": "ECDH-ES"], true),
            (["alg": "ECDH-ES+A128KW"], false), (["use": "enc", "alg": "ES256"], false), (["kty": "OKP"], false),
        ] as [(JSONObject, Bool)] {
            #expect(encryption.fits(key("a").changed(by: members)) == fits, "\(members)")
        }
    }
}
