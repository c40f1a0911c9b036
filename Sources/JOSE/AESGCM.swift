internal import CLibCrypto

/// AES-256-GCM (NIST SP 800-38D) with a vector of 96 bits and a tag of 128, as RFC 7518 §5.3 has it.
enum AESGCM {
    /// The length of the initialization vector in bytes.
    static let vectorLength = 12
    /// The length of the authentication tag in bytes.
    static let tagLength = 16

    /// Encrypts bytes. A vector is never used twice with one key; `associated` is authenticated but not encrypted.
    static func encrypt(
        _ bytes: [UInt8], key: SymmetricKey, vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        try CryptoLibrary.load()
        let context = oap_cipher_new()
        defer { free(context) }
        guard context != nil, oap_gcm_init(context, key.bytes, vector, 1) == 1,
            let ciphertext = output(of: context, bytes, associated: associated), oap_cipher_final(context) == 1
        else { throw unable }
        var tag = [UInt8](repeating: 0, count: tagLength)
        guard oap_gcm_tag(context, &tag, tag.count) == 1 else { throw unable }
        return (ciphertext, tag)
    }

    /// Decrypts bytes; nil when the tag is wrong: another key, or modified data.
    static func decrypt(
        _ ciphertext: [UInt8], tag: [UInt8], key: SymmetricKey, vector: [UInt8], associated: [UInt8]
    ) throws(JOSEError) -> [UInt8]? {
        try CryptoLibrary.load()
        let context = oap_cipher_new()
        defer { free(context) }
        var tag = tag
        guard context != nil, oap_gcm_init(context, key.bytes, vector, 0) == 1,
            let bytes = output(of: context, ciphertext, associated: associated),
            oap_gcm_expect_tag(context, &tag, tag.count) == 1
        else { throw unable }
        return oap_cipher_final(context) == 1 ? bytes : nil
    }

    /// The encrypted or decrypted bytes, of the same length; nil when libcrypto fails.
    private static func output(of context: OpaquePointer?, _ bytes: [UInt8], associated: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: bytes.count)
        guard oap_cipher_update(context, nil, associated, associated.count) == 1,
            oap_cipher_update(context, &output, bytes, bytes.count) == 1
        else { return nil }
        return output
    }

    private static func free(_ context: OpaquePointer?) {
        oap_cipher_free(context)
        oap_forget_errors()
    }

    private static let unable = JOSEError.library("libcrypto does not do AES-256-GCM")
}
