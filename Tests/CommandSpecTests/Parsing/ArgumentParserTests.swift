import Testing

@testable import CommandSpec

@Suite struct ArgumentParserTests {
    private func parse(_ words: String...) throws -> Arguments { try Sample.program.parse(words) }

    @Test("a value is given behind the name or behind an equals sign")
    func longValues() throws {
        #expect(try parse("authurl", "--client-id", "a").value(Sample.clientID) == "a")
        #expect(try parse("authurl", "--client-id=a=b").value(Sample.clientID) == "a=b")
        #expect(try parse("authurl", "--client-id=").value(Sample.clientID) == "")
    }

    @Test("options and operands come in any order")
    func anyOrder() throws {
        for words in [["call", "/me", "-n"], ["call", "-n", "/me"]] {
            let arguments = try Sample.program.parse(words)
            #expect(arguments.command?.name == "call")
            #expect(arguments.operands == ["/me"])
            #expect(arguments.has(Sample.nullInput))
        }
    }

    @Test("an option is not the one of another command that has its name and means something else")
    func sameName() throws {
        let other = Option("client-id", argument: "ID", section: "Other", summary: "something else", details: "")
        let worded = Option(
            "client-id", argument: "ID", section: "Other", wording: Sample.clientID, summary: "the same", details: "")
        let arguments = try parse("authurl", "--client-id", "a")
        #expect(!arguments.has(other) && arguments.value(other) == nil && arguments.values(other) == [])
        #expect(arguments.has(worded) && arguments.value(worded) == "a")
    }

    @Test("letters may be joined, and the last may carry its value", arguments: [["-nrq", "."], ["-nrq."]])
    func joinedLetters(_ letters: [String]) throws {
        let arguments = try Sample.program.parse(["call", "/me"] + letters)
        #expect(arguments.occurrences.map(\.option) == [Sample.nullInput, Sample.raw, Sample.filter])
        #expect(arguments.value(Sample.filter) == ".")
    }

    @Test("a letter's value is taken whole, whatever it begins with")
    func letterValues() throws {
        #expect(try parse("authurl", "-ofile").value(Sample.output) == "file")
        #expect(try parse("authurl", "-o=file").value(Sample.output) == "=file")
        #expect(try parse("authurl", "-o\u{301}file").value(Sample.output) == "\u{301}file")
        #expect(try parse("authurl", "--output=\u{301}file").value(Sample.output) == "\u{301}file")
    }

    @Test("an option takes the next word even when it begins with a hyphen, as curl does")
    func hyphenValue() throws {
        #expect(try parse("authurl", "--client-id", "--").value(Sample.clientID) == "--")
        #expect(try parse("authurl", "-o", "-").value(Sample.output) == "-")
        #expect(try parse("authurl", "--client-id", "--help").value(Sample.clientID) == "--help")
    }

    @Test("of an option given twice the last counts, and all are kept in order")
    func repeated() throws {
        let arguments = try parse("authurl", "--scope", "a", "--client-id=x", "--scope=b")
        #expect(arguments.value(Sample.scope) == "b")
        #expect(arguments.values(Sample.scope) == ["a", "b"])
        #expect(arguments.occurrences.map(\.option.long) == ["scope", "client-id", "scope"])
        #expect(arguments.values(Sample.filter).isEmpty)
        #expect(arguments.value(Sample.filter) == nil)
    }

    @Test("an option with two placeholders takes two words")
    func twoValues() throws {
        let arguments = try parse("authurl", "--arg", "a", "1", "--arg=b", "-2")
        #expect(arguments.occurrences(of: Sample.arg) == [["a", "1"], ["b", "-2"]])
        let error = #expect(throws: UsageError.self) { try parse("authurl", "--arg", "a") }
        #expect(error?.message == "--arg needs a value: VALUE")
    }

    @Test("two hyphens end the options")
    func endOfOptions() throws {
        #expect(try parse("verify", "-", "--", "-n", "--").operands == ["-", "-n", "--"])
        #expect(try parse("--", "verify", "a").command?.name == "verify")
    }

    @Test("a missing value names the placeholder")
    func missingValue() throws {
        let long = #expect(throws: UsageError.self) { try parse("authurl", "--client-id") }
        #expect(long?.message == "--client-id needs a value: ID")
        #expect(long?.command == "authurl")
        let letter = #expect(throws: UsageError.self) { try parse("authurl", "-no") }
        #expect(letter?.message == "-o needs a value: FILE")
    }

    @Test("a flag takes no value", arguments: ["--null-input=x", "--null-input=", "-n=x", "-rn=x"])
    func flagWithValue(_ word: String) throws {
        let error = #expect(throws: UsageError.self) { try parse("authurl", word) }
        #expect(error?.reason == .unexpectedValue(option: word.hasPrefix("--") ? "--null-input" : "-n"))
    }

    @Test(
        "no name may be abbreviated, and none is read loosely",
        arguments: ["--client", "--CLIENT-ID", "--client-id\u{301}"])
    func noAbbreviation(_ name: String) {
        let error = #expect(throws: UsageError.self) { try parse("authurl", "\(name)=x") }
        #expect(error?.reason == .unknownOption(name))
    }

    @Test("a value must be one of the choices, and the message does not repeat it")
    func choices() throws {
        #expect(try parse("authurl", "--code-challenge-method=plain").value(Sample.method) == "plain")
        #expect(try parse("authurl", "--grant=urn:x").value(Sample.grant) == "urn:x")
        let error = #expect(throws: UsageError.self) { try parse("authurl", "--code-challenge-method", "s256") }
        #expect(error?.message == "--code-challenge-method must be S256 or plain")
        #expect(error?.hint == "capital letters count: S256")
        #expect(throws: UsageError.self) { try parse("authurl", "--code-challenge-method", "S") }
        #expect(throws: UsageError.self) { try parse("store", "ge") }
        let operand = #expect(throws: UsageError.self) { try parse("store", "drop") }
        #expect(operand?.message == "ACTION must be put, get or list")
        #expect(try parse("store", "get", "drop").operand(1) == "drop")
    }

    @Test("operands are counted")
    func operands() throws {
        #expect(try parse("store", "get").operand(1) == nil)
        #expect(try parse("verify").operands.isEmpty)
        #expect(try parse("verify", "a", "b", "").operands == ["a", "b", ""])
        let missing = #expect(throws: UsageError.self) { try parse("call", "-n") }
        #expect(missing?.message == "missing operand: URL")
        let many = #expect(throws: UsageError.self) { try parse("call", "a", "hunter2") }
        #expect(many?.message == "more than one operand given: the one after URL is too many")
        let none = #expect(throws: UsageError.self) { try parse("authurl", "hunter2") }
        #expect(none?.message == "this command takes no operand")
        let three = #expect(throws: UsageError.self) { try parse("store", "get", "a", "b") }
        #expect(three?.message == "more than 2 operands given: the one after NAME is too many")
    }

    @Test("an option of the program answers by itself, before or behind the command")
    func programOptions() throws {
        let alone = try parse("--version", "--bogus", "call")
        #expect(alone.command == nil)
        #expect(alone.has(Sample.version))
        let behind = try parse("call", "-n", "--help", "--bogus")
        #expect(behind.command?.name == "call")
        #expect(behind.has(Sample.help))
    }

    @Test("a program needs a command")
    func noCommand() {
        for words in [[], ["--"]] {
            let error = #expect(throws: UsageError.self) { try Sample.program.parse(words) }
            #expect(error?.message == "no command given")
            #expect(error?.hint == "the commands are authurl, call, store, run and verify")
        }
    }

    @Test("a program without commands reads its own options, up to the command that it runs")
    func soleCommand() throws {
        let arguments = try Sample.runner.parse(["--par", "oap", "--par", "-x"])
        #expect(arguments.occurrences.map(\.option) == [Sample.par])
        #expect(arguments.operands == ["oap", "--par", "-x"])
        let error = #expect(throws: UsageError.self) { try Sample.runner.parse(["--pat"]) }
        #expect(error?.hint == "did you mean --par?")
    }
}
