internal import CLibCurl
package import Wire

/// Sends requests with libcurl, one at a time; connections are reused.
///
/// TLS 1.2 or newer with all checks, and `https` only, except on loopback. libcurl's automatic features are off: no
/// redirects, cookies, netrc, HSTS or Alt-Svc.
package final class HTTPClient {
    /// What the next requests are sent with.
    package var options: TransportOptions
    private let trace: Trace?
    private let handle: EasyHandle
    /// Whether the system's directory of authorities failed to verify a certificate before.
    private var needsBundle = false

    /// Makes a client, and loads libcurl if necessary.
    package init(options: TransportOptions, trace: Trace? = nil) throws(HTTPError) {
        self.options = options
        self.trace = trace
        handle = try EasyHandle()
    }

    /// Sends a request and returns the whole response, whatever its status; redirects are not followed.
    ///
    /// - Parameters:
    ///   - maximumBody: the most bytes of content that are accepted, after decoding.
    /// - withCertificate: whether to use the client certificate of the options.
    package func send(
        _ request: HTTPRequest, maximumBody: Int, withCertificate: Bool = true
    ) throws(HTTPError) -> HTTPResponse {
        let buffer = ResponseBuffer(limit: maximumBody)
        do {
            try stream(request, withCertificate: withCertificate, receiver: buffer)
        } catch {
            throw buffer.isOverLimit ? .tooLarge(limit: maximumBody) : error
        }
        guard let head = buffer.head else { preconditionFailure("a transfer that succeeds has delivered a head") }
        return HTTPResponse(head: head, body: buffer.content)
    }

    /// Sends a request and hands the response over as it arrives, in constant memory.
    ///
    /// - Parameters:
    ///   - upload: the content, in place of the request's own.
    /// - withCertificate: whether to use the client certificate of the options.
    ///   - receiver: takes the response; it may end the transfer.
    package func stream(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, withCertificate: Bool = true,
        receiver: any ResponseReceiver
    ) throws(HTTPError) {
        let target = try RequestTarget(request.url)
        try request.checkSyntax(hasUpload: upload != nil)
        if target.url.scheme == "https" { try options.checkFiles() }
        let transfer = Transfer(
            url: request.url, upload: upload, receiver: receiver, trace: trace, mayRepeat: request.mayBeRepeated)
        // An earlier request may have read it.
        guard upload?.seek(to: 0) != false else {
            throw .file(path: upload?.name ?? "", message: "was read from a pipe, and cannot be sent again")
        }
        let serverHeaders = HeaderList(toServer: request.headers)
        let proxyHeaders = HeaderList(toProxy: request.headers)
        // The handle must not keep pointers to objects of this call.
        defer { handle.reset() }
        try handle.apply(options, to: target, withCertificate: withCertificate)
        try handle.apply(request, to: target, upload: upload)
        try handle.set(CURLOPT_HTTPHEADER, serverHeaders)
        try handle.set(CURLOPT_PROXYHEADER, proxyHeaders)
        try handle.set(CURLOPT_VERBOSE, trace == nil ? 0 : 1)
        try transfer.attach(to: handle)
        let code = try perform(isTLS: target.url.scheme == "https")
        if let failure = transfer.ownFailure { throw failure }
        guard code == CURLE_OK else {
            throw TransferFailure(code: code, transfer: transfer, handle: handle, target: target, options: options)
                .error
        }
        guard transfer.hasHead else { throw .malformedResponse("the answer of \(target.place) has no head") }
    }

    /// Performs the request. If the directory of authorities does not verify the server's certificate, the bundle is
    /// tried on a second connection. Nothing was sent on the first.
    private func perform(isTLS: Bool) throws(HTTPError) -> CURLcode {
        guard isTLS, !needsBundle, options.caCertificateFile == nil, let bundle = try handle.setBundleAside() else {
            return handle.perform()
        }
        let code = handle.perform()
        guard code == CURLE_PEER_FAILED_VERIFICATION else { return code }
        try handle.set(CURLOPT_CAINFO, bundle)
        needsBundle = true
        return handle.perform()
    }
}
