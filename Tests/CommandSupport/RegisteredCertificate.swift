import Foundation
import TestSupport
import Wire

/// A client's certificate as a server has it registered, and what the server says of the one that nginx has seen.
struct RegisteredCertificate: Sendable {
    /// How the client authenticates, by the names of RFC 8705 section 2.
    enum Method: String, Sendable, CaseIterable {
        case issued = "tls_client_auth"
        case selfSigned = "self_signed_tls_client_auth"

        /// Which certificates nginx lets pass.
        var rule: Nginx.CertificateRule { self == .issued ? .issued : .any }
    }

    let method: Method
    /// The subject, as RFC 4514 writes it: it counts for one that an authority has issued.
    let subject: String
    /// The certificate itself, which counts for a self-signed one.
    let text: String

    /// Makes the certificate `client` for the method, and takes it as registered.
    init(_ method: Method, in certificates: ClientCertificates) throws {
        try certificates.make(
            "client", subject: "/O=Example/CN=client", issuer: method == .issued ? "ca" : nil)
        (self.method, subject, text) = (method, "CN=client,O=Example", try certificates.text("client"))
    }

    /// Why a request does not come from the client; nil if it does. Without nginx it has none of its fields.
    func refusal(of request: Responder.Request) -> String? {
        guard let verdict = request.headers.first("X-Client-Verify") else { return "not at the alias" }
        guard let shown = request.certificate else { return "no certificate" }
        switch method {
        case .issued where verdict != "SUCCESS": return "not issued by the authority: \(verdict)"
        case .issued where request.headers.first("X-Client-Subject") != subject: return "another subject"
        case .selfSigned where shown != text: return "another certificate"
        case .issued, .selfSigned: return nil
        }
    }
}

extension Responder.Request {
    /// The certificate of the client in PEM, as nginx has passed it on.
    var certificate: String? { headers.first("X-Client-Certificate")?.removingPercentEncoding }

    /// The `x5t#S256` of that certificate (RFC 8705 section 3.1).
    var thumbprint: String? {
        guard let digits = certificate.flatMap({ try? ClientCertificates.digest(of: $0) }) else { return nil }
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { digits.dropFirst($0).prefix(2) }
        return Base64.encodeURL(pairs.compactMap { UInt8($0, radix: 16) })
    }

    /// The target without its query.
    var path: String { target.split(separator: "?").first.map(String.init) ?? "" }
}
