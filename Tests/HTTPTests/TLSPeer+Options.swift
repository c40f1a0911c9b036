import HTTP
import TestSupport

extension TLSPeer {
    /// Options that trust the peer.
    var trusting: TransportOptions {
        var options = TransportOptions()
        options.caCertificateFile = path("ca.pem")
        return options
    }
}

extension TransportOptions {
    /// The defaults, without the environment.
    init() { self.init { _ in nil } }
}
