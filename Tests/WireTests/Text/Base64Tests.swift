import TestSupport
import Testing
import Wire

@Suite("Base64")
struct Base64Tests {
    @Test("base64url: a text is encoded and decoded as the case says", arguments: try VectorGroup("base64url").cases)
    func vectors(vector: VectorCase) throws {
        let text = try #require(vector["b64url"]?.string)
        if vector["expect"]?.string == "error" {
            #expect(Base64.decodeURL(text) == nil)
        } else {
            let octets = try #require(vector["octets"]?.array?.map { UInt8($0.integer ?? -1) })
            #expect(Base64.decodeURL(text) == octets)
            #expect(Base64.encodeURL(octets) == text)
        }
    }

    @Test(
        "the test vectors of RFC 4648 section 10 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func rfc4648(plain: String, encoded: String) {
        let bytes = Array(plain.utf8)
        #expect(Base64.encode(bytes) == encoded)
        let unpadded = encoded.replacing("=", with: "")
        #expect(Base64.encodeURL(bytes) == unpadded)
        #expect(Base64.decodeURL(unpadded) == bytes)
    }

    @Test("the two alphabets differ in their last two characters")
    func alphabets() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64.encodeURL([0xFB, 0xEF, 0xFF]) == "--__")
    }

    @Test("every byte survives, at every length")
    func everyByte() {
        let bytes = Array(UInt8.min...UInt8.max)
        for length in 0...bytes.count {
            #expect(Base64.decodeURL(Base64.encodeURL(bytes.suffix(length))) == Array(bytes.suffix(length)))
        }
    }

    @Test(
        "one value has one spelling",
        arguments: ["Zh", "Zg=", "Zg==", "Zm9", "Zm9vZ", "Zm8\n", " Zm8", "Zm+v", "Zm/v", "Zmé", "Zm8\u{0}", "="])
    func refused(text: String) { #expect(Base64.decodeURL(text) == nil) }
}
