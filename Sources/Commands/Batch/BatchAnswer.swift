internal import OAuth
internal import Wire

/// What came of a line: the response of the API, or why there is none.
struct BatchAnswer {
    /// What there is to print.
    enum Content {
        case response(HTTPResponseHead, [UInt8])
        case error(JSONObject)
        /// Nothing.
        case none
    }

    /// The line.
    var line: BatchLine
    /// The value of `id`.
    let id: JSON
    /// What there is to print.
    let content: Content
    /// Why the line has failed; nil for success.
    let failure: Failure?

    /// The bytes that it keeps in memory.
    var size: Int { if case .response(_, let content) = content { content.count } else { 0 } }

    /// The answer as an object; nil for nothing.
    var object: JSONObject? {
        switch content {
        case .none: return nil
        case .error(let members):
            return JSONObject(unique: [.init(name: "id", value: id)] + members.members)
        case .response(let head, let content):
            var object: JSONObject = [
                "id": id, "status": .integer(head.status), "headers": .object(CallResult.headers(head)),
            ]
            if content.isEmpty {
                object["body"] = .null
            } else if let value = Self.json(content) {
                object["body"] = value
            } else if let text = String(validating: content, as: UTF8.self) {
                object["body"] = .string(text)
            } else {
                object["body_base64"] = .string(Base64.encode(content))
            }
            return object
        }
    }

    /// The answer as compact JSON text with a line end; empty for nothing. JSON of the API keeps its spelling.
    var text: [UInt8] {
        guard case .response(let head, let content) = content, !content.isEmpty, Self.json(content) != nil else {
            return object.map { JSON.object($0).bytes + [0x0A] } ?? []
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + 1024)
        bytes += #"{"id":"#.utf8
        id.write(to: &bytes)
        bytes += #","status":\#(head.status),"headers":"#.utf8
        JSON.object(CallResult.headers(head)).write(to: &bytes)
        bytes += #","body":"#.utf8
        // A line end is white space in JSON: a string has it escaped.
        if content.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            bytes += content.lazy.filter { $0 != 0x0A && $0 != 0x0D }
        } else {
            bytes += content
        }
        bytes += [UInt8(ascii: "}"), 0x0A]
        return bytes
    }

    /// JSON that may become a part of a line; nil for other content. A byte order mark may not stand inside of JSON.
    private static func json(_ content: [UInt8]) -> JSON? {
        guard content.first != 0xEF else { return nil }
        return try? JSON(parsing: content, depth: JSON.maximumDepthOfPart)
    }
}

/// A line of the input.
struct BatchLine {
    /// Its number, from 1.
    let number: Int
    /// Its checksum; 0 without `--resume`.
    let checksum: UInt64
    /// Its place among the lines that get an answer, from 0.
    let place: Int
    /// Whether the next run sends it again.
    var isOpen = false
}
