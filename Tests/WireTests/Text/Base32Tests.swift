import Testing
import Wire

@Suite("Base32")
struct Base32Tests {
    @Test(
        "the test vectors of RFC 4648 section 10 for the extended hexadecimal alphabet are encoded, in lower case",
        arguments: [
            ("", ""), ("f", "co"), ("fo", "cpng"), ("foo", "cpnmu"), ("foob", "cpnmuog"), ("fooba", "cpnmuoj1"),
            ("foobar", "cpnmuoj1e8"),
        ])
    func vectors(plain: String, encoded: String) { #expect(Base32.encodeHex(plain.utf8) == encoded) }
}
