package import Wire

package struct LoopbackRequest: Sendable {
    package let method: String
    /// The request target as it was sent, nothing decoded, and with what no URL may hold encoded (RFC 9112 §3.2).
    package let target: String
    /// The target's path, nothing decoded.
    package let path: String
    /// The target's query without its `?`, nothing decoded.
    package let query: String?
    /// The requested host and port: of an absolute target, else the only `Host` field (RFC 9112 §3.2.2). Nil if there
    /// are several.
    package let authority: String?
    package let headers: [HTTPField]
    package let body: [UInt8]
    /// The certificate of the client, if the server asks for one and the client has one.
    package let certificate: LoopbackClientCertificate?
    private let socket: Int32

    /// Whether content comes with it (RFC 9112 §6).
    package var hasContent: Bool {
        headers.first("Transfer-Encoding") != nil || headers.first("Content-Length").map { $0 != "0" } ?? false
    }

    /// The user who sent it. Valid only while the request is being answered.
    package var peer: LoopbackPeer { LoopbackPeer(of: socket) }

    init(
        method: String, target: String, headers: [HTTPField], body: [UInt8], socket: Int32,
        certificate: LoopbackClientCertificate?
    ) {
        (self.method, self.target, self.headers, self.body, self.socket) = (method, target, headers, body, socket)
        self.certificate = certificate
        let hosts = headers.values(of: "Host")
        if !target.hasPrefix("/"), let url = WebURL(target), let host = url.host {
            path = url.path
            query = url.query
            authority = host + (url.port.map { ":\($0)" } ?? "")
        } else {
            let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            path = parts.first.map(String.init) ?? ""
            query = parts.count > 1 ? String(parts[1]) : nil
            authority = hosts.count == 1 ? hosts[0] : nil
        }
    }
}
