internal import CLibMicroHTTPD
internal import Glibc

/// The certificate that a client has presented in the TLS handshake, which proves that the client has its key.
package struct LoopbackClientCertificate: Sendable {
    package let der: [UInt8]
    /// Whether one of the server's `clientAuthorities` issued it, and it is valid now.
    package let isTrusted: Bool
    /// The distinguished name of the subject as a string of RFC 4514.
    package let subject: String
    /// The alternative names of the subject; a kind is `dns`, `email`, `uri` or `ip`.
    package let names: [(kind: String, text: String)]

    /// Why libgnutls cannot be used, or nil. Loads the library the first time it is asked.
    static let loadFailure: String? = oap_peer_load().map { String(cString: $0) }

    /// Reads the certificate of a connection; nil if there is none.
    init?(of connection: OpaquePointer) {
        var peer = oap_peer()
        guard oap_peer_read(connection, &peer) == 1 else { return nil }
        defer { oap_peer_free(&peer) }
        der = Array(UnsafeBufferPointer(start: peer.certificate, count: peer.length))
        isTrusted = peer.trusted != 0
        subject = String(cString: peer.subject)
        names = Self.names(of: &peer)
    }

    private static func names(of peer: inout oap_peer) -> [(kind: String, text: String)] {
        var names: [(kind: String, text: String)] = []
        var bytes = [UInt8](repeating: 0, count: 1024)
        for index in 0..<100 {
            var length = 0
            let number = oap_peer_name(&peer, UInt32(index), &bytes, bytes.count, &length)
            guard number >= 0 else { break }
            guard (1...4).contains(number) else { continue }
            let (kind, value) = (["dns", "email", "uri", "ip"][Int(number) - 1], bytes.prefix(length))
            names.append((kind, kind == "ip" ? address(value) : String(decoding: value, as: UTF8.self)))
        }
        return names
    }

    /// The text of an address of 4 or 16 bytes (RFC 5952 §4).
    private static func address(_ bytes: ArraySlice<UInt8>) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
