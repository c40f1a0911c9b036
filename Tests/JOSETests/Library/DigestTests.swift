import Testing
import Wire

@testable import JOSE

/// FIPS 180-4, as NIST's example values show it for "abc".
@Suite struct DigestTests {
    @Test("SHA-256 of abc is NIST's example value")
    func sha256() {
        #expect(
            hexadecimal(Digest.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("SHA-384 of abc is NIST's example value")
    func sha384() {
        #expect(
            hexadecimal(Digest.sha384(Array("abc".utf8)))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7")
    }

    @Test("SHA-512 of abc is NIST's example value")
    func sha512() {
        #expect(
            hexadecimal(Digest.sha512(Array("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    @Test("no bytes at all have a digest too")
    func empty() {
        #expect(
            hexadecimal(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes.flatMap {
                [hexadecimalDigit($0 >> 4, lower: true), hexadecimalDigit($0 & 15, lower: true)]
            }, as: UTF8.self)
    }
}
