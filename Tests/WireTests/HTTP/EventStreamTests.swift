import Testing
import Wire

@Suite("Event streams")
struct EventStreamTests {
    /// The type, the id and the data of an event.
    private typealias Parts = [String]

    /// The events of a text that arrives in pieces of this length.
    private static func events(_ text: [UInt8], by length: Int = .max, limit: Int = 1 << 20) throws -> [Parts] {
        var stream = EventStream(limit: limit)
        var events: [Parts] = []
        var rest = text[...]
        while !rest.isEmpty {
            // A copy, so that a byte behind the piece is not in the buffer.
            let piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            try piece.withUnsafeBytes { piece in
                var position = 0
                while let event = try stream.next(in: piece, at: &position) {
                    events.append([event.type, event.id, event.data])
                }
                #expect(position == piece.count)
            }
        }
        return events
    }

    private static func event(_ data: String, type: String = "message", id: String = "") -> Parts {
        [type, id, data]
    }

    private static let streams: [(text: String, events: [Parts])] = [
        // The examples of the standard.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [event("first event", id: "1"), event("second event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
        ("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
        // Line ends of every kind, and between them.
        ("data: a\r\ndata: b\rdata: c\n\r\r\n", [event("a\nb\nc")]),
        ("data: a\r\r\ndata: b\r\n\n", [event("a"), event("b")]),
        // Only the first byte order mark is dropped.
        ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
        // The type is that of one event, the id stays; one with U+0000 is ignored.
        (
            "event: add\nid: 7\ndata: a\n\ndata: b\n\nid: 8\u{0}\ndata: c\n\nid\ndata: d\n\n",
            [event("a", type: "add", id: "7"), event("b", id: "7"), event("c", id: "7"), event("d")]
        ),
        // An event without data is none, and its type is forgotten; its id is not.
        ("event: x\nid: 9\n\ndata: a\n\n", [event("a", id: "9")]),
        // Names are compared exactly; other fields and comments are ignored.
        (
            "Data: no\n data: no\ndatax: no\nretry: 10\n:data: no\ndata : no\nevent:\ndata: é家😀: x\n\n",
            [event("é家😀: x")]
        ),
        ("", []), ("data: a\n", []), ("data: a\n\ndata: cut", [event("a")]),
    ]

    @Test("the events of a stream are those of the standard, whatever its pieces", arguments: 0..<streams.count)
    func events(number: Int) throws {
        let (text, expected) = Self.streams[number]
        for length in [1, 2, 3, 5, 7, .max] {
            #expect(try Self.events(Array(text.utf8), by: length) == expected, "\(text) by \(length)")
        }
    }

    @Test("bytes that are not UTF-8 become U+FFFD")
    func invalid() throws {
        let text = Array("data: a".utf8) + [0xFF, 0xE5, 0xAE] + Array("b\n\n".utf8)
        for length in [1, .max] { #expect(try Self.events(text, by: length) == [Self.event("a\u{FFFD}\u{FFFD}b")]) }
    }

    @Test("an event of more bytes than the limit is refused, whether it has one line or many")
    func tooLarge() throws {
        let line = "data: " + String(repeating: "x", count: 94)
        #expect(try Self.events(Array("\(line)\n\n\(line)\n\n".utf8), limit: 100).count == 2)
        for text in ["\(line)x", "data: 1\n\(line)", ":" + String(repeating: "x", count: 100)] {
            for length in [1, .max] {
                #expect(throws: EventStream.TooLarge.self) {
                    try Self.events(Array(text.utf8), by: length, limit: 100)
                }
            }
        }
    }

    @Test(
        "an event is an object, in which data is JSON where it can be, else a string",
        arguments: [
            (#"{"a":[1.10]}"#, #"{"a":[1.10]}"#), ("[DONE]", #""[DONE]""#), ("", #""""#), ("1", "1"),
            (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), (#"1,"data":2"#, #""1,\"data\":2""#), ("null", "null"),
            ("\u{FEFF}1", "\"\u{FEFF}1\""), ("{", #""{""#), ("a\ndata:b", #""a\nb""#), (" [\ndata:1] ", " [\n1] "),
        ])
    func json(data: String, value: String) throws {
        var stream = EventStream(limit: 1000)
        let text = try Array("event: \"\nid: 1\ndata:\(data.first == " " ? " " : "")\(data)\n\n".utf8)
            .withUnsafeBytes { text in
                var position = 0
                return String(decoding: try #require(try stream.next(in: text, at: &position)).json, as: UTF8.self)
            }
        #expect(text == #"{"event":"\"","id":"1","data":\#(value)}"#)
    }
}
