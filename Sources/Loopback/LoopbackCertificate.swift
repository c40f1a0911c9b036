/// The certificate and key of a TLS server.
package struct LoopbackCertificate: Sendable {
    /// The certificate, followed by intermediate certificates, in PEM.
    package let chain: [UInt8]
    /// The private key of the certificate, PEM, not encrypted.
    package let key: [UInt8]

    /// Makes the pair.
    package init(chain: [UInt8], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }

    /// The pair as C strings, which must live as long as the daemon.
    final class Copy {
        /// The certificates.
        let chain: UnsafeMutablePointer<CChar>
        /// The key.
        let key: UnsafeMutablePointer<CChar>

        init(_ certificate: LoopbackCertificate) {
            chain = Self.string(certificate.chain)
            key = Self.string(certificate.key)
        }

        deinit {
            chain.deallocate()
            key.deallocate()
        }

        private static func string(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
            (copy + bytes.count).initialize(to: 0)
            return copy
        }
    }
}
