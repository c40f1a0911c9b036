/// Why a server cannot listen.
package enum LoopbackError: Error, Equatable {
    /// libmicrohttpd cannot be loaded: the dynamic linker's message.
    case library(String)
    /// Another program listens on the port of the address, or has just done so.
    case portTaken(address: String, port: Int)
    /// The port may only be used by root (a port below 1024).
    case portPrivileged(address: String, port: Int)
    /// The machine does not have the address.
    case noSuchAddress(String)
    /// The certificate and the key cannot be used: why.
    case certificate(String)
    /// A system call failed: the action, and the system's message.
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
