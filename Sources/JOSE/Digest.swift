internal import CLibCrypto

/// The digests of the SHA-2 family (FIPS 180-4) that JOSE uses.
package enum Digest {
    /// SHA-256: 32 bytes.
    ///
    /// - Throws: `JOSEError.library`.
    package static func sha256(_ bytes: [UInt8]) throws(JOSEError) -> [UInt8] {
        try digest(bytes, length: 32, by: oap_sha256)
    }

    /// SHA-384: 48 bytes.
    ///
    /// - Throws: `JOSEError.library`.
    package static func sha384(_ bytes: [UInt8]) throws(JOSEError) -> [UInt8] {
        try digest(bytes, length: 48, by: oap_sha384)
    }

    /// SHA-512: 64 bytes.
    ///
    /// - Throws: `JOSEError.library`.
    package static func sha512(_ bytes: [UInt8]) throws(JOSEError) -> [UInt8] {
        try digest(bytes, length: 64, by: oap_sha512)
    }

    private static func digest(
        _ bytes: [UInt8], length: Int, by function: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Void
    ) throws(JOSEError) -> [UInt8] {
        try CryptoLibrary.load()
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            function(bytes, bytes.count, buffer.baseAddress)
            count = length
        }
    }
}
