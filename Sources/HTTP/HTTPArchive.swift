package import Redaction
internal import System
internal import Wire

/// The exchanges of a process as the entries of an HTTP Archive (HAR 1.2, `--har`), secrets masked.
package struct HTTPArchive {
    private let redactor: Redactor
    private let sink: ([UInt8]) -> Void

    /// An archive that passes each entry, a JSON object, to `sink`.
    package init(redactor: Redactor, sink: @escaping ([UInt8]) -> Void) {
        (self.redactor, self.sink) = (redactor, sink)
    }

    func add(_ recording: Recording) {
        var entry: JSONObject = [
            "startedDateTime": .string(Timestamp.text(milliseconds: recording.start)),
            "time": recording.times.milliseconds,
            "request": .object(request(of: recording)), "response": .object(response(of: recording)),
            "cache": .object([:]), "timings": .object(recording.times.archived),
        ]
        entry["serverIPAddress"] = recording.address.map { .string($0) }
        if let failure = recording.failure, failure != .aborted {
            entry["comment"] = .string(redactor.redact(url: failure.message))
        }
        sink(JSON.object(entry).bytes)
    }

    private func request(of recording: Recording) -> JSONObject {
        let lines = recording.sentHead.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
        let url = redactor.redact(url: WebURL(recording.request.url)?.withoutFragment ?? recording.request.url)
        var request: JSONObject = [
            "method": .string(recording.request.method), "url": .string(url),
            "httpVersion": .string(lines.first.map { String($0.split(separator: " ").last ?? "") } ?? ""),
            "cookies": .array([]),
            "headers": lines.isEmpty
                ? headers(recording.request.headers) : .array(lines.dropFirst().compactMap(header)),
            "queryString": parameters(of: url),
        ]
        if recording.sent.size > 0 {
            var content: JSONObject = [
                "mimeType": .string(recording.request.headers.first("Content-Type") ?? ""),
                "text": text(of: recording.sent).text,
            ]
            content["comment"] = comment(on: recording.sent)
            request["postData"] = .object(content)
        }
        request["headersSize"] = .integer(recording.sentHead.isEmpty ? -1 : recording.sentHead.count)
        request["bodySize"] = .integer(recording.sent.size)
        return request
    }

    private func response(of recording: Recording) -> JSONObject {
        let head = recording.head
        let words = head?.statusLine.split(separator: " ", maxSplits: 2).map(String.init) ?? []
        var content: JSONObject = [
            "size": .integer(recording.received.size),
            "mimeType": .string(head?.headers.first("Content-Type").map { redactor.redact(url: $0) } ?? ""),
        ]
        if recording.received.size > 0 {
            let (text, isBinary) = text(of: recording.received)
            content["text"] = text
            if isBinary { content["encoding"] = .string("base64") }
        }
        content["comment"] = comment(on: recording.received)
        return [
            "status": .integer(head?.status ?? 0),
            "statusText": .string(redactor.redact(url: words.count > 2 ? words[2] : "")),
            "httpVersion": .string(redactor.redact(url: words.first ?? "")), "cookies": .array([]),
            "headers": headers(head?.headers ?? []), "content": .object(content),
            "redirectURL": .string(redactor.redact(url: head?.headers.first("Location") ?? "")),
            "headersSize": .integer(-1), "bodySize": .integer(-1),
        ]
    }

    private func headers(_ fields: [HTTPField]) -> JSON {
        .array(fields.compactMap { header("\($0.name): \($0.value)") })
    }

    private func header(_ line: String) -> JSON? {
        let line = redactor.redact(headerLine: line)
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return Self.pair(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }

    /// The parameters in the query of a URL that is masked.
    private func parameters(of url: String) -> JSON {
        guard let mark = url.firstIndex(of: "?") else { return .array([]) }
        return .array(
            url[mark...].dropFirst().split(separator: "&").map { parameter in
                let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let decoded = parts.map { (try? FormEncoding.decode($0)) ?? String($0) }
                return Self.pair(decoded[0], decoded.count > 1 ? decoded[1] : "")
            })
    }

    private static func pair(_ name: String, _ value: String) -> JSON {
        .object(["name": .string(name), "value": .string(value)])
    }

    /// A content with its secrets masked; in Base64 if it is binary.
    private func text(of content: Recording.Content) -> (text: JSON, isBinary: Bool) {
        let masked = redactor.redact(content: content.bytes)
        guard let text = content.text(masked) else { return (.string(Base64.encode(masked)), true) }
        return (.string(text), false)
    }

    private func comment(on content: Recording.Content) -> JSON? {
        content.isCut ? .string("the first \(content.bytes.count) bytes of \(content.size)") : nil
    }
}

extension Recording.Content {
    /// Bytes of it as text; nil for binary ones. The last character may be cut.
    func text(_ bytes: [UInt8]) -> String? {
        let isBinary = bytes.contains { $0 < 0x20 && !"\t\n\r\u{C}\u{1B}".utf8.contains($0) }
        guard !isBinary else { return nil }
        return isCut ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }
}
