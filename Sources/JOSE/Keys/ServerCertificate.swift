internal import CLibCrypto

/// The certificate of a TLS server, as its clients look at it.
package enum ServerCertificate {
    /// Whether a certificate (the first of some in PEM) names a host, a DNS name or an IP address without brackets, in its
    /// `subjectAltName` (RFC 9525 §6.3); the common name does not count. Nil if it cannot be told: libcrypto is missing, or
    /// does not read the certificate or the host.
    package static func names(_ host: String, in pem: [UInt8]) -> Bool? {
        guard (try? CryptoLibrary.load()) != nil else { return nil }
        defer { oap_forget_errors() }
        let result = oap_certificate_names(pem, pem.count, host)
        return result < 0 ? nil : result == 1
    }
}
