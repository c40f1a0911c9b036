import Foundation
import JQ
import Testing
import Wire

@Suite struct JQFilterTests {
    private let late: JSONObject = [
        "status": .integer(404), "headers": .object(["link": .string("x")]), "url": .string("https://a/"),
    ]

    @Test(
        "late variables have the values of the run, and the filter is the one that was written",
        arguments: [
            ("[$status,$headers.link,$url,.a]", #"[404,"x","https://a/",1]"#),
            ("def f: $status; [f, .a]", "[404,1]"),
            (".a, $status # $url", "1\n404"),
            ("if $status == 404 then .a else . end", "1"),
            (".a = $status", #"{"a":404}"#),
            ("{$status, loc: $__loc__}", #"{"status":404,"loc":{"file":"<top-level>","line":1}}"#),
            ("\n$__loc__.line, $status", "2\n404"),
            ("label $out | .a, break $out, $status", "1"),
            ("$status as $status | [$status, ($ARGS.named | keys)]", "[404,[]]"),
            ("1 as $status | $status", "1"),
            (".status", "null"),
        ])
    func lateVariables(filter: String, expected: String) throws {
        try expectLate(filter, expected)
    }

    @Test(
        "late variables reach a filter that only jq 1.6 reads",
        .enabled(if: JQVersion.is1_6, JQVersion.otherThan1_6),
        arguments: [("path(.a), $ status", "[\"a\"]\n404"), ("def status: $status;", #"{"a":1}"#)])
    func lateVariablesOf1_6(filter: String, expected: String) throws { try expectLate(filter, expected) }

    private func expectLate(_ filter: String, _ expected: String) throws {
        let run = try FilterRun(filter, .object(["a": .integer(1)]), late: late)
        #expect(run.ending == .completed)
        #expect(run.text == expected + "\n")
    }

    @Test(
        "a wrong filter with late variables has the message that it has in jq",
        arguments: [
            "$status) | (2", "$status |", "$status\n)", ".a $status", "$status, $other", "$statuses", "$status} | {",
        ])
    func lateVariablesInWrongFilter(filter: String) throws {
        let judge = try JQProcess(["--argjson", "status", "null", filter], input: "null")
        #expect(throws: JQError.compile(judge.compileFailure)) { try FilterRun(filter, .null, late: ["status": .null]) }
        #expect(!judge.compileFailure.isEmpty)
    }

    @Test("late variables reach a filter that begins with an import")
    func lateVariablesAfterImport() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("jq-modules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("def twice: [., .];".utf8).write(to: folder.appendingPathComponent("m.jq"))
        let filter = "import \"m\" as m {search: \"\(folder.path)\"}; $status | m::twice"
        #expect(try FilterRun(filter, .null, late: late).text == "[404,404]\n")
        let run = try FilterRun(filter + ", $url", .null, arguments: [("status", .null)], late: late)
        #expect(run.text == "[null,null]\n\"https://a/\"\n")
    }

    @Test("an argument hides the late variable of its name")
    func argumentHidesLateVariable() throws {
        let run = try FilterRun("$status, $url", .null, arguments: [("status", .string("mine"))], late: late)
        #expect(run.text == "\"mine\"\n\"https://a/\"\n")
    }

    @Test(
        "a filter runs on one document after the other, also after an error and a halt",
        arguments: [".a", ".a|.", "$status|1"])
    func runsAgain(filter: String) throws {
        var filter = try JQFilter(filter, lateVariables: ["status"])
        for _ in 0..<2 {
            var outputs: [JQOutput] = []
            #expect(
                filter.run(on: .object(["a": .integer(1)]), late: ["status": .null]) { outputs.append($0) }
                    == .completed)
            #expect(outputs.map(\.bytes) == [Array("1".utf8)])
            outputs = []
            if case .completed = filter.run(on: .integer(7), late: [:], emit: { outputs.append($0) }) {
                #expect(!outputs.isEmpty)
            } else {
                #expect(outputs.isEmpty)
            }
        }
        var halting = try JQFilter("if . then halt else . end")
        #expect(halting.run(on: .bool(true)) { _ in } == .halted)
        #expect(halting.run(on: .bool(false)) { _ in } == .completed)
    }

    private struct Stop: Error {}

    @Test(
        "what the receiver of the outputs throws ends the run, and the next run starts afresh",
        arguments: [".[]", "range(.[0];3)", "repeat(.[0])"])
    func receiverEndsRun(filter: String) throws {
        var filter = try JQFilter(filter)
        for _ in 0..<2 {
            var outputs: [[UInt8]] = []
            #expect(throws: Stop.self) {
                _ = try filter.run(on: .array([.integer(1), .integer(2)])) { output in
                    outputs.append(output.bytes)
                    throw Stop()
                }
            }
            #expect(outputs == [Array("1".utf8)])
        }
    }

    @Test("an output tells whether it is false or null", arguments: [".[]", ".[]|."])
    func falseOrNull(filter: String) throws {
        let run = try FilterRun(filter, JSON(parsing: #"[null,false,true,0,"",[],{}]"#))
        #expect(run.outputs.map(\.isFalseOrNull) == [true, true, false, false, false, false, false])
    }

    @Test("libjq is given documents as deep as jq reads, 256 levels, and the short cut takes all that our parser does")
    func depth() throws {
        func nested(_ depth: Int) throws -> JSON {
            try JSON(parsing: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(try FilterRun(".|.", nested(256)).text == nested(256).text + "\n")
        if JQVersion.is1_6 {
            let judge = try JQProcess([".|."], input: nested(257).text)
            #expect(judge.error.contains("Exceeds depth limit for parsing"))
        }
        #expect(try FilterRun(".|.", nested(257)).ending == .failed("Exceeds depth limit for parsing"))
        #expect(try FilterRun(".,($status|empty)", nested(256), late: late).text == nested(256).text + "\n")
        #expect(try FilterRun("$a", .null, arguments: [("a", nested(256))]).text == nested(256).text + "\n")
        #expect(try FilterRun(".", nested(512)).text == nested(512).text + "\n")
        #expect(throws: JQError.compile("an argument: Exceeds depth limit for parsing")) {
            try FilterRun("$a", .null, arguments: [("a", nested(257))])
        }
    }

    @Test("a filter with U+0000 in it is refused, not cut off there", arguments: [".a\0", "1\0)", ".\"\0\""])
    func nulCharacter(filter: String) {
        #expect(throws: JQError.compile("the filter contains U+0000")) { try FilterRun(filter, .null) }
    }

    @Test("there is no name of the input and no module folder")
    func noInputFile() throws {
        #expect(try FilterRun("input_filename, get_search_list", .null).text == "null\n[]\n")
    }

    @Test("long strings and many members come through whole")
    func largeDocument() throws {
        let text = String(repeating: "é😀\0", count: 100_000)
        let members = (0..<5000).map { JSONObject.Member(name: "name \($0)", value: .integer($0)) }
        let document: JSON = .object(JSONObject(unique: members + [.init(name: "text", value: .string(text))]))
        #expect(try FilterRun(".|.", document).text == document.text + "\n")
        #expect(try FilterRun(".text|.", document, style: JQOutputStyle(isRaw: true)).text == text + "\n")
    }
}
