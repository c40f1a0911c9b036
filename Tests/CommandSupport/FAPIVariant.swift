import TestSupport
import Testing

/// The variants of the suite that say how the client proves itself: `client_auth_type` and `sender_constrain`.
struct FAPIVariant: Sendable, Equatable, CustomTestStringConvertible {
    enum Proof: Sendable {
        /// A key: private_key_jwt, and DPoP.
        case key
        /// A certificate: mtls for both.
        case certificate
    }

    let authentication: Proof
    /// What access tokens are bound to.
    let binding: Proof

    static let keys = FAPIVariant(authentication: .key, binding: .key)
    static let certificates = FAPIVariant(authentication: .certificate, binding: .certificate)
    /// One of each kind.
    static let mixed = [
        FAPIVariant(authentication: .key, binding: .certificate),
        FAPIVariant(authentication: .certificate, binding: .key),
    ]

    var hasCertificate: Bool { self != .keys }
    var method: String { authentication == .key ? "private_key_jwt" : "tls_client_auth" }
    var scheme: String { binding == .key ? "DPoP" : "Bearer" }

    /// The endpoints that take only a connection with the certificate; at others, it does not matter.
    var endpointsWithCertificate: [String] {
        let isOfToken = hasCertificate ? ["token_endpoint"] : []
        return isOfToken + (authentication == .certificate ? ["pushed_authorization_request_endpoint"] : [])
            + (binding == .certificate ? ["userinfo_endpoint"] : [])
    }

    var testDescription: String {
        "\(authentication == .key ? "private_key_jwt" : "mtls"), \(binding == .key ? "dpop" : "mtls")"
    }
}

/// nginx before a server for the clients that have a certificate, and the certificate of its client.
final class FAPIGate {
    let certificates: ClientCertificates
    let client: RegisteredCertificate
    let nginx: Nginx

    init(before server: Responder) throws {
        certificates = try ClientCertificates()
        client = try RegisteredCertificate(.issued, in: certificates)
        nginx = try Nginx(.passes(to: server.port, asking: .issued, authority: certificates.path("ca")))
    }

    /// The options of the client.
    var options: [String] { ["--cacert", nginx.certificate] + certificates.options("client") }
}
