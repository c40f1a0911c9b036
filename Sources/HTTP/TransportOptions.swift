internal import Glibc
internal import System
internal import Redaction
internal import Wire

/// How to reach servers.
package struct TransportOptions: Sendable {
    /// A file of trusted certificates (PEM), beside those of the system.
    package var caCertificateFile: String?
    /// The client certificate (PEM), which may hold its key too (RFC 8705).
    package var certificateFile: String?
    /// The key of the client certificate (PEM), where it stands in a file of its own.
    package var keyFile: String?
    /// The proxy for `https`, a URL or `host:port`. Loopback is never reached through it.
    package var proxy: String?
    /// Hosts that are reached without the proxy, separated by commas.
    package var noProxy: String?
    /// Seconds until a connection must be there, TLS included.
    package var connectTimeout: Double = 10
    /// Seconds that a whole request may take; nil for no limit.
    package var maximumTime: Double?
    /// Whether HTTP/2 is left out.
    package var http11Only = false
    /// Whether compressed answers are asked for, and decoded.
    package var compressed = true
    /// The value of `User-Agent`.
    package var userAgent = "oap"

    /// The defaults, and nothing from the environment.
    package init() {}

    /// The defaults with what the environment says: `https_proxy`, `no_proxy` (also in capitals, where the small ones
    /// are not set), `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`. An empty variable counts as unset. `http_proxy` and
    /// `all_proxy` are not used: plain http goes to loopback only.
    package init(environment: (String) -> String?) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap(environment).first { !$0.isEmpty }
        }
        proxy = first("https_proxy", "HTTPS_PROXY")
        noProxy = first("no_proxy", "NO_PROXY")
        caCertificateFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    }
}

extension TransportOptions {
    /// libcurl's words, which quote a proxy that it cannot make out as it was given, with the user information masked.
    ///
    /// - Parameter meaning: what to say where libcurl says nothing, or may have cut the user information off.
    func withoutProxyUser(_ words: String, else meaning: String) -> String {
        guard !words.isEmpty else { return meaning }
        guard let user = proxyUser?.unicodeScalars else { return words }
        // libcurl's words end after 255 bytes, wherever that is.
        guard user.count < 100 else { return meaning }
        return String(words.unicodeScalars.replacing(user, with: Redactor.mask.unicodeScalars))
    }

    /// What stands before the last `@` of the proxy and behind its scheme, whether or not that makes it a URL.
    private var proxyUser: Substring? {
        guard let proxy, let at = proxy.lastIndex(of: "@") else { return nil }
        let user = proxy[..<at]
        let scheme = user.prefix { $0 != ":" }
        let afterScheme = user[scheme.endIndex...]
        let isScheme = afterScheme.hasPrefix("://") && scheme.utf8.allSatisfy(\.isASCIILetterOrDigit)
        let found = isScheme ? afterScheme.dropFirst(3) : user
        return found.isEmpty ? nil : found
    }

    /// Makes sure that the files of certificates and keys can be read; libcurl's own words do not say which cannot.
    func checkFiles() throws(HTTPError) {
        for path in [caCertificateFile, certificateFile, keyFile].compactMap(\.self) where access(path, R_OK) != 0 {
            throw .file(path: path, message: Errno.current.description)
        }
    }
}
