import JOSE
import Testing

@testable import OAuth

@Suite("Failures of JOSE")
struct JOSEFailureTests {
    @Test(
        "each failure of JOSE is an error of the protocol, and of the caller where the key is the user's own",
        arguments: [
            (.library("x"), .library, .library), (.randomness(errno: 5), .library, .library),
            (.encrypted, .unsupported, .usage), (.keyUnsupported("x"), .unsupported, .usage),
            (.malformed("x"), .idTokenMalformed, .usage), (.decryption, .idTokenMalformed, .usage),
            (.header("x"), .idTokenHeader, .usage), (.algorithm("x"), .idTokenAlgorithm, .usage),
            (.keyMismatch("x"), .keySelection, .usage), (.keyInvalid("x"), .keyInvalid, .usage),
            (.passPhrase(isGiven: true), .keyInvalid, .usage), (.keyWeak("x"), .keyWeak, .keyWeak),
            (.signature, .signature, .usage),
        ] as [(JOSEError, ErrorKind, ErrorKind)])
    func kinds(failure: JOSEError, kind: ErrorKind, ofKey: ErrorKind) {
        #expect(OAuthError(failure).kind == kind)
        let own = OAuthError.ofKey(failure, in: "client_key_file")
        #expect(own.kind == ofKey)
        #expect(own.member == (ofKey == .library ? nil : "client_key_file"))
    }
}
