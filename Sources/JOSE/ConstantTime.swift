internal import CLibCrypto

/// Whether two secrets are the same bytes, in a time that depends only on their lengths (CRYPTO_memcmp).
func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && oap_memcmp(left, right, left.count) == 0
}

/// Whether two secrets are the same text, code point by code point; as `constantTimeEqual(_:_:)` for bytes.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
    constantTimeEqual(Array(left.utf8), Array(right.utf8))
}
