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

    /// This route, and of another one what this does not say. A key goes with its certificate.
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
