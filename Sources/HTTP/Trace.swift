internal import CLibCurl
package import Redaction

/// The output of `-v`: connection steps and the heads of requests and responses, as in curl. Contents are shown with
/// `-vv` alone; secrets are masked.
package final class Trace {
    let showsContent: Bool
    private let redactor: Redactor
    private let sink: (String) -> Void
    private var number: Int?
    /// Whether each line begins with the number of its transfer.
    var showsNumber = false
    /// The beginning of a sent line whose end has not been reported.
    private var unfinished: [UInt8] = []

    /// Makes a trace that passes lines, without line ends, to `sink`.
    package init(redactor: Redactor, showsContent: Bool = false, sink: @escaping (String) -> Void) {
        (self.redactor, self.showsContent, self.sink) = (redactor, showsContent, sink)
    }

    /// The trace of one transfer, in the same sink: libcurl mixes the lines of several.
    func part(_ number: Int) -> Trace {
        let part = Trace(redactor: redactor, showsContent: showsContent, sink: sink)
        part.number = number
        return part
    }

    func note(_ kind: curl_infotype, _ data: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT: showSent(data)
        case CURLINFO_HEADER_IN: show(data[...], after: "<") { redactor.redact(headerLine: $0) }
        case CURLINFO_TEXT where Self.told.contains(where: { data.starts(with: $0.utf8) }):
            show(data[...], after: "*") { redactor.redact(url: $0) }
        default: break
        }
    }

    /// Receives a part of a sent head. libcurl reports a long one in pieces; an incomplete last line is held back: its
    /// rest alone would not be recognised as a credential.
    func showSent(_ data: UnsafeRawBufferPointer) {
        guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return unfinished += data }
        let lines = unfinished + data[...end]
        unfinished = Array(data[(end + 1)...])
        lines.withUnsafeBytes { show($0[...], after: ">") { redactor.redact(headerLine: $0) } }
    }

    /// Discards an incomplete line.
    func beginHead() { unfinished = [] }

    /// Shows the beginning of a content, line by line behind curl's signs for data: `}` was sent, `{` was received.
    func show(_ content: Recording.Content, after sign: String) {
        guard showsContent, content.size > 0 else { return }
        let masked = redactor.redact(content: content.bytes)
        guard content.text(masked) != nil else { return sink("\(mark)\(sign) [\(content.size) bytes of binary data]") }
        let shown = masked.prefix(Self.longestContent)
        shown.withUnsafeBytes { show($0[...], after: sign) { $0 } }
        if shown.count < masked.count || content.isCut { sink("\(mark)\(sign) [\(content.size) bytes in all]") }
    }

    private var mark: String { number.flatMap { showsNumber ? "[\($0)] " : nil } ?? "" }

    /// The most bytes of a content that are shown.
    private static let longestContent = 64 << 10

    private func show(_ data: Slice<UnsafeRawBufferPointer>, after sign: String, redacted: (String) -> String) {
        var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        for line in lines {
            let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let text = redacted(String(decoding: bytes, as: UTF8.self))
            sink(mark + (text.isEmpty ? sign : "\(sign) \(text.escapingControls)"))
        }
    }

    /// The beginnings of the libcurl messages to show, of 7.88 to 8.23. Others repeat headers in other forms.
    private static let told = [
        "  Trying ", "Connected to ", "Established connection", "connect to ", "Failed to connect", "Could not resolve",
        "Re-using existing",
        "Reusing existing", "Connection #", "Connection died", "Closing connection", "closing connection",
        "shutting down connection", "SSL connection using", "ALPN: ", "using HTTP/",
        "Server certificate:", " subject: ", " start date: ", " expire date: ", " issuer: ", " subjectAltName: ",
        "  subject: ", "  start date: ", "  expire date: ", "  issuer: ", "  subjectAltName: ",
        " SSL certificate verify",
        "SSL certificate verified", "SSL certificate problem", "SSL: ", "Establish HTTP proxy tunnel", "CONNECT tunnel",
        "Proxy replied", "Operation timed out", "Connection timed out", "Empty reply", "Recv failure", "Send failure",
    ]
}
