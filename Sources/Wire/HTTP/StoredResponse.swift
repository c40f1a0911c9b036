/// A response in the cache of one user (RFC 9111). How long it may be used is the user's wish, not the server's.
package struct StoredResponse: Sendable, Equatable {
    private let statusLine: String
    private let headers: [HTTPField]
    package let body: [UInt8]
    /// When the server made or validated it, by the clock of this machine, in seconds since 1970.
    private let date: Int
}

extension StoredResponse {
    /// Takes a response to a GET request that came at `now`, in seconds since 1970; nil unless its status is 200.
    package init?(_ response: HTTPResponse, now: Int) {
        guard response.head.status == 200 else { return nil }
        let headers = response.head.headers
        self.init(
            statusLine: response.head.statusLine, headers: headers.filter(\.isStored), body: response.body,
            date: now - min(CacheControl.age(of: headers), now))
    }

    /// Whether the response may be stored: without `no-store` and `Vary: *` (RFC 9111 §3, §4.1).
    package var mayBeStored: Bool {
        !CacheControl.has("no-store", in: headers)
            && !headers.values(of: "Vary").contains { $0.utf8.contains(UInt8(ascii: "*")) }
    }

    /// Whether it may be used without a request: it is younger than the seconds that the user allows, and the server does
    /// not want to be asked each time (`no-cache`).
    package func isFresh(for seconds: Int, now: Int) -> Bool {
        now >= date && now - date < seconds && !CacheControl.has("no-cache", in: headers)
    }

    /// The fields that ask the server whether it has changed (RFC 9110 §13.1.2, §13.1.3); none without a validator.
    package var conditions: [HTTPField] {
        var fields: [HTTPField] = []
        if let tag = headers.first("ETag"), tag.isEntityTag { fields.append(HTTPField("If-None-Match", tag)) }
        if let date = headers.first("Last-Modified"), HTTPDate(date, now: self.date) != nil {
            fields.append(HTTPField("If-Modified-Since", date))
        }
        return fields
    }

    /// The response after the server has said that it has not changed: the fields of the 304 replace its own, but for
    /// those of the content (RFC 9111 §3.2).
    package func validated(by head: HTTPResponseHead, now: Int) -> StoredResponse {
        let new = head.headers.filter { $0.isStored && !$0.describesContent }
        let kept = headers.filter { field in
            new.values(of: field.name).isEmpty && !field.name.equalsIgnoringASCIICase("Age")
        }
        return StoredResponse(
            statusLine: statusLine, headers: kept + new, body: body, date: now - min(CacheControl.age(of: new), now))
    }

    /// The head. Its `Age` is the time since the server made it (RFC 9111 §5.1).
    package func head(url: String, now: Int) -> HTTPResponseHead {
        let age = HTTPField("Age", String(max(now - date, 0)))
        let others = headers.filter { !$0.name.equalsIgnoringASCIICase("Age") }
        return HTTPResponseHead(statusLine: statusLine, status: 200, headers: others + [age], url: url)
    }
}

extension StoredResponse {
    /// The response as a file: a JSON object in a line, then the content.
    package var bytes: [UInt8] {
        let head: JSONObject = [
            "date": .integer(date), "status_line": .string(statusLine), "size": .integer(body.count),
            "headers": .array(headers.map { .array([.string($0.name), .string($0.value)]) }),
        ]
        return JSON.object(head).bytes + [0x0A] + body
    }

    /// Reads a file; nil for one that is damaged.
    package init?(bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A), let head = (try? JSON(parsing: Array(bytes[..<end])))?.object,
            let date = head["date"]?.integer, let statusLine = head["status_line"]?.string,
            let fields = head["headers"]?.array, head["size"]?.integer == bytes.count - end - 1
        else { return nil }
        let headers = fields.compactMap { field -> HTTPField? in
            guard let parts = field.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string
            else { return nil }
            return HTTPField(name, value)
        }
        guard headers.count == fields.count else { return nil }
        self.init(statusLine: statusLine, headers: headers, body: Array(bytes[(end + 1)...]), date: date)
    }
}

extension HTTPField {
    /// Whether the field belongs to the response, not to the connection (RFC 9111 §3.1).
    fileprivate var isStored: Bool {
        ![
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
            "trailer", "transfer-encoding", "upgrade",
        ].contains(name.asciiLowercased)
    }

    /// Whether the field describes the content that is stored. That of a 304 may be about another coding of it.
    fileprivate var describesContent: Bool {
        let name = name.asciiLowercased
        return name.hasPrefix("content-") && name != "content-security-policy" || name == "etag"
    }
}

extension String {
    /// Whether the text is an entity tag (RFC 9110 §8.8.3), short and in ASCII.
    var isEntityTag: Bool {
        let tag = (hasPrefix("W/") ? dropFirst(2) : self[...]).utf8
        return (2...1024).contains(tag.count) && tag.first == UInt8(ascii: "\"") && tag.last == UInt8(ascii: "\"")
            && tag.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
    }
}
