internal import CLibCrypto
internal import Wire

/// The digests of the SHA-2 family (FIPS 180-4) that JOSE uses; the raw value is the length in bytes.
/// One is called as a function: `Digest.sha256(bytes)`.
package enum Digest: Int, Sendable {
    case sha256 = 32
    case sha384 = 48
    case sha512 = 64

    package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rawValue) { buffer, count in
            switch self {
            case .sha256: oap_sha256(bytes, bytes.count, buffer.baseAddress)
            case .sha384: oap_sha384(bytes, bytes.count, buffer.baseAddress)
            case .sha512: oap_sha512(bytes, bytes.count, buffer.baseAddress)
            }
            count = rawValue
        }
    }

    package func hexadecimal(_ text: String) -> String { hexadecimal(Array(text.utf8)) }

    /// The digest of some bytes, in lower-case hexadecimal digits.
    package func hexadecimal(_ bytes: [UInt8]) -> String {
        String(decoding: self(bytes).flatMap { hexadecimalDigits($0, lower: true) }, as: UTF8.self)
    }

    /// The message authentication code HMAC of some bytes (RFC 2104), as long as the digest.
    func authenticationCode(of bytes: [UInt8], key: [UInt8]) throws(JOSEError) -> [UInt8] {
        try CryptoLibrary.load()
        var code = [UInt8](repeating: 0, count: rawValue)
        guard oap_hmac(name, key, key.count, bytes, bytes.count, &code, code.count) == 1 else {
            throw .library("libcrypto makes no HMAC with \(name)")
        }
        return code
    }

    /// Refuses a secret that is shorter than the digest (RFC 7518 §3.2).
    func checkKey(_ secret: [UInt8]) throws(JOSEError) {
        guard secret.count >= rawValue else {
            throw .keyWeak("the secret has \(secret.count) bytes, but HMAC needs at least \(rawValue)")
        }
    }

    /// The name that libcrypto has for it.
    var name: String { "SHA\(rawValue * 8)" }
}
