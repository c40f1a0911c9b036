internal import Wire
internal import Shell

/// What came of a line: the response of the API, or why there is none.
struct BatchAnswer {
    /// What there is to print.
    enum Content {
        case response(HTTPResponseHead, [UInt8])
        case error(JSONObject)
    }

    var line: BatchLine
    let id: JSON
    let content: Content
    /// Why the line has failed; nil for success.
    let failure: Failure?

    /// The bytes that it keeps in memory.
    var size: Int { if case .response(_, let content) = content { content.count } else { 0 } }

    var object: JSONObject {
        switch content {
        case .error(let members):
            return JSONObject(unique: [.init(name: "id", value: id)] + members.members)
        case .response(let head, let content): return changing(envelope(head)) { $0.add(content: content) }
        }
    }

    private func envelope(_ head: HTTPResponseHead) -> JSONObject {
        ["id": id, "status": .integer(head.status), "headers": .object(head.fields)]
    }

    /// The answer as compact JSON text with a line end. JSON of the API keeps its spelling.
    var text: [UInt8] {
        // A byte order mark may not stand inside of JSON.
        guard case .response(let head, let content) = content, content.first != 0xEF,
            (try? JSON(parsing: content, depth: JSON.maximumDepthOfPart)) != nil
        else { return JSON.object(object).bytes + [0x0A] }
        var bytes = JSON.object(envelope(head)).bytes
        bytes.reserveCapacity(bytes.count + content.count + 16)
        bytes.removeLast()
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
}

/// A line of the input.
struct BatchLine {
    /// The number of the line, from 1.
    let number: Int
    /// The checksum of the line; 0 without `--resume`.
    let checksum: UInt64
    /// The place of the line among those that get an answer, from 0.
    let place: Int
    /// The status of its failure; nil for none.
    var exit: Exit?
    /// Whether the next run sends it again.
    var isOpen = false
    /// What the file of `--resume` says of it.
    var letter: String { isOpen ? "r" : "d" + (exit.map { "\($0.rawValue)" } ?? "") }
}
