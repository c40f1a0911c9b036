internal import CLibCurl
internal import Glibc
internal import System
internal import Wire

/// Converts a result code of libcurl to an error.
struct TransferFailure {
    let code: CURLcode
    /// libcurl's message, without the user information of the proxy.
    let detail: String
    /// The system's error number at a failed connection.
    let systemError: Int32
    /// The proxy's status if it refused a tunnel, else 0.
    let proxyStatus: Int
    /// Whether bytes of the request itself were sent.
    let requestSent: Bool
    let hasHead: Bool
    /// Whether the request went over a connection that an earlier one had used.
    let isConnectionKept: Bool
    let target: RequestTarget
    let options: TransportOptions
}

extension TransferFailure {
    /// The error, with a message that has neither secret nor query.
    var error: HTTPError {
        if proxyStatus == 407, let proxy = options.route.proxyAddress {
            return .proxyUser(at: proxy.escapingControls, isRefused: options.route.proxyUser != nil)
        }
        if proxyStatus >= 300 {
            return .proxy(status: proxyStatus, message: "the proxy refused \(target.place) with status \(proxyStatus)")
        }
        if let reason = refusalOfClient {
            let verdict = reason.isMissing ? "wants a client certificate" : "refuses the client certificate"
            return .certificate(.client, message: "\(target.place) \(verdict): \(reason.alert)".escapingControls)
        }
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(target.url.withoutQuery)
        case CURLE_COULDNT_RESOLVE_HOST: return network(.dns, "could not resolve host \(target.host)")
        case _ where detail.hasPrefix("Unsupported proxy"): return .invalidRequest("the proxy has no URL of a proxy")
        case CURLE_COULDNT_RESOLVE_PROXY: return network(.dns, "could not resolve the proxy \(proxyName)")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: return network(.connect, connectMessage)
        case CURLE_OPERATION_TIMEDOUT: return network(.timeout, timeoutMessage)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            let (fault, detail) = (certificateFault, certificateDetail)
            let verdict = fault == .host ? "names other hosts" : "is not trusted"
            return .certificate(
                fault, message: "certificate of host \(target.host) \(verdict): \(detail)".escapingControls)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED:
            return network(isPlain ? .notTLS : .tls, "no TLS connection to \(target.place): \(connectionDetail)")
        case CURLE_SSL_CACERT_BADFILE: return authorityFileError
        case CURLE_SSL_CERTPROBLEM: return certificateFileError
        // libcurl 8 has this code for a key.
        case CURLE_BAD_FUNCTION_ARGUMENT where isPrivateKeyError: return certificateFileError
        // The callback ends a request that libcurl would send again on another connection.
        case CURLE_GOT_NOTHING, CURLE_ABORTED_BY_CALLBACK:
            return network(lost, "\(target.place) closed the connection without a response")
        case CURLE_PARTIAL_FILE: return network(lost, "the response of \(target.place) was cut off: \(detail)")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return network(lost, "connection to \(target.place) broke: \(detail)")
        case CURLE_OUT_OF_MEMORY where requestSent, Self.tooLarge:
            // libcurl's own limit for a header line is 100 KiB.
            return .tooLarge(limit: ResponseHeadReader.maximumLine, of: "a header field of the response")
        default: return .malformedResponse("the response of \(target.place) cannot be read: \(detail)".escapingControls)
        }
    }

    private var lost: HTTPError.Stage { isConnectionKept && !hasHead ? .stale : .read }

    private func network(_ stage: HTTPError.Stage, _ message: String) -> HTTPError {
        .network(stage: stage, message: message.escapingControls, requestSent: requestSent)
    }

    /// The name of the proxy, behind libcurl's own words.
    private var proxyName: Substring {
        let preface = "Could not resolve proxy: "
        return detail.hasPrefix(preface) ? detail.dropFirst(preface.count) : detail[...]
    }

    /// The alert with which the server ended the connection because of the client's certificate (RFC 8446 §6.2), as
    /// OpenSSL names it in a received one; with TLS 1.3 it comes when the request is under way.
    private var refusalOfClient: (alert: Substring, isMissing: Bool)? {
        let words = detail.split(separator: " ")
        guard let place = words.firstIndex(of: "alert") else { return nil }
        let alert = words[(place + 1)...].joined(separator: " ").prefix { $0 != "," }
        switch alert {
        case "certificate required": return (alert, true)
        case "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
            "certificate unknown", "unknown ca":
            return (alert, options.route.certificateFile == nil)
        default: return nil
        }
    }

    private var connectMessage: String {
        // Only libcurl knows whether it used the proxy; its message names the right host.
        if options.route.proxy != nil && !target.url.isLoopback {
            let through = detail.contains(target.host) ? "" : " through the proxy"
            return "no connection to \(target.place)\(through): \(detail)"
        }
        if systemError == ECONNREFUSED { return "connection to \(target.place) refused" }
        let reason = systemError == 0 ? detail : Errno(systemError).description
        return "no connection to \(target.place): \(reason)"
    }

    private var timeoutMessage: String {
        hasHead
            ? "the response of \(target.place) did not end in time: \(detail)"
            : "no response from \(target.place) in time: \(detail)"
    }

    /// OpenSSL's message, without the prefix of libcurl 7.88 or of 8.
    private var certificateDetail: Substring {
        let prefaces = ["SSL certificate problem: ", "SSL certificate OpenSSL verify result: "]
        return detail.dropFirst(prefaces.first { detail.hasPrefix($0) }?.count ?? 0)
    }

    /// The fault, of which only OpenSSL's message tells.
    private var certificateFault: HTTPError.CertificateFault {
        func says(_ text: String) -> Bool { certificateDetail.contains(text) }
        if says("subject name") { return .host }
        return says("has expired") || says("not yet valid") ? .time : .authority
    }

    /// Whether the peer answered the handshake with something else, which OpenSSL takes for TLS of a wrong version.
    private var isPlain: Bool {
        ["wrong version number", "http request", "packet length too long"].contains { detail.contains($0) }
    }

    /// OpenSSL's message; for an answer that is no TLS, and for a closed connection, in other words.
    private var connectionDetail: String {
        let isClosed = ["SSL_ERROR_SYSCALL", "unexpected eof", "reset by peer"].contains { detail.contains($0) }
        guard isPlain || isClosed else { return detail }
        let reason = isPlain ? "its response is not TLS" : "it closed the connection during the handshake"
        guard isPlain || target.url.isLoopback else { return reason }
        return "\(reason); if the server uses plain http, its URL begins with http://"
    }

    private var authorityFileError: HTTPError {
        var files = CertificateFiles()
        guard let path = options.route.caCertificateFile else {
            return .file(path: HTTPError.certificatesOfSystem, message: "there are none")
        }
        let text = (try? files.content(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let isOne = PEMBlock.all(in: text).contains { $0.label == "CERTIFICATE" && $0.isWhole }
        return .file(path: path, message: isOne ? "the line ends of its certificate are gone" : "no certificates in it")
    }

    private var isPrivateKeyError: Bool { detail.contains("private key") }

    private var certificateFileError: HTTPError {
        // libcurl has one code for both files; its message tells which.
        let isKey = isPrivateKeyError
        let certificate = options.route.certificateFile ?? "client certificate"
        let path = (isKey ? options.route.keyFile : nil) ?? certificate
        guard isKey else { return .file(path: path, message: "no usable certificate in it") }
        // OpenSSL refuses a key that is not that of the certificate in the same words as a text that is no key.
        var files = CertificateFiles()
        let text = (try? files.content(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let hasKey = PEMBlock.all(in: text).contains { $0.label.hasSuffix("PRIVATE KEY") && $0.isWhole }
        return .file(
            path: path, message: hasKey ? "it is not the key of \(certificate)" : "no usable private key in it")
    }

    /// CURLE_TOO_LARGE of newer libcurl versions.
    private static let tooLarge = CURLcode(100)
}
