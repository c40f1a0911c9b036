/// Reads an event stream (WHATWG HTML, section 9.2) that arrives in pieces of any size.
///
/// `retry` is ignored: nothing connects again. An event that the end of the text cuts is dropped, as the standard says.
package struct EventStream {
    package struct Event: Sendable, Equatable {
        /// The type of the event; `message` if it has none.
        package var type: String
        /// The last `id` so far; empty if there was none.
        package var id: String
        /// The lines of the event's data, joined with U+000A.
        package var data: String
    }

    /// The text has an event that is larger than the limit.
    package struct TooLarge: Error {}

    private let limit: Int
    /// The line that the last piece cut.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the last byte was a U+000D: a U+000A is part of the same line end.
    private var isBehindReturn = false
    private var type = ""
    private var id = ""
    /// The lines of data, each with a U+000A behind it.
    private var data: [UInt8] = []

    /// A stream whose events, and lines, have at most `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Reads until an event is whole, and moves the position behind it; nil at the end of the piece.
    package mutating func next(in piece: UnsafeRawBufferPointer, at position: inout Int) throws(TooLarge) -> Event? {
        while position < piece.count {
            if isBehindReturn, piece[position] == 0x0A { position += 1 }
            isBehindReturn = false
            let end = piece[position...].firstIndex { $0 == 0x0A || $0 == 0x0D }
            let rest = piece[position..<(end ?? piece.count)]
            guard line.count + data.count + rest.count <= limit else { throw TooLarge() }
            line.append(contentsOf: rest)
            position = rest.endIndex
            guard let end else { return nil }
            isBehindReturn = piece[end] == 0x0D
            position += 1
            defer { line.removeAll(keepingCapacity: true) }
            if let event = endLine() { return event }
        }
        return nil
    }

    /// Interprets a line, and returns the event that it ends.
    private mutating func endLine() -> Event? {
        var text = line[...]
        if isFirstLine, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        isFirstLine = false
        guard !text.isEmpty else { return dispatch() }
        let colon = text.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { text[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: text[..<(colon ?? text.endIndex)], as: UTF8.self) {
        case "data": data += value + [0x0A]
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        default: break
        }
        return nil
    }

    /// The event before an empty line; nil without data.
    private mutating func dispatch() -> Event? {
        defer {
            type = ""
            data = []
        }
        guard !data.isEmpty else { return nil }
        return Event(
            type: type.isEmpty ? "message" : type, id: id, data: String(decoding: data.dropLast(), as: UTF8.self))
    }
}

extension EventStream.Event {
    /// The event as a JSON text: `{"event": …, "id": …, "data": …}`. Data that is a JSON text is the value of `data`, other
    /// data a string.
    package var json: [UInt8] {
        var text = Array(#"{"event":"#.utf8)
        JSON.write(type, to: &text)
        text += #","id":"#.utf8
        JSON.write(id, to: &text)
        text += #","data":"#.utf8
        if isJSON { text += data.utf8 } else { JSON.write(data, to: &text) }
        return text + [UInt8(ascii: "}")]
    }

    private var isJSON: Bool {
        // A byte order mark is allowed at the beginning only.
        data.utf8.first != 0xEF && JSON.isText(Array(data.utf8))
    }
}

extension EventStream {
    /// The events of a whole response as a JSON array of ``Event/json``; nil if one is larger than the limit, in bytes.
    package static func array(of content: [UInt8], limit: Int) -> [UInt8]? {
        var (stream, position, texts) = (Self(limit: limit), 0, [[UInt8]]())
        do throws(TooLarge) {
            try content.withUnsafeBufferPointer { (bytes) throws(TooLarge) in
                let piece = UnsafeRawBufferPointer(bytes)
                while let event = try stream.next(in: piece, at: &position) { texts.append(event.json) }
            }
        } catch {
            return nil
        }
        return [UInt8(ascii: "[")] + texts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
