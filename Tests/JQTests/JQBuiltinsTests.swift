import Foundation
import TestSupport
import Testing
import Wire

@testable import JQ

/// libjq 1.6 with the builtins that a filter calls, against libjq with all of them.
@Suite struct JQBuiltinsTests {
    private struct Stop: Error {}

    /// What a filter gives on each of ``inputs``, or why it does not compile.
    private func results(of filter: String, wholeBuiltins: Bool) throws -> String {
        var lines: [String] = []
        do throws(JQError) {
            let program = try JQProgram.compile(filter, arguments: [], wholeBuiltins: wholeBuiltins)
            for input in JQBuiltinsTests.inputs {
                // Some filters have outputs without end.
                let most = lines.count + 20
                do throws(Stop) {
                    let ending = try program.run(on: input, style: JQOutputStyle()) { output throws(Stop) in
                        lines.append(String(decoding: output.bytes, as: UTF8.self))
                        if lines.count == most { throw Stop() }
                    }
                    lines.append("\(ending)")
                } catch { lines.append("…") }
            }
        } catch { lines.append("\(error)") }
        return lines.joined(separator: "\n")
    }

    private func keptBuiltins(_ filter: String) throws -> Int? {
        try JQProgram.compile(filter, arguments: []).keptBuiltins
    }

    @Test(
        "libjq 1.6 parses only the builtins that a filter calls, and a later one parses its own",
        arguments: [(".|.", 50), ("map(.a)", 100), ("\"\\(1map(.))\"?", 100), ("with_entries(.value |= 1)", 1000)])
    func fewBuiltins(filter: String, most: Int) throws {
        guard JQVersion.is1_6 else {
            #expect(try keptBuiltins(".|.") == nil)
            return
        }
        #expect(try #require(try keptBuiltins(".|.")) < most)
    }

    @Test("all builtins are parsed for a filter that lists them or imports a module, which may call any")
    func allBuiltins() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jq-modules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("def ids: map(.id) | with_entries(.);".utf8).write(to: folder.appendingPathComponent("m.jq"))
        let search = "{search: \"\(folder.path)\"}"
        for filter in ["import \"m\" as m \(search); m::ids", "include \"m\" \(search); ids", "builtins | length"] {
            #expect(try keptBuiltins(filter) == nil)
        }
        #expect(try FilterRun("import \"m\" as m \(search); [m::ids]", JSON(parsing: "[]")).text == "[{}]\n")
    }

    @Test("only the builtins of jq 1.6 are changed, not a text that differs in one byte")
    func otherText() throws {
        let library = try Data(contentsOf: URL(fileURLWithPath: #require(JQLibrary.path)))
        let start = try #require(library.range(of: Data("def halt_error: halt_error(5);\n".utf8))).lowerBound
        let text = Array(library[start...].prefix { $0 != 0 })
        func blanked(_ text: [UInt8]) -> [UInt8]? {
            var (text, builtins) = (text, JQBuiltins(for: "map(.)"))
            return text.withUnsafeMutableBufferPointer { builtins.blankUnused(in: $0) } ? text : nil
        }
        guard JQVersion.is1_6 else {
            #expect(blanked(text) == nil)
            return
        }
        let left = String(decoding: try #require(blanked(text)), as: UTF8.self)
        #expect(left.count == text.count)
        #expect(
            left.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == [
                "def error: error(.);", "def map(f): [.[] | f];", "",
            ])
        var other = text
        other[5000] ^= 1
        #expect(blanked(other) == nil)
        #expect(blanked(text.dropLast(1000)) == nil)
        #expect(blanked([]) == nil)
    }

    /// No builtin with `.` for its arguments runs on these without an output forever.
    private static let inputs: [JSON] = [
        .string("ab"), .object(["a": .array([.integer(1), .string("b")])]), .integer(1), .array([]),
    ]

    /// What depends on the time or writes to standard error, and what aborts in libjq 1.6 for a number.
    private static let excluded = [
        "now/0", "localtime/0", "mktime/0", "debug/0", "stderr/0", "strftime/1", "strflocaltime/1",
    ]

    @Test("each builtin gives the same")
    func eachBuiltin() throws {
        let names = try FilterRun("builtins | .[]", .null).outputs.map { try JSON(parsing: $0.bytes).string ?? "" }
        #expect(names.count > 150)
        for name in names where !JQBuiltinsTests.excluded.contains(name) {
            let parts = name.split(separator: "/")
            let arguments = Array(repeating: ".", count: Int(parts[1]) ?? 0).joined(separator: ";")
            let filter = arguments.isEmpty ? "\(parts[0])" : "\(parts[0])(\(arguments))"
            for filter in [filter, "[.[]? |= \(filter)] | \(filter)"] { try agrees(filter) }
        }
    }

    private static let lexical = #"""
        "\("a \("\(map(.))")")" ¦ 1map(.) ¦ 1e5map(.) ¦ 1.e5map(.) ¦ ..e5map(.) ¦ 1|2and first ¦ map ¦ map(.;.) ¦ a::map(.)
        {map: 1, first: 2} | .map, .first ¦ def map: first; map ¦ def first(f): f; first(first) ¦ "map(.) # " | first(length)
        $__loc__ | .line ¦ $ENV.HOME | type ¦ @base64 "\(first(.))" ¦ {"a\(first(1))": 2} ¦ {(first("a", 2)): 3} ¦ .[first(0)]?
        .a[1:last(2)]? ¦ . as {(first("a")): $x}? | $x ¦ . as {(first("a")): $x} | $x ¦ . as [$x] ?// $x | [$x] ¦ .. ¦ ..? ¦ [..|=.]
        .a?//=1 ¦ .a?|=empty ¦ try error catch . ¦ .a.b? ¦ label $x | 1, break $x, 2 ¦ break $x ¦ -first(1) ¦ builtins
        reduce first(1) as $x (0; . + $x) ¦ _modify(.; .) ¦ _assign(.a; 1)? ¦ recurse(1; 2) ¦ nosuch(map(.)) ¦ nosuch ¦ nosuch | map
        first( ¦ "\(first(" ¦ import "x" as map; . ¦ limit(3; repeat(1)) ¦ input_line_number ¦ modulemeta ¦ "a" | modulemeta
        halt_error ¦ error(null) ¦ def f: def first: 1; first; f, first(2) ¦ def select(f): 1; map(select(.)) ¦ [1, [2]] | getpath([1, 0])
        """#.split { $0 == "¦" || $0 == "\n" }.map { $0.trimmingCharacters(in: .whitespaces) } + [
            "# map(.)\n.", "first # (\n(1)",
        ]

    @Test(
        "a name is found wherever the lexer of jq finds one, and a wrong filter has the same message",
        arguments: lexical
    )
    func tokens(filter: String) throws { try agrees(filter) }

    private func agrees(_ filter: String) throws {
        #expect(
            try results(of: filter, wholeBuiltins: false) == results(of: filter, wholeBuiltins: true), "\(filter)")
    }

    /// `JQ_RANDOM_FILTERS` sets another number.
    private static let batches =
        (ProcessInfo.processInfo.environment["JQ_RANDOM_FILTERS"].flatMap(UInt64.init) ?? Extent.of(1000, all: 10_000))
        / 50

    @Test(
        "a random filter gives the same", .enabled(if: JQVersion.is1_6, "only the builtins of libjq 1.6 are changed"),
        arguments: 0..<batches)
    func random(seed: UInt64) throws {
        var filters = RandomFilter(seed: seed)
        let input = try JSON(parsing: JQBuiltinsTests.documents[Int(seed) % JQBuiltinsTests.documents.count])
        // Each filter's outputs, then 1 and its error if it fails. The builtins are parsed whole once for all of them.
        let batch = (0..<50).map { _ in "try ((\(filters.filter(depth: 4))\n) | [0, .]) catch [1, .]" }
        let whole = try JQProgram.compile(
            batch.map { "[\($0)]" }.joined(separator: ", "), arguments: [], wholeBuiltins: true)
        var expected: [String] = []
        let ending = whole.run(on: input, style: JQOutputStyle()) {
            expected.append(String(decoding: $0.bytes, as: UTF8.self))
        }
        #expect(ending == .completed)
        try #require(expected.count == batch.count)
        for (filter, expected) in zip(batch, expected) {
            let program = try JQProgram.compile("[\(filter)]", arguments: [])
            var texts = ""
            _ = program.run(on: input, style: JQOutputStyle()) { texts += String(decoding: $0.bytes, as: UTF8.self) }
            #expect(texts == expected, "\(filter)")
        }
    }

    private static let documents = [
        "null", #"[1,"ab",null,[2,{"a":1}]]"#, #"{"a":1,"b":["ab",2,{"a":null}],"map":"x"}"#, #""abcab""#,
        "[[1,2],[3]]",
    ]
}
