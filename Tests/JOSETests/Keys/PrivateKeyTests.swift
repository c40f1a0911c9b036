import Foundation
import Testing
import Wire

@testable import JOSE

/// Private keys that openssl and jose made, as files have them.
@Suite struct PrivateKeyTests {
    private let openssl = Program("openssl")
    private let folder: TemporaryFolder
    private let payload = Array("a payload".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func text(_ arguments: String...) throws -> String {
        String(decoding: try openssl.run(arguments), as: UTF8.self)
    }

    /// The text of a key of a kind, in PKCS#8.
    private func key(_ kind: String) throws -> String {
        switch kind {
        case "RSA": try text("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        case "RSA-1024": try text("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
        case "RSA-PSS": try text("genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048")
        case "Ed25519", "Ed448": try text("genpkey", "-algorithm", kind)
        default: try text("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(kind)")
        }
    }

    /// Signs with a key as a file has it, and has its public half check it.
    @discardableResult private func sign(
        _ text: String, passPhrase: String? = nil, keyID: String? = nil,
        preferring preference: [SignatureAlgorithm] = SigningKey.usual
    ) throws -> JSONWebSignature {
        let key = try SigningKey(
            of: PrivateKeyText(text), passPhrase: passPhrase, keyID: keyID, preferring: preference)
        let signature = try JSONWebSignature(parsing: key.sign(payload))
        let (publicKey, algorithm) = (key.publicKey, key.algorithm)
        try signature.verify(with: JSONWebKey(#require(publicKey)), allowing: [algorithm])
        return signature
    }

    @Test(
        "a key of openssl signs with the algorithm of its kind",
        arguments: [("RSA", "RS256"), ("P-256", "ES256"), ("P-384", "ES384"), ("P-521", "ES512"), ("Ed25519", "EdDSA")])
    func kinds(kind: String, algorithm: String) throws {
        let pem = try key(kind)
        let signature = try sign(pem)
        #expect(signature.algorithmName == algorithm && signature.keyID == nil)
        #expect(try sign(pem.replacing("\n", with: "\r\n"), keyID: "k").keyID == "k")
    }

    @Test("PKCS#1, SEC 1 with parameters, and a certificate before the key are read")
    func files() throws {
        let rsa = try folder.write(Data(key("RSA").utf8), to: "rsa")
        let traditional = try text("rsa", "-in", rsa, "-traditional")
        #expect(traditional.hasPrefix("-----BEGIN RSA PRIVATE KEY-----"))
        try sign("\u{FEFF}" + traditional)
        try sign("Bag Attributes\n    friendlyName: x\n" + traditional)
        let ec = try text("ecparam", "-name", "prime256v1", "-genkey")
        #expect(ec.hasPrefix("-----BEGIN EC PARAMETERS-----"))
        try sign(ec)
        let compressed = try folder.write(Data(key("P-384").utf8), to: "ec")
        try sign(text("ec", "-in", compressed, "-conv_form", "compressed"))
        let certificate = try text("req", "-x509", "-key", rsa, "-subj", "/CN=x", "-days", "1")
        try sign(certificate + traditional)
        #expect(throws: JOSEError.keyInvalid("the PEM file has CERTIFICATE, but no private key")) {
            try sign(certificate)
        }
    }

    @Test(
        "a key whose line ends became spaces or escapes, or are gone, is read, also in the key file of a service account",
        arguments: [" ", #"\n"#, #"\r\n"#, #"\\n"#, "\t", ""])
    func lineEnds(end: String) throws {
        for kind in ["RSA", "P-256", "Ed25519"] {
            let text = try key(kind).replacing("\n", with: end)
            try sign(text)
            try sign(JSON.object(["type": "service_account", "private_key": .string(text)]).text)
        }
        let plain = try folder.write(Data(key("RSA").utf8), to: "key")
        let pem = try self.text("rsa", "-in", plain, "-traditional", "-aes256", "-passout", "pass:secret")
        if !end.isEmpty { try sign(pem.replacing("\n", with: end), passPhrase: "secret") }
    }

    @Test("no error shows anything of a key that cannot be read", arguments: [" ", #"\n"#, "", "\n"])
    func unread(end: String) throws {
        let pem = try key("RSA").replacing("\n", with: end)
        for text in [
            String(pem.dropLast(30)), pem.replacing("PRIVATE", with: "private"),
            pem.replacing("-----END", with: "--END"),
            String(pem.dropFirst(30)), pem.replacing("BEGIN PRIVATE KEY-----", with: "BEGIN "),
            pem.replacing("PRIVATE KEY", with: "OPENSSH PRIVATE KEY"), pem.replacing("A", with: "B"),
        ] {
            let error = #expect(throws: JOSEError.self) { try sign(text) }
            let shown = error.map(\.description) ?? ""
            #expect(shown.utf8.count < 120 && !shown.contains("MII"), "\(shown)")
        }
    }

    @Test(
        "an encrypted key is opened by its pass phrase alone",
        arguments: [
            ["-v2", "aes-256-cbc"], ["-v2", "aes-256-cbc", "-iter", "600000"], ["-scrypt"], ["-v1", "PBE-SHA1-3DES"],
        ])
    func encrypted(options: [String]) throws {
        let plain = try folder.write(Data(key("P-256").utf8), to: "key")
        let file = try openssl.run(["pkcs8", "-topk8", "-in", plain, "-passout", "pass:secret"] + options)
        let pem = String(decoding: file, as: UTF8.self)
        try sign(pem, passPhrase: "secret")
        #expect(throws: JOSEError.passPhrase(isGiven: true)) { try sign(pem, passPhrase: "Secret") }
        #expect(throws: JOSEError.passPhrase(isGiven: false)) { try sign(pem) }
    }

    @Test("a traditional file with a pass phrase is opened, too")
    func traditional() throws {
        let plain = try folder.write(Data(key("RSA").utf8), to: "key")
        let pem = try text("rsa", "-in", plain, "-traditional", "-aes256", "-passout", "pass:secret")
        try sign(pem, passPhrase: "secret")
        #expect(throws: JOSEError.passPhrase(isGiven: false)) { try sign(pem) }
    }

    @Test("a pass phrase that is stretched for minutes is refused before it is", .timeLimit(.minutes(1)))
    func stretched() throws {
        let plain = try folder.write(Data(key("P-256").utf8), to: "key")
        for (found, hostile) in [([0x02, 0x02, 0x12, 0x34], [0x02, 0x04, 0x7F, 0xFF, 0xFF, 0xFF] as [UInt8])] {
            let file = try openssl.run(
                "pkcs8", "-topk8", "-in", plain, "-passout", "pass:secret", "-iter", "4660", "-outform", "DER")
            var bytes = Array(file)
            let place = try #require(
                bytes.indices.first { bytes[$0...].starts(with: found.map(UInt8.init)) }, "\(bytes)")
            bytes.replaceSubrange(place..<place + 4, with: hostile)
            // The lengths of the sequences around it: the first of a byte, and those before the salt.
            for index in bytes.indices where index < place && bytes[index] == 0x30 && bytes[index + 1] != 0x81 {
                let isAround = index + 2 + Int(bytes[index + 1]) >= place + 4
                if isAround { bytes[index + 1] += 2 }
            }
            bytes[2] += 2
            let pem =
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(Base64.encode(bytes))\n-----END ENCRYPTED PRIVATE KEY-----\n"
            #expect(
                throws: JOSEError.keyInvalid(
                    "its pass phrase is stretched too often: opening it would take minutes")
            ) {
                try sign(pem, passPhrase: "secret")
            }
            // libcrypto goes on behind a block that it cannot read.
            let hidden = "-----BEGIN EC PRIVATE KEY-----\n-----END X-----\n\(pem)-----END EC PRIVATE KEY-----\n"
            #expect(throws: JOSEError.self) { try sign(hidden, passPhrase: "secret") }
        }
    }

    @Test(
        "a key that no algorithm here signs with is refused", arguments: ["RSA-1024", "RSA-PSS", "secp256k1", "Ed448"])
    func unsupported(kind: String) throws {
        let pem = try key(kind)
        #expect { try sign(pem) } throws: { error in
            switch error as? JOSEError {
            case .keyUnsupported, .keyWeak: true
            default: false
            }
        }
    }

    @Test(
        "a file without a key is refused",
        arguments: [
            "", "{", "{}", "[]", #"{"keys":[]}"#, #"{"keys":[1]}"#, "noise", "-----BEGIN PRIVATE KEY-----\nAAAA\n",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", #"{"kty":"oct","k":"AAAA"}"#,
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n",
        ])
    func noKey(text: String) throws {
        #expect(throws: JOSEError.self) { try sign(text, passPhrase: "x") }
    }

    @Test(
        "a private key of jose signs", arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es384, .es512])
    func jose(algorithm: SignatureAlgorithm) throws {
        let jose = Program("jose")
        let made = try jose.run("jwk", "gen", "-i", #"{"alg":"\#(algorithm.rawValue)","kid":"a"}"#)
        let text = String(decoding: made, as: UTF8.self)
        let signature = try sign(text)
        #expect(signature.algorithmName == algorithm.rawValue && signature.keyID == "a")
        let file = try folder.write(made, to: "jwk")
        let thumbprint = String(decoding: try jose.run("jwk", "thp", "-i", file), as: UTF8.self)
        let set = #"{"keys":[\#(text),{"kty":"RSA","n":"x","kid":"a"},{"kty":"EC","d":"AA","use":"enc"}]}"#
        let key = try SigningKey(of: PrivateKeyText(set), keyID: "a")
        let members = key.publicKey
        #expect(try JSONWebKey(#require(members)).thumbprint() == thumbprint.trimmingCharacters(in: .newlines))
    }

    @Test("an RSA key without its primes signs (RFC 7518 §6.3.2)")
    func withoutPrimes() throws {
        let made = try Program("jose").run("jwk", "gen", "-i", #"{"alg":"RS256"}"#)
        var members = try #require(JSON(parsing: Array(made)).object)
        for name in ["p", "q", "dp", "dq", "qi", "key_ops"] { members[name] = nil }
        try sign(JSON.object(members).text)
    }

    @Test("an RSA key whose primes are no primes of it is refused as a key")
    func wrongPrimes() throws {
        let made = try Program("jose").run("jwk", "gen", "-i", #"{"alg":"RS256"}"#)
        var members = try #require(JSON(parsing: Array(made)).object)
        members["key_ops"] = nil
        for (name, value) in [("p", "AA"), ("p", "AQ"), ("q", "AA"), ("dp", "AA"), ("qi", "AA")] {
            let text = JSON.object(Self.setting(name, value, in: members)).text
            // libcrypto checks what it computes by the primes, and computes without them where that is wrong.
            do { try sign(text) } catch let error as JOSEError {
                if case .keyInvalid = error { continue }
                Issue.record("\(name) \(value): \(error)")
            }
        }
    }

    @Test(
        "an RSA key that lacks a number of its primes signs as one without any",
        arguments: ["p", "q", "dp", "dq", "qi"])
    func somePrimes(missing: String) throws {
        var members = try SigningKey(generatedFor: .ps256).privateKey() ?? [:]
        members[missing] = nil
        try sign(JSON.object(members).text)
    }

    @Test("the Ed25519 key of RFC 8037 appendix A signs its example, and not with a foreign public half")
    func octets() throws {
        let d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let text = #"{"kty":"OKP","crv":"Ed25519","d":"\#(d)","x":"\#(x)"}"#
        let key = try SigningKey(of: PrivateKeyText(text))
        let jws = try key.sign(Array("Example of Ed25519 signing".utf8))
        let expected = """
            eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbh\
            ijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
            """
        #expect(jws == expected)
        let foreign = try SigningKey(generatedFor: .ed25519)
        let members = foreign.publicKey
        let other = try #require(members?["x"]?.string)
        #expect(throws: JOSEError.keyInvalid("its private half does not belong to its public half")) {
            try sign(#"{"kty":"OKP","crv":"Ed25519","d":"\#(d)","x":"\#(other)"}"#)
        }
    }

    @Test("a key is used with an algorithm of its kind alone")
    func mismatch() throws {
        let pem = try key("P-256")
        #expect(throws: JOSEError.keyMismatch("ES384")) { try sign(pem, preferring: [.es384]) }
        #expect(throws: JOSEError.keyMismatch("PS256, EdDSA")) { try sign(pem, preferring: [.ps256, .edDSA]) }
        let rsa = try key("RSA")
        #expect(try sign(rsa, preferring: [.es256, .ps256]).algorithmName == "PS256")
    }

    private static func setting(_ name: String, _ value: String, in members: JSONObject) -> JSONObject {
        var members = members
        members[name] = .string(value)
        return members
    }
}
