import JQ
import TestSupport
import Testing
import Wire

/// Filters on a text that arrives in pieces, against libjq on the whole document.
@Suite("A filter on a text in pieces")
struct JQInputTests {
    private struct Run: Equatable {
        var text = ""
        var ending = JQEnding.completed
        var isFalseOrNull: Bool?

        /// The same without what versions of libjq write in other ways.
        var comparable: Run {
            Run(text: JQVersion.comparable(text), ending: ending.comparable, isFalseOrNull: isFalseOrNull)
        }
    }

    private static func pieces(
        _ filter: String, _ text: String, by length: Int, style: JQOutputStyle, late: JSONObject = [:]
    ) throws -> Run {
        var compiled = try JQFilter(filter, lateVariables: late.members.map(\.name))
        return try pieces(&compiled, text, by: length, style: style, late: late)
    }

    private static func pieces(
        _ compiled: inout JQFilter, _ text: String, by length: Int, style: JQOutputStyle, late: JSONObject = [:]
    ) throws -> Run {
        var input = JQInput(for: compiled, late: late, style: style)
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            bytes += try piece.withUnsafeBytes { try input.feed($0, to: &compiled).text }
        }
        let result = try input.finish(&compiled) { bytes += $0 }
        return Run(
            text: String(decoding: bytes, as: UTF8.self), ending: result.ending, isFalseOrNull: result.isFalseOrNull)
    }

    private static func whole(_ compiled: inout JQFilter, _ text: String, style: JQOutputStyle) throws -> Run {
        var run = Run()
        run.ending = compiled.run(on: try value(text), style: style) { output in
            run.text += String(decoding: output.bytes, as: UTF8.self) + "\n"
            run.isFalseOrNull = output.isFalseOrNull
        }
        return run
    }

    /// The value of a text, of members with one name the last.
    private static func value(_ text: String) throws -> JSON {
        var (scanner, builder) = (JSONScanner(), JSONTreeBuilder())
        _ = try Array(text.utf8).withUnsafeBytes { try scanner.scan($0, into: &builder) }
        try scanner.finish(into: &builder)
        return try #require(builder.value)
    }

    private static let styles = [
        JQOutputStyle(), JQOutputStyle(isRaw: true),
        JQOutputStyle(json: JSONStyle(isPretty: true, isColored: true)),
    ]

    /// Compares the ways. For libjq the filter has a prefix, so that it is neither a plain path nor begins with one.
    private static func compare(_ filter: String, _ texts: [String]) throws {
        var inPieces = try JQFilter(filter)
        var onWhole = try JQFilter(". | " + filter)
        for text in texts {
            for style in styles {
                let expected = try whole(&onWhole, text, style: style).comparable
                for length in [1, 2, 7, 65_536] {
                    let run = try pieces(&inPieces, text, by: length, style: style)
                    #expect(run.comparable == expected, "\(filter) on \(text) by \(length)")
                }
            }
        }
    }

    private static let filters = [
        ".", ".a", ".a.b", ".[]", ".[]?", ".[].a", ".[].a?", ".[].a.b", ".a[]", ".a[].b", ".a[]?.b?", ".[0]",
        ".[].a[0]",
        ".[][]", ".[].a[]", ".[\"a\"][-1]", ".a[].b[].a", ".[] | .", ".[]|.a", ".[].a | [.]", ".[] | {a, b: .a}",
        ".[] | .a.b", ".[] | select(.a) | .a, .b", ".[]\n| if . == 2 then error(\"two\") else . end", ".[].a|length",
        ".[][] | tojson", "map(.a)", "[.[]|.a]|length", "keys", ".. | numbers", "length", ".[] |= 1", ".[] | $__loc__",
    ]

    /// Filters that reach a part of a document, and their neighbours.
    private static let projections = [
        "{a}", "{a, c: .a.b}", "{a: {b: .a}, x: [.b[]?]} | .x", "[.[]|.a]|length", "[.[] | .a?] | tojson", "[.[].a]",
        "[.[]?|.a?|.b?]", "[.[] | {a}] | .[0]", "[.a, .b] | tojson", ".a, .b.a", ".a,.b|tojson", "[.a.b, .a] | .[1]",
        "{a: .[0]}", "[.[], .a]", "[.a[]?, .a.b?]", "[.[] | .a, .b]", ".[] | {a: .a?, x: [.b?]}", ".[] | [.[]? | .b?]",
        ".[] | .a?, .b?", "[.[] | .a?] | keys", "{\"a\"}", "{a: .b | .a}", "[.[]|.a]|= 1", "[.[]|.a][0]", "{a} + {b}",
        "[.[] | .a] as $x | $x, .", "{a: (.a)}", "[.[\"a\"]?, .b?]", ".a|.b",
    ]

    private static let documents = [
        "null", "1", "\"a\"", "[]", "{}", "[1,2,3]", "[null,true,\"\\u00e9\\n\\ud83d\\ude00\",-0,1.0,1e1000,[],{}]",
        #"[{"a":1},{"b":2},{"a":{"b":[1,{"a":2}]}}]"#, #"[{"a":1},2,{"a":3}]"#, #"{"a":[{"b":1},{"b":[{"a":2}]}]}"#,
        #"{"a":{"b":{"a":1}},"b":[1]}"#, #"[[1,2],[{"a":3}],[]]"#, #"{"x":1,"y":{"a":2}}"#,
        #"[{"a":null},{"a":false}]"#,
        #"[1,2,3,"four"]"#, #"[[1],{"a":[0,{"b":null}]},{"a":"long text with \" and \\ and \u007f"}]"#,
        "[100000000000000000001,1e-7,0.00001,12345678901234567,-1.50]",
    ]

    @Test("outputs, ending and status are those of libjq on the whole document", arguments: filters + projections)
    func documents(filter: String) throws { try Self.compare(filter, Self.documents) }

    private static let repetitions = [
        #"[{"a":1,"a":2}]"#, #"[{"a":{"b":1},"a":{"b":2}},{"a":3,"b":1,"a":{"b":4}}]"#, #"{"a":[1,2],"a":[3]}"#,
        #"{"a":1,"a":[{"b":1,"b":2}]}"#, #"[{"a":{"b":1,"b":{"a":1}},"x":0,"a":null}]"#, #"{"a":[{"b":1}],"a":5}"#,
        #"{"a":{"b":1},"\u0061":{"b":2}}"#, #"[{"a":[1,2],"a":[{"b":[{"a":1,"a":2}]}]}]"#,
    ]

    @Test(
        "of members with one name the last counts, and what the first gave or failed with is dropped",
        arguments: filters + projections)
    func repeated(filter: String) throws { try Self.compare(filter, Self.repetitions) }

    @Test("generated documents and filters give the same both ways")
    func generated() throws {
        let steps = [".a", ".b", "[]", "[0]", ".a?", "[]?", "[-1]"]
        let rests = ["", "", "", " | .a", "|[.]", " | .a?, .b?", " | tojson", " | select(. != null)"]
        for _ in 0..<40 {
            var path = (0..<Int.random(in: 1..<4)).map { _ in steps.randomElement() ?? "" }.joined()
            if path.hasPrefix("[") { path = "." + path }
            try Self.compare(path + (rests.randomElement() ?? ""), (0..<20).map { _ in Self.document(0) })
        }
    }

    /// A document at random.
    private static func document(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 8)) {
        case 0: return "null"
        case 1: return Bool.random() ? "true" : "false"
        case 2: return ["0", "-1", "2.50", "1e3", "12345678901234567890"].randomElement() ?? ""
        case 3, 4: return #""\#(["", "a", "é", "\\n", "\\u00e9x", "家"].randomElement() ?? "")""#
        case 5:
            let members = (0..<Int.random(in: 0..<4)).map { _ in
                "\"\(["a", "b", "\\u0061", "c"].randomElement() ?? "")\": \(document(depth + 1))"
            }
            return "{\(members.joined(separator: ","))}"
        default:
            let elements = (0..<Int.random(in: 0..<4)).map { _ in document(depth + 1) }
            return "[\(elements.joined(separator: " , "))]"
        }
    }

    @Test("a filter that reaches a part of a document gives the same from that part")
    func projected() throws {
        func path() -> String {
            [".a", ".b", ".[]", ".[]?", ".a.b", ".a?", ".[].a", ".a[]?.b", ".[0]?", ".[]?.a?"].randomElement() ?? ""
        }
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 2 ? 2 : 7)) {
            case 0, 1: path()
            case 2: "{a: \(value(depth + 1))}"
            case 3: "{b, a: \(value(depth + 1))}"
            case 4: "[\(path()) | \(value(depth + 1))]"
            case 5: "[\(value(depth + 1)),\(value(depth + 1))]"
            default: "[\(path())|\(path())| \(value(depth + 1)) , \(value(depth + 1))]"
            }
        }
        let rests = ["", " | tojson", "|[.]", ", .a?", " | .a?", " |length?"]
        for _ in 0..<100 {
            try Self.compare(value(0) + (rests.randomElement() ?? ""), (0..<10).map { _ in Self.document(0) })
        }
    }

    @Test("a text that is not JSON gives no output when it is short", arguments: [".[].a", ".[] | .a", "map(.a)"])
    func broken(filter: String) {
        for length in [1, 7, 4_096] {
            #expect(throws: JQInputError.notJSON("expected ',' or ']' at line 1, column 17")) {
                try Self.pieces(filter, #"[{"a":1},{"a":2}"#, by: length, style: JQOutputStyle())
            }
        }
    }

    @Test("outputs beyond 4 MiB are given while the text arrives", arguments: [".[].a", ".[] | .a"])
    func streamed(filter: String) throws {
        var compiled = try JQFilter(filter)
        var input = JQInput(for: compiled)
        let element = Array(("[" + #"{"a":"\#(String(repeating: "x", count: 1_000))"}"#).utf8)
        let next = Array(",".utf8) + element.dropFirst()
        var count = 0
        for index in 0..<10_000 {
            count += try (index == 0 ? element : next).withUnsafeBytes { try input.feed($0, to: &compiled).text.count }
        }
        #expect(count > 5_000_000)
        let isBuilding = input.isBuilding
        #expect(!isBuilding)
        var failure: JQInputError?
        do throws(JQInputError) {
            _ = try input.finish(&compiled) { _ in Issue.record("an output after the end") }
        } catch {
            failure = error
        }
        #expect(failure == .notJSON("expected ',' or ']' at line 1, column 10090001"))
    }

    @Test("one input takes one text after the other", arguments: filters)
    func texts(filter: String) throws {
        var compiled = try JQFilter(filter)
        var input = JQInput(for: compiled)
        for text in Self.documents + [""] + Self.repetitions {
            let expected = try Self.pieces(filter, text, by: 7, style: JQOutputStyle())
            var bytes = try Array(text.utf8).withUnsafeBytes { try input.feed($0, to: &compiled).text }
            let result = try input.finish(&compiled) { bytes += $0 }
            #expect(String(decoding: bytes, as: UTF8.self) == expected.text, "\(filter) on \(text)")
            #expect(result.ending == expected.ending && result.isFalseOrNull == expected.isFalseOrNull)
        }
    }

    @Test("a member that comes again after outputs of the first were given is an error")
    func tooLate() throws {
        let text = "{\"a\":[\(String(repeating: "\"0123456789\",", count: 500_000))1],\"a\":[]}"
        #expect(throws: JQInputError.self) {
            try Self.pieces(".a[]", text, by: 65_536, style: JQOutputStyle())
        }
    }

    @Test("late variables and halt work as on a whole document")
    func late() throws {
        let run = try Self.pieces(
            ".[] | [., $status]", "[1,2]", by: 2, style: JQOutputStyle(), late: ["status": .integer(200)])
        #expect(run.text == "[1,200]\n[2,200]\n")
        let halted = try Self.pieces(".[] | if . == 2 then halt else . end", "[1,2,3]", by: 2, style: JQOutputStyle())
        #expect(halted == Run(text: "1\n", ending: .halted, isFalseOrNull: false))
    }

    @Test("a text deeper than 256 levels is refused for every filter", arguments: [".a", ".[] | .a", "map(.)"])
    func depth(filter: String) {
        let text = String(repeating: "[", count: 257) + String(repeating: "]", count: 257)
        #expect(throws: JQInputError.notJSON("nested deeper than 256 levels at line 1, column 257")) {
            try Self.pieces(filter, text, by: 64, style: JQOutputStyle())
        }
    }
}
