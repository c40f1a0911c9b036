import CommandSpec
import Testing

/// Rules between options, and forms of values, as the parser and the manual take them.
@Suite struct OptionRuleTests {
    private static let one = Option("one", short: "a", section: "S", summary: "one", details: "One.")
    private static let two = Option("two", section: "S", summary: "two", details: "Two, not with `--one`.")
    private static let three = Option(
        "three", argument: "WORD", choices: ["x", "y"], section: "S", summary: "three", details: "`x`, `y`.")
    private static let absent = Option("absent", section: "S", summary: "absent", details: "Absent.")

    private static let cases: [(words: [String], rule: OptionRule, message: String?)] = [
        (["-a", "--two"], OptionRule.apart([one, two]), "-a and --two cannot be combined"),
        (["--two"], .apart([one, two]), nil),
        (
            ["--one", "--three=x"], .apart([one], from: .option(three, values: ["x"])),
            "--one and --three x cannot be combined"
        ),
        (["--one", "--three=y"], .apart([one], from: .option(three, values: ["x"])), nil),
        (
            ["put", "--one"], .apart([one], from: .operand("ACTION", values: ["put"])),
            "--one and put cannot be combined"
        ),
        (["get", "--one"], .apart([one], from: .operand("ACTION", values: ["put"])), nil),
        (
            ["get", "name", "--one"], .apart([one], from: .operand("NAME")),
            "--one and the operand NAME cannot be combined"
        ),
        (
            ["--one", "--two", "--three", "x"], .apart([[one].words, [two].words, [three].words]),
            "--one, --two and --three cannot be combined"
        ),
        (["--one", "--two"], .apart([[one, two].words, [three].words]), nil),
        (["--one"], .needs([one], anyOf: [two, three]), "--one needs --two or --three"),
        (["-a"], .needs([one], anyOf: [two, absent]), "-a needs --two"),
        (["--one", "--two"], .needs([one], anyOf: [two, three]), nil),
        (["--one"], .needs([one], anyOf: [.operand("NAME")]), "--one needs the operand NAME"),
    ]

    private static let values: [(form: ValueForm, good: [String], bad: [String], expectation: String)] = [
        (ValueForm.number(1...3), ["1", "3"], ["0", "4", "", "x", "1.5"], "a whole number from 1 to 3"),
        (.number(from: 0), ["0", "99999999999"], ["-1", "+"], "a whole number from 0"),
        (
            .seconds(takesZero: true), ["0", "0.5", "10"], ["-1", "1e9", "nan", "x", "0x2", "0X1p3"],
            "a number of seconds from 0, below 1000000000"
        ),
        (.seconds(takesZero: false), ["0.5"], ["0"], "a number of seconds above 0, below 1000000000"),
        (.pair, ["a=b", "=", "a=", "a='b'"], ["a", "", "'a=b'", "\"a=b"], "NAME=VALUE"),
        (
            .period, ["45", "30m", "12h", "7d", "0"], ["7w", "d", "-1", "+1", "9999999999d"],
            "a time such as 30m, 12h or 7d"
        ),
        (
            .rate, ["10/s", "0.5/m", "5000/h"], ["10", "0/s", "1/d", "10/", "0.00001/h", "0xA/s"],
            "a number and a unit, such as 10/s, 600/m or 5000/h"
        ),
        (.json, ["{}", "[1]", "null"], ["{", "x", ""], "JSON"),
    ]

    private static func program(_ options: [Option], _ rules: [OptionRule]) -> ProgramRecord {
        let command = CommandRecord(
            "do", section: "S", summary: "do it", manual: [.sample("Does it.")],
            operands: [
                Operand("ACTION", isRequired: false, summary: "what", details: "What."),
                Operand("NAME", isRequired: false, summary: "which", details: "Which."),
            ], options: options, rules: rules)
        return ProgramRecord(
            "oap", summary: "things", manual: .sample("Things."), date: "July 1, 2026", commands: [command])
    }

    @Test(
        "words that contradict or need each other are refused as they were typed",
        arguments: cases)
    func messages(words: [String], rule: OptionRule, message: String?) {
        let program = Self.program([Self.one, Self.two, Self.three], [rule])
        var found: String?
        do throws(UsageError) { _ = try program.parse(["do"] + words) } catch { found = error.message }
        #expect(found == message)
    }

    @Test("the hint of a rule is the hint of its message")
    func hint() throws {
        let program = Self.program([Self.one, Self.two], [.apart([Self.one, Self.two], hint: "leave one out")])
        let error = #expect(throws: UsageError.self) { try program.parse(["do", "--one", "--two"]) }
        #expect(try #require(error).hint == "leave one out")
    }

    @Test("the manual tells the rules of an option, unless its text does")
    func manual() throws {
        let rules: [OptionRule] = [
            .apart([Self.one, Self.two]), .needs([Self.one], anyOf: [Self.three, Self.absent]),
        ]
        let program = Self.program([Self.one, Self.two, Self.three], rules)
        let page = program.manualPage(of: try #require(program.command(named: "do"))).plainText()
        #expect(page.contains("The option cannot be combined with --two. The option needs --three."))
        #expect(!page.contains("cannot be combined with --one"))
    }

    @Test(
        "a value of another form is refused",
        arguments: values)
    func forms(form: ValueForm, good: [String], bad: [String], expectation: String) throws {
        let option = Option("value", argument: "V", form: form, section: "S", summary: "v", details: "V.")
        let program = Self.program([option], [])
        for text in good { #expect(throws: Never.self) { try program.parse(["do", "--value", text]) } }
        for text in bad {
            let error = #expect(throws: UsageError.self, "\(text)") { try program.parse(["do", "--value", text]) }
            #expect(error?.message == "--value must be \(expectation)")
        }
    }
}
