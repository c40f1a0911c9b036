internal import Wire

/// Assembles the head of the final response from its lines; interim responses (1xx) and trailers are ignored (RFC 9110
/// §15.2, §6.5).
struct ResponseHeadReader {
    /// The longest line that is accepted, in bytes: the limits are those of libcurl.
    static let maximumLine = 100 << 10
    /// The largest head that is accepted, in bytes; interim responses count.
    static let maximumSize = 300 << 10

    enum Outcome {
        /// The head is not complete, or the line is not part of it.
        case incomplete
        case complete(HTTPResponseHead)
        /// The line or the head is larger than this many bytes.
        case tooLarge(limit: Int, String)
    }

    private let url: String
    private var head: HTTPResponseHead?
    private var isDone = false
    private var size = 0

    init(url: String) { self.url = url }

    /// Takes a line with its line end.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Outcome {
        if line.count > Self.maximumLine {
            let name = field(line.trimmed).map { " \($0.name.prefix(64))" } ?? ""
            return .tooLarge(limit: Self.maximumLine, "the header field\(name) of the response")
        }
        size += line.count
        if size > Self.maximumSize { return .tooLarge(limit: Self.maximumSize, "the header of the response") }
        guard !isDone else { return .incomplete }
        let text = line.trimmed
        if head == nil {
            // Only the first line of a head is a status line: `HTTP/` may also begin a field name.
            if line.starts(with: "HTTP/".utf8) { head = statusLine(text) }
        } else if text.isEmpty {
            guard let head = head.take(), head.status >= 200 else { return .incomplete }
            isDone = true
            return .complete(head)
        } else if line.first.map(isWhitespace) ?? false {
            unfold(text)
        } else if let field = field(text) {
            head?.headers.append(field)
        }
        return .incomplete
    }

    private func statusLine(_ text: UnsafeRawBufferPointer) -> HTTPResponseHead {
        let words = text.split(separator: UInt8(ascii: " "), maxSplits: 2)
        let status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
        var head = HTTPResponseHead(statusLine: String(decoding: text, as: UTF8.self), status: status, url: url)
        head.headers.reserveCapacity(16)
        return head
    }

    /// Appends a folded line to the previous field (obs-fold, RFC 9112 §5.2).
    private mutating func unfold(_ text: UnsafeRawBufferPointer) {
        guard let last = head?.headers.indices.last else { return }
        head?.headers[last].value += " " + String(decoding: text, as: UTF8.self)
    }

    private func field(_ text: UnsafeRawBufferPointer) -> HTTPField? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: UnsafeRawBufferPointer(rebasing: text[..<colon]), as: UTF8.self)
        guard name.isHTTPToken else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed
        return HTTPField(name, String(decoding: value, as: UTF8.self))
    }
}

private func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

extension UnsafeRawBufferPointer {
    fileprivate var trimmed: UnsafeRawBufferPointer {
        guard let first = firstIndex(where: { !isWhitespace($0) }),
            let last = lastIndex(where: { !isWhitespace($0) })
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
    }
}
