package import Loopback
package import OAuth
package import Wire
package import Shell

/// Where `listen` listens, from the redirect URI and the options (RFC 8252 §7.3, §8.3).
package struct ListenTarget {
    let redirectURI: WebURL
    package let addresses: [LoopbackAddress]
    package let port: Int
    /// Whether `Host` must be that of the redirect URI: not with `--bind`, since a tunnel may rewrite it.
    let checksHost: Bool
    /// The server certificate for an https redirect URI.
    package let certificate: LoopbackCertificate?

    package init(_ document: Document, _ settings: ListenSettings) throws(Failure) {
        try Self.check(document, settings)
        let bind = settings.bind
        let url = try asFailure(
            document.blaming(Self.receivable(document.required("redirect_uri"), anywhere: bind != nil)))
        redirectURI = url
        checksHost = bind == nil
        addresses = bind.map { [$0.address] } ?? Self.addresses(of: url)
        port = try asFailure(document.blaming(Self.port(of: url, bound: bind?.port)))
        certificate = try Self.certificate(settings)
        if certificate != nil, url.scheme != "https" {
            throw .usage("--tls-certificate-file is given, but redirect_uri is plain http")
        }
    }

    /// The URL of a request as the browser sees it.
    package func url(of request: LoopbackRequest) -> String {
        let text = redirectURI.text
        let authority = text.firstRange(of: "//").map(\.upperBound) ?? text.endIndex
        let end = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        return text[..<end] + request.path + (request.query.map { "?\($0)" } ?? "")
    }

    /// The address of this server, which leads to the login page; nil if others may reach it, for example through a
    /// tunnel: the login URL has the `state`.
    var shortAddress: String? {
        guard checksHost, addresses.allSatisfy(\.isLoopback) else { return nil }
        return "\(redirectURI.scheme)://\(redirectURI.host ?? ""):\(port)/"
    }

    package func isPath(of request: LoopbackRequest) -> Bool {
        request.path == redirectURI.path || (request.path == "/" && redirectURI.path.isEmpty)
    }

    /// Whether the `Host` of a request is that of the redirect URI. An attacker could point another name at this
    /// machine (DNS rebinding).
    func isHost(of request: LoopbackRequest) -> Bool {
        guard checksHost else { return true }
        let expected = "\(redirectURI.host ?? ""):\(port)"
        return request.authority?.equalsIgnoringASCIICase(expected) == true
    }
}

extension ListenTarget {
    /// Checks, before a port is chosen, that `listen` can receive redirects to the redirect URI of a client.
    ///
    /// - Parameter hint: what to do without a certificate.
    /// - Throws: exit 2 or 3 if no redirect can arrive, exit 2 for options that have no effect.
    package static func check(
        _ document: Document, _ settings: ListenSettings,
        hint: String = "without a certificate, hand the redirected URL to oap callback-parse"
    ) throws(Failure) {
        guard let text = try asFailure(document.string("redirect_uri")) else { return }
        if let scheme = SchemeListener.scheme(of: text) {
            guard scheme != "urn" else {
                throw Failure(
                    document.invalid(
                        "redirect_uri", "is a URN, to which no browser can be redirected",
                        hint: "the server shows the code: oap login --paste asks for it"))
            }
            let idle = settings.bind != nil ? ListenOption.bind : settings.key != nil ? ListenOption.certificate : nil
            guard idle == nil else {
                throw .usage("\(idle?.name ?? "") has no effect: the handler of the URL scheme receives the redirect")
            }
            return try SchemeListener.check(document)
        }
        let mode = try asFailure(ResponseMode(of: document))
        guard mode.channel != .fragment else {
            throw Failure(
                document.invalid(
                    "response_mode", "is \(mode.rawValue), but a browser sends no fragment to oap",
                    hint: "hand the redirected URL to oap callback-parse"))
        }
        let hasTunnel = settings.bind != nil
        let url = try asFailure(document.blaming(receivable(text, anywhere: hasTunnel)))
        guard url.scheme != "https" || hasTunnel || settings.certificate != nil else {
            throw Failure(
                .usage, .usage, "redirect_uri is https, which needs --tls-certificate-file and --tls-key-file",
                hint: hint)
        }
    }

    /// The command that forwards the redirect from the machine with the browser, but for the host: `ssh -L
    /// 8765:127.0.0.1:8765`; nil where the redirect URI is not on loopback.
    package static func tunnel(_ document: Document, _ settings: ListenSettings) -> String? {
        guard let url = document.members["redirect_uri"]?.string.flatMap({ WebURL($0) }), url.isLoopback,
            let port = url.port
        else { return nil }
        let bind = settings.bind
        let bound = bind?.address ?? addresses(of: url).first ?? .ipv4
        let address = bound.isAny ? LoopbackAddress.ipv4 : bound
        return "ssh -L \(port):\(address.authority):\(bind?.port ?? port)"
    }

    private static func receivable(_ text: String, anywhere: Bool) throws(OAuthError) -> WebURL {
        if let url = WebURL(text) {
            guard anywhere || url.isLoopback else {
                throw error(
                    "redirect_uri leads to \(url.host ?? ""), not to this machine",
                    hint: "use http://127.0.0.1:0/callback, or --bind if a tunnel forwards the redirect to this machine"
                )
            }
        }
        return try RedirectURI(text).url
    }

    private static func port(of url: WebURL, bound: Int?) throws(OAuthError) -> Int {
        if let bound { return bound }
        let hint = "register a port from 1024 up; or use port 0: oap authurl and oap login choose a free port for it"
        guard let port = url.port else {
            throw error(
                "redirect_uri has no port",
                hint: "set port 0: oap authurl then chooses a free port, and most servers accept any port on loopback")
        }
        guard port != 0 else {
            throw error(
                "redirect_uri has port 0",
                hint: "pass the flow document that oap authurl prints: it has a free port instead of port 0")
        }
        guard port >= 1024 else { throw error("port \(port) of redirect_uri is reserved for root", hint: hint) }
        return port
    }

    /// The loopback addresses that the host of a URL means; none for any other host.
    package static func addresses(of url: WebURL) -> [LoopbackAddress] {
        switch url.host {
        case "localhost": [.ipv4, .ipv6]
        case "[::1]": [.ipv6]
        default: url.host.flatMap { LoopbackAddress(loopback: $0) }.map { [$0] } ?? []
        }
    }

    private static func certificate(_ settings: ListenSettings) throws(Failure) -> LoopbackCertificate? {
        guard case (let chain?, let key?) = (settings.certificate, settings.key) else { return nil }
        let limit = 1 << 20
        return LoopbackCertificate(
            chain: try InputFile.read(chain, limit: limit), key: try InputFile.read(key, limit: limit))
    }

    private static func error(_ message: String, hint: String? = nil) -> OAuthError {
        OAuthError(.usage, message, hint: hint, member: "redirect_uri")
    }
}
