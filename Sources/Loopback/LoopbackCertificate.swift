internal import Glibc
internal import Wire

/// The certificate and key of a TLS server.
package struct LoopbackCertificate: Sendable {
    /// The certificate, followed by intermediate certificates, in PEM.
    package let chain: [UInt8]
    /// The private key of the certificate, PEM, not encrypted.
    package let key: [UInt8]
    /// Whether clients are asked for a certificate, which they need not have.
    package var asksClients = false
    /// The certificates that issue trusted client certificates, in PEM; nil for none.
    package var clientAuthorities: [UInt8]?

    package init(chain: [UInt8], key: [UInt8]) {
        (self.chain, self.key) = (PEMBlock.repaired(chain), PEMBlock.repaired(key))
    }

    /// Why the pair cannot be used, as far as its text says: one sentence, lower case, without a full stop.
    var problem: String {
        let (chain, key) = (String(decoding: chain, as: UTF8.self), String(decoding: key, as: UTF8.self))
        let isKey = key.contains("-----BEGIN ") && key.contains("PRIVATE KEY-----")
        if !chain.contains("-----BEGIN CERTIFICATE-----") { return "the certificate file has no certificate in PEM" }
        if !isKey { return "the key file has no private key in PEM" }
        if key.contains("ENCRYPTED") { return "the private key is encrypted" }
        return "the key does not belong to the certificate, or one of the two is damaged"
    }

    /// The pair as C strings, which must live as long as the daemon.
    final class Copy {
        let chain: UnsafeMutablePointer<CChar>?
        let key: UnsafeMutablePointer<CChar>?
        let authorities: UnsafeMutablePointer<CChar>?

        init(_ certificate: LoopbackCertificate) {
            (chain, key) = (strdup(certificate.chain + [0]), strdup(certificate.key + [0]))
            authorities = certificate.clientAuthorities.map { strdup($0 + [0]) } ?? nil
        }

        deinit { for text in [chain, key, authorities] { free(text) } }
    }
}
