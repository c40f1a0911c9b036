/// What nginx says of the client's certificate, before the server behind it learns of the request: its pages for the errors
/// 495 and 496, which it sends with the status 400.
package enum CertificateRefusal {
    case missing
    case refused

    package init?(status: Int, content: [UInt8]) {
        guard [400, 495, 496].contains(status) else { return nil }
        let text = String(decoding: content.prefix(1024), as: UTF8.self)
        if text.contains("No required SSL certificate was sent") {
            self = .missing
        } else if text.contains("The SSL certificate error") {
            self = .refused
        } else {
            return nil
        }
    }

    /// What happened, behind a colon.
    var reason: String {
        self == .missing ? "it wants a client certificate" : "it refuses the client certificate"
    }

    /// What to do about either.
    package static let remedy =
        "use --cert FILE and --key FILE with a certificate that has not expired, and whose issuer the server knows"
}
