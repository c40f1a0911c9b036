internal import CLibCrypto
package import Wire

/// An X.509 certificate.
package enum Certificate {
    /// What a block of PEM says of itself, unchecked: `subject` and `issuer` as RFC 4514 writes them, times, and the
    /// thumbprint.
    ///
    /// - Throws: `JOSEError.keyInvalid` for what is no certificate, `.library`.
    package static func members(of block: PEMBlock) throws(JOSEError) -> JSONObject {
        try CryptoLibrary.load()
        defer { oap_forget_errors() }
        let pem = Array(block.text.utf8)
        let text = [UInt8](unsafeUninitializedCapacity: 8192) {
            $1 = oap_certificate_text(pem, pem.count, $0.baseAddress, $0.count)
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, let thumbprint = thumbprint(among: [block]) else {
            throw .keyInvalid("a block is no certificate")
        }
        return [
            "subject": .string(String(lines[0])), "issuer": .string(String(lines[1])),
            "not_before": .number(String(lines[2])), "expires_at": .number(String(lines[3])),
            "x5t#S256": .string(thumbprint),
        ]
    }

    /// The SHA-256 thumbprint of the first certificate in Base64url, `x5t#S256` (RFC 7515 §4.1.8, RFC 8705 §3.1); nil for
    /// none.
    package static func thumbprint(among blocks: [PEMBlock]) -> String? {
        blocks.first { $0.label == "CERTIFICATE" }?.content.map { Base64.encodeURL(Digest.sha256($0)) }
    }
}
