internal import CLibCurl
internal import Wire

extension EasyHandle {
    /// Sets the options that are the same for every request: protocols, TLS, proxy and time limits.
    func apply(
        _ options: TransportOptions, to target: RequestTarget, with certificate: CertificateFiles.Content?
    ) throws(HTTPError) {
        try set(CURLOPT_PROTOCOLS_STR, target.url.scheme)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NOSIGNAL, 1)
        // A used handle whose connection another transfer shares still has its buffer, and refuses this.
        _ = oap_curl_set_long(pointer, CURLOPT_BUFFERSIZE, Self.bufferSize)
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout))
        try set(CURLOPT_TIMEOUT_MS, milliseconds(options.maximumTime ?? 0))
        try set(CURLOPT_USERAGENT, options.userAgent)
        if options.http11Only { try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
        if !options.keepsConnection { try set(CURLOPT_FORBID_REUSE, 1) }
        // Without TLS only the first response would say that the server does not speak HTTP/2.
        if options.multiplexes, target.url.scheme == "https" { try set(CURLOPT_PIPEWAIT, 1) }
        try applyProxy(options, to: target)
        if let signature = options.signature {
            try set(CURLOPT_AWS_SIGV4, signature.scope)
            try set(CURLOPT_USERPWD, "\(signature.keyID):\(signature.secret)")
        }
        if target.url.scheme == "https" { try applyTLS(options, certificate) }
    }

    func apply(_ request: HTTPRequest, to target: RequestTarget, upload: (any ContentSource)?) throws(HTTPError) {
        try set(CURLOPT_URL, target.url.withoutFragment)
        // The URL is sent as it was signed (RFC 9449 §4.2): the server resolves `..` in a path, and libcurl 8.23 would
        // write `%7e` as `%7E`. A proxy for http needs the whole URL in the request.
        try set(CURLOPT_PATH_AS_IS, 1)
        if target.url.scheme == "https" || target.url.isLoopback, target.url.path.contains("%") {
            try set(CURLOPT_REQUEST_TARGET, target.url.path + (target.url.query.map { "?\($0)" } ?? ""))
        }
        if let upload {
            try set(CURLOPT_UPLOAD, 1)
            try set(CURLOPT_INFILESIZE_LARGE, size: upload.size ?? -1)
        } else if let content = request.body ?? (request.methodWantsContent ? [] : nil) {
            try set(content: content)
        } else if request.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        }
        try set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    /// Sets the proxy, or none, so that libcurl does not read the environment.
    private func applyProxy(_ options: TransportOptions, to target: RequestTarget) throws(HTTPError) {
        let proxy = options.route.proxy.map { target.url.isLoopback ? "" : $0 }
        try set(CURLOPT_PROXY, proxy ?? "")
        try set(CURLOPT_NOPROXY, options.route.noProxy ?? "")
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func applyTLS(
        _ options: TransportOptions, _ certificate: CertificateFiles.Content?
    ) throws(HTTPError) {
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = options.route.caCertificateFile {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_PROXY_CAINFO, file)
        }
        guard let certificate else { return }
        try set(CURLOPT_SSLCERT_BLOB, copying: certificate.certificate)
        try set(CURLOPT_SSLKEY_BLOB, copying: certificate.key)
        // Whatever OpenSSL may take for an encrypted key, it must not ask for a password on the terminal.
        try set(CURLOPT_KEYPASSWD, "")
    }

    /// Uses the system's directory of certificates, and returns the path of the bundle, to be used only if needed; nil
    /// if the system has no such directory. OpenSSL takes 20 ms for the bundle, but almost no time for one file of the
    /// directory.
    func setBundleAside() throws(HTTPError) -> String? {
        guard info(text: CURLINFO_CAPATH) != nil, let bundle = info(text: CURLINFO_CAINFO) else { return nil }
        try unset(CURLOPT_CAINFO)
        return bundle
    }

    /// The size of the buffer for reading, in bytes: a multiple of the 16 KiB that libcurl passes on at most. The 100 KiB
    /// of the curl program need a third more reads, and 12 % more writes.
    static let bufferSize = 128 << 10

    /// Milliseconds for libcurl; 0 means no limit.
    private func milliseconds(_ seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        return Int(min(max(1, seconds * 1000), Double(Int32.max)))
    }
}

extension HTTPRequest {
    /// Whether the method is one whose requests have a length even without content (RFC 9110 §8.6).
    var methodWantsContent: Bool { ["POST", "PUT", "PATCH"].contains(method) }
}
