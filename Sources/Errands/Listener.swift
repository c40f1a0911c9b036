package import System
internal import Wire

package struct Watched: Equatable {
    package enum Event: Sendable {
        case readable, writable
        /// The other end is closed.
        case closed
    }

    package let descriptor: Int32
    /// The event that is waited for; the end of the other side is always noticed.
    package let event: Event

    package init(_ descriptor: Int32, _ event: Event = .readable) {
        (self.descriptor, self.event) = (descriptor, event)
    }

    /// What is waited for, by the bits that poll(2) or a library has for it.
    package func events(_ readable: Int32, _ writable: Int32) -> Int16 {
        switch event {
        case .readable: Int16(readable)
        case .writable: Int16(writable)
        case .closed: 0
        }
    }
}

/// Something besides transfers and errands that is waited for: a server, a pipe, a terminal.
package protocol Listener: AnyObject {
    /// What the listener waits for now. Asked before each wait.
    var watched: [Watched] { get }
    /// When the listener has something to do though no descriptor is ready; nil for never.
    var due: MonotonicTime? { get }
    /// Does what can be done without waiting.
    ///
    /// - Parameter ready: the watched descriptors that are ready for what it waits for; none when it is only due.
    func serve(_ ready: [Int32])
}

/// Descriptors that are waited for beside other work: a browser, a terminal, the reader of the result.
package final class DescriptorWatch: Listener {
    package var watched: [Watched]
    /// Called with those that are ready. It is called again until they are not, or not watched.
    package var notify: ([Int32]) -> Void

    package init(_ watched: [Watched] = [], notify: @escaping ([Int32]) -> Void = { _ in }) {
        (self.watched, self.notify) = (watched, notify)
    }

    package var due: MonotonicTime? { nil }

    package func serve(_ ready: [Int32]) { notify(ready) }
}

/// The files and the proxy with which a server is reached.
package struct Route: Sendable, Equatable {
    /// A file of trusted certificates (PEM), in addition to the system's.
    package var caCertificateFile: String?
    /// The client certificate (PEM), which may hold its key too (RFC 8705).
    package var certificateFile: String?
    /// The key of the client certificate (PEM), if it is in a separate file.
    package var keyFile: String?
    /// The proxy for `https`, a URL or `host:port`.
    package var proxy: String?
    /// Hosts that are reached without the proxy, separated by commas.
    package var noProxy: String?

    package init() {}

    /// The user and the password in the URL of the proxy, as they stand before the host.
    package var proxyUser: Substring? { proxy?.userBeforeHost }

    /// The proxy without its user and password.
    package var proxyAddress: String? {
        guard let proxy, let user = proxyUser else { return proxy }
        return String(proxy[..<user.startIndex] + proxy[user.endIndex...].dropFirst())
    }

    /// This route, completed with what another one says. A key goes with its certificate.
    package func over(_ other: Route) -> Route {
        var route = self
        if certificateFile == nil {
            (route.certificateFile, route.keyFile) = (other.certificateFile, keyFile ?? other.keyFile)
        }
        route.caCertificateFile = caCertificateFile ?? other.caCertificateFile
        (route.proxy, route.noProxy) = (proxy ?? other.proxy, noProxy ?? other.noProxy)
        return route
    }
}
