internal import Wire

/// Assembles the head of the final response from its lines; interim responses (1xx) and trailers are ignored (RFC 9110
/// §15.2, §6.5).
struct ResponseHeadReader {
    /// The longest line that is accepted, in bytes: the limits are those of libcurl.
    static let maximumLine = 100 << 10
    /// The largest head that is accepted, in bytes; interim responses count.
    static let maximumSize = 300 << 10

    private let url: String
    private let asksForPart: Bool
    private var head: HTTPResponseHead?
    private var isDone = false
    private var size = 0

    init(of request: HTTPRequest) { (url, asksForPart) = (request.url, request.headers.first("Range") != nil) }

    /// Takes a line with its line end.
    ///
    /// - Returns: the head with its last line; nil for any other line.
    mutating func read(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPResponseHead? {
        if line.count > Self.maximumLine {
            let name = field(line.trimmed).map { " \($0.name.prefix(64))" } ?? ""
            throw .tooLarge(limit: Self.maximumLine, of: "the header field\(name) of the response")
        }
        size += line.count
        if size > Self.maximumSize { throw .tooLarge(limit: Self.maximumSize, of: "the header of the response") }
        guard !isDone else { return nil }
        let text = line.trimmed
        if head == nil {
            // Only the first line of a head is a status line: `HTTP/` may also begin a field name.
            if line.starts(with: "HTTP/".utf8) { head = statusLine(text) }
        } else if text.isEmpty {
            guard let head = head.take(), head.status >= 200 else { return nil }
            isDone = true
            try check(head)
            return head
        } else if line.first.map(isWhitespace) ?? false {
            unfold(text)
        } else if let field = field(text) {
            head?.headers.append(field)
        }
        return nil
    }

    /// Refuses content that can never be whole. libcurl does not count a length beyond its own numbers, and takes any end
    /// for the end. Ranges of another unit are an API's own matter: PostgREST and Heroku page by them.
    private func check(_ head: HTTPResponseHead) throws(HTTPError) {
        let length = head.headers.first("Content-Length") ?? ""
        guard length.isEmpty || Int(length) != nil || length.hasBytes({ !(0x30...0x39).contains($0) }) else {
            throw .tooLarge(limit: .max, of: "the content of the response")
        }
        guard head.status == 206, !asksForPart, let field = head.headers.first("Content-Range"),
            let range = ContentRange(field), range.bytes?.count != range.size
        else { return }
        throw .malformedResponse("the response has a part of the content, although all of it was asked for")
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
