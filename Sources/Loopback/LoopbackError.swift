internal import CLibMicroHTTPD

/// Why a server cannot listen.
package enum LoopbackError: Error, Equatable {
    case library(String)
    case portTaken(address: String, port: Int)
    case pathTaken(String)
    case portPrivileged(address: String, port: Int)
    case noSuchAddress(String)
    case certificate(String)
    case system(String)

    /// One sentence, lower case, without a full stop.
    package var message: String {
        switch self {
        case .library(let reason): "libmicrohttpd cannot be loaded (Debian: libmicrohttpd12): \(reason)"
        case .portTaken(let address, let port): "port \(port) of \(address) is already in use"
        case .pathTaken(let path): "\(path) is in use, or is no socket"
        case .portPrivileged(let address, let port): "port \(port) of \(address) is reserved for root"
        case .noSuchAddress(let address): "this machine does not have the address \(address)"
        case .certificate(let reason): "this certificate and key cannot be used for TLS: \(reason)"
        case .system(let reason): reason
        }
    }
}

/// libmicrohttpd, loaded when it is first used.
package enum LoopbackLibrary {
    /// Why libmicrohttpd cannot be used, or nil. Loads the library the first time it is asked.
    static let loadFailure: String? = oap_mhd_load().map { String(cString: $0) }

    /// Name and version of the library, for example `libmicrohttpd/0.9.75`. Nil if it is not installed.
    package static var version: String? {
        loadFailure == nil ? "libmicrohttpd/\(String(cString: oap_mhd_version()))" : nil
    }
}

/// The limits of a server for each client (in addition to those of the handler).
package struct LoopbackLimits: Sendable {
    /// The most bytes of request line and header; more is answered with 431, or 414.
    package var headerBytes = 16 << 10
    /// The most bytes of content; more is answered with 413.
    package var bodyBytes = 64 << 10
    /// The time for a request to arrive as a whole, counted from the connection or from the response before; and for a
    /// client to take some bytes of a response. Whole seconds.
    package var time = Duration.seconds(5)
    /// The most connections at once for each address; more wait until one is closed.
    package var connections = 64

    /// Whether a request is answered though its client has broken the connection off: a program that brings a redirect may
    /// not wait for the page.
    package var rescues: Bool

    package init(rescues: Bool = false) { self.rescues = rescues }
}
