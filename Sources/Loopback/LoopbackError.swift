/// Why a server cannot listen.
package enum LoopbackError: Error, Equatable {
    case library(String)
    case portTaken(address: String, port: Int)
    case portPrivileged(address: String, port: Int)
    case noSuchAddress(String)
    case certificate(String)
    case system(String)

    /// One sentence, lower case, without a full stop.
    package var message: String {
        switch self {
        case .library(let reason): "libmicrohttpd cannot be loaded (Debian: libmicrohttpd12): \(reason)"
        case .portTaken(let address, let port): "port \(port) of \(address) is already in use"
        case .portPrivileged(let address, let port): "port \(port) of \(address) is reserved for root"
        case .noSuchAddress(let address): "this machine does not have the address \(address)"
        case .certificate(let reason): "this certificate and key cannot be used for TLS: \(reason)"
        case .system(let reason): reason
        }
    }
}
