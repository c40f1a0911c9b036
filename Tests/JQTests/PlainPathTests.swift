import Testing
import Wire

@testable import JQ

@Suite struct PlainPathTests {
    @Test(
        "a plain path needs no libjq",
        arguments: [
            ".", ".a", ".a.b", ".\"a b\"", ".[\"a\"]", ".a[\"b\"][0]", ".[]", ".[]?", ".a?", ".items[]?.id", ".[-1]",
            ".[0]?.a?",
            ".access_token", ".[].full_name", ".\"é\"", ".and", ".e", ".e1x", ".exp", ".a.\"b\"", ".[999999999]",
        ])
    func taken(filter: String) {
        #expect(PlainPath(filter) != nil)
    }

    @Test(
        "whatever is not certain is left to libjq",
        arguments: [
            "", " ", "..", ".a ", " .a", ".a|.b", ".[0,1]", ".[1:]", ".[1.0]", ".[01]", ".[1000000000]", ".[- 1]",
            ".[\"a\\n\"]", ".a??", ".a.[0]",
            ".e1", ".E12", ".a.e1", ".é", ".a#", ".[\"a\"", ".\"a", ".[0", ".[", ".a.", ".\"a\0\"", "a", "$a", ".1",
            ".[--1]", ".[-]",
        ])
    func refused(filter: String) {
        #expect(PlainPath(filter) == nil)
    }

    /// What libjq gives: the pipe makes it no plain path.
    private func libjq(_ filter: String, _ document: JSON, style: JQOutputStyle = JQOutputStyle()) throws -> FilterRun {
        try FilterRun(".|" + filter, document, style: style)
    }

    @Test("random plain paths give on random documents what libjq gives", arguments: 0..<24)
    func randomInLibrary(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let filters = (0..<10).map { _ in generator.path() }
        for document in (0..<12).map({ _ in generator.value(depth: 4) }) {
            for filter in filters {
                let (ours, theirs) = (try FilterRun(filter, document), try libjq(filter, document))
                #expect(ours.outputs == theirs.outputs, "\(filter) on \(document.text)")
                #expect(ours.ending.comparable == theirs.ending.comparable, "\(filter) on \(document.text)")
            }
        }
    }

    @Test(
        "random plain paths give on random documents what jq gives",
        .enabled(if: JQVersion.is1_6, JQVersion.otherThan1_6), arguments: 0..<24)
    func random(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let filters = (0..<40).map { _ in generator.path() }
        let documents = (0..<12).map { _ in generator.value(depth: 4) }
        // jq shows the outputs of each filter, then 1 and its error if it fails, then a mark.
        let program = filters.map { "(try (\($0) | [0, .]) catch [1, .]), \"mark\"" }.joined(separator: ", ")
        let judge = try JQProcess(["-c", program], input: documents.map(\.text).joined(separator: "\n"))
        try #require(judge.status == 0, "\(judge.error)")
        let answers = String(decoding: judge.output, as: UTF8.self).components(separatedBy: "\"mark\"\n")
        try #require(answers.count == filters.count * documents.count + 1)
        for (number, answer) in answers.dropLast().enumerated() {
            let filter = filters[number % filters.count]
            let document = documents[number / filters.count]
            try #require(PlainPath(filter) != nil, "\(filter)")
            let run = try FilterRun(filter, document)
            var ours = run.outputs.map { "[0,\(String(decoding: $0.bytes, as: UTF8.self))]\n" }.joined()
            if case .failed(let message) = run.ending { ours += "[1,\(JSON.string(message).text)]\n" }
            #expect(ours == answer, "\(filter) on \(document.text)")
        }
    }

    @Test("random documents have libjq's layout", arguments: ["-c", "", "-C", "-C -c"])
    func layoutInLibrary(options: String) throws {
        var generator = Generator(state: 98)
        let style = JQOutputStyle(options: options.split(separator: " ").map(String.init))
        for document in (0..<300).map({ _ in generator.value(depth: 5) }) {
            let theirs = try libjq(".", document, style: style).text
            #expect(
                try JQVersion.comparable(FilterRun(".", document, style: style).text) == JQVersion.comparable(theirs))
        }
    }

    @Test(
        "random documents have jq's layout", .enabled(if: JQVersion.is1_6, JQVersion.otherThan1_6),
        arguments: ["-c", "", "-C", "-C -c"])
    func layout(options: String) throws {
        var generator = Generator(state: 99)
        let documents = (0..<300).map { _ in generator.value(depth: 5) }
        let options = options.split(separator: " ").map(String.init)
        let judge = try JQProcess(options + ["."], input: documents.map(\.text).joined(separator: "\n"))
        let ours = try documents.map { try FilterRun(".", $0, style: JQOutputStyle(options: options)).text }
        #expect(ours.joined() == String(decoding: judge.output, as: UTF8.self))
    }

    @Test("random numbers are written as libjq writes them")
    func numbersInLibrary() throws {
        var generator = Generator(state: 8)
        let document = JSON.array((0..<20_000).map { _ in .number(generator.numberText()) })
        let theirs = try libjq(".[]", document).text.split(separator: "\n")
        try #require(theirs.count == 20_000)
        for (number, expected) in zip(document.array ?? [], theirs) {
            #expect(try FilterRun(".", number).text == expected + "\n", "\(number.text)")
        }
    }

    @Test(
        "random numbers are written as jq writes them", .enabled(if: JQVersion.is1_6, JQVersion.otherThan1_6))
    func numbers() throws {
        var generator = Generator(state: 7)
        let document = JSON.array((0..<20_000).map { _ in .number(generator.numberText()) })
        let judge = try JQProcess([".[]"], input: document.text)
        let theirs = String(decoding: judge.output, as: UTF8.self).split(separator: "\n")
        try #require(theirs.count == 20_000)
        for (number, expected) in zip(document.array ?? [], theirs) {
            #expect(try FilterRun(".", number).text == expected + "\n", "\(number.text)")
        }
    }
}

/// Random values from a seed (SplitMix64), the same on every run.
struct Generator: RandomNumberGenerator {
    var state: UInt64
    private static let names = ["a", "b", "c", "a b", "", "é", "e1", "and", "😀"]

    init(state: UInt64) { self.state = state &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

    mutating func path() -> String {
        var path = ""
        for index in 0..<Int.random(in: 0...5, using: &self) {
            let point = index == 0 ? "." : ""
            switch Int.random(in: 0..<6, using: &self) {
            case 0: path += "." + pick(["a", "b", "c", "and", "e1_"])
            case 1: path += ".\"\(pick(Generator.names))\""
            case 2: path += point + "[\"\(pick(Generator.names))\"]"
            case 3: path += point + "[\(Int.random(in: -4...4, using: &self))]"
            default: path += point + "[]"
            }
            if chance(4) { path += "?" }
        }
        return path.isEmpty ? "." : path
    }

    mutating func value(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(chance(2))
        case 2: return .number(numberText())
        case 3, 4: return .string(text())
        case 5...7: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...5, using: &self) { object[pick(Generator.names)] = value(depth: depth - 1) }
            return .object(object)
        }
    }

    private mutating func text() -> String {
        let alphabet = ["a", "\"", "\\", "\n", "\0", "\u{7F}", "é", "€", "😀", "\u{2028}", " ", "\u{1F}"]
        return (0..<Int.random(in: 0...14, using: &self)).map { _ in pick(alphabet) }.joined()
    }

    mutating func numberText() -> String {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return String(Int.random(in: -1000...1000, using: &self))
        case 1: return String(Int64.random(in: .min ... .max, using: &self))
        case 2:
            let random = Double(bitPattern: next())
            return random.isFinite ? random.description : "1e999"
        case 3:
            return
                "\(chance(2) ? "-" : "")\(Int.random(in: 0...99, using: &self)).\(String(next()).prefix(Int.random(in: 1...19, using: &self)))"
        case 4:
            return
                "\(Int.random(in: 0...9, using: &self))\(chance(2) ? "e" : "E")\(pick(["", "+", "-"]))\(Int.random(in: 0...330, using: &self))"
        default:
            return
                "\(Int.random(in: 1...9, using: &self))\(String(repeating: "0", count: Int.random(in: 0...25, using: &self)))"
        }
    }
}
