package import Errands
internal import Glibc
internal import System
internal import Redaction
internal import Wire

/// How to reach servers.
package struct TransportOptions: Sendable {
    /// The files, and the proxy, through which loopback is never reached.
    package var route = Route()
    /// The time limit for connecting, TLS included, in seconds.
    package var connectTimeout: Double = 10
    /// The time limit for a request in seconds; nil for no limit.
    package var maximumTime: Double?
    /// See ``ServerRequest/mayBegin``.
    package var mayBegin: (@Sendable () -> Bool)?
    package var signature: AWSSignature?
    package var answersSecret = false
    package var http11Only = false
    /// Whether a request waits for a connection that is being made, in case that it can take several requests at a time.
    package var multiplexes = false
    /// Whether the connection may be used by a later request.
    package var keepsConnection = true
    /// Whether compressed responses are requested and decoded.
    package var compressed = true
    package var userAgent = "oap"
    /// Whether the hosts of metadata services are reached over plain http, as loopback is.
    private(set) var reachesMetadata = false

    /// The defaults with the variables `https_proxy`, else `all_proxy`, and `no_proxy` (or in capitals, if the lower-case
    /// ones are not set), `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`. An empty variable counts as unset. `http_proxy` is not
    /// used: plain http goes to loopback only.
    package init(environment: (String) -> String?) {
        func first(_ names: String...) -> String? { names.lazy.compactMap(environment).first { !$0.isEmpty } }
        route.proxy = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        route.noProxy = first("no_proxy", "NO_PROXY")
        route.caCertificateFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    }
}

extension TransportOptions {
    /// Makes them those of a request to the metadata service of the machine, which is near or not there at all.
    package mutating func reachMetadata() {
        (route, reachesMetadata) = (Route(), true)
        (connectTimeout, maximumTime) = (1, 5)
    }

    /// libcurl's message, with the user information masked: it quotes a proxy that it cannot parse. `meaning` takes its
    /// place if there is none, or it may have truncated the user information.
    func withoutProxyUser(_ words: String, else meaning: String) -> String {
        guard !words.isEmpty else { return meaning }
        guard let user = route.proxyUser.map(String.init) else { return words }
        // libcurl truncates its message after 255 bytes.
        guard user.unicodeScalars.count < 100 else { return meaning }
        return words.replacing(user, with: Redactor.mask)
    }

    /// Checks that the file of trusted certificates can be read, unless it is among those in `checked`; libcurl's message
    /// does not say which file failed.
    func checkFile(_ checked: inout [String]) throws(HTTPError) {
        guard let path = route.caCertificateFile, !checked.contains(path) else { return }
        guard access(path, R_OK) == 0 else { throw .file(path: path, message: Errno.current.description) }
        checked.append(path)
    }
}
