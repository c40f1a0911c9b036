import HTTP
import TestSupport

extension TLSPeer {
    /// Options that trust the peer.
    var trusting: TransportOptions {
        var options = TransportOptions()
        options.route.caCertificateFile = path("ca.pem")
        return options
    }

    /// The same, with the client's certificate.
    var showingCertificate: TransportOptions {
        var options = trusting
        (options.route.certificateFile, options.route.keyFile) = (path("client.pem"), path("client.key"))
        return options
    }
}

extension TransportOptions {
    /// The defaults, without the environment.
    init() { self.init { _ in nil } }
}
