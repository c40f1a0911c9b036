import RecordChecks
import Testing

@testable import CommandSpec

@Suite struct ValidationTests {
    private func option(
        _ long: String = "name", short: Character? = nil, argument: String? = nil, choices: [String] = [],
        completes: Completion = .nothing, variable: String? = nil, section: String = "S",
        summary: String = "what it does", details: String = "What it does."
    ) -> Option {
        Option(
            long, short: short, argument: argument, choices: choices, completes: completes, variable: variable,
            section: section, summary: summary, details: details)
    }

    private func problems(
        options: [Option] = [], operands: [Operand] = [], refused: [RefusedOption] = [], summary: String = "do it",
        description: String = "Does it.", commands: [CommandRecord] = []
    ) -> [String] {
        let command = CommandRecord(
            "do", section: "S", summary: summary, manual: [.sample(description)], operands: operands, options: options,
            refused: refused)
        return ProgramRecord(
            "oap", summary: "things", manual: .sample("Things."), date: "July 1, 2026", commands: [command] + commands,
            options: [option("help")]
        ).validate()
    }

    @Test("the sample's records are in order")
    func sample() {
        #expect(Sample.program.validate() == [])
        #expect(Sample.runner.validate() == [])
        #expect(Sample.chooser.validate() == [])
        #expect(problems(options: [option()]) == [])
    }

    @Test("a summary is one short line without a capital or a full stop")
    func summaries() {
        for (summary, problem) in [
            ("Print it", "the summary starts with a capital"), ("print it.", "the summary ends with a full stop"),
            (String(repeating: "x", count: 61), "the summary is longer than 60 characters"),
            ("", "the summary is empty"),
            ("a `b`", "the summary has markup or more than one line"),
        ] {
            #expect(problems(options: [option(summary: summary)]) == ["oap do: --name: \(problem)"])
            #expect(problems(summary: summary) == ["oap do: \(problem)"])
        }
        #expect(problems(summary: "JSON and OAuth") == [])
        #expect(problems(summary: "OAuth 2.0") == [])
    }

    @Test("two options with one name or one letter are found, refused and global ones included")
    func duplicates() {
        let refused = RefusedOption("name", short: "n", message: "no", hint: "other")
        #expect(problems(options: [option(), option()]) == ["oap do: two options are named --name"])
        #expect(problems(options: [option("help")]) == ["oap do: two options are named --help"])
        #expect(
            problems(options: [option(short: "n")], refused: [refused]) == [
                "oap do: two options are named --name", "oap do: two options have the letter -n",
            ])
        #expect(problems(commands: [Sample.call, Sample.call]) == ["two commands are named call"])
    }

    @Test("texts are there and their backticks come in pairs")
    func texts() {
        #expect(problems(options: [option(details: " \n")]) == ["oap do: --name: the long text is empty"])
        #expect(problems(options: [option(details: "A `b")]) == ["oap do: --name: a backtick has no partner"])
        #expect(problems(description: "") == ["oap do: the long text is empty"])
    }

    @Test("names, letters, placeholders, variables and words have their form")
    func forms() {
        for (option, problem) in [
            (option("Name"), "--Name: the name is not made of lower case letters, digits, hyphens and dots"),
            (option("a_b"), "--a_b: the name is not made of lower case letters, digits, hyphens and dots"),
            (option(short: "="), "--name: the letter = is neither letter nor digit"),
            (option(section: ""), "--name has no heading"),
            (option(argument: "id"), "--name: the placeholder id is not in capitals"),
            (option(choices: ["a"]), "--name is a flag, but has values to complete"),
            (option(argument: "A", variable: "NAME"), "--name: the variable is NAME, not OAP_NAME"),
            (option(argument: "A", choices: ["$(x)"]), "--name: the word $(x) would need quoting in a shell"),
            (option(argument: "A", completes: .words(["a", "a"])), "--name: the word a is listed twice"),
        ] {
            #expect(problems(options: [option]) == ["oap do: \(problem)"])
        }
        #expect(problems(options: [option("http1.1", argument: "A", variable: "OAP_HTTP1_1")]) == [])
    }

    @Test("only the last operand may be repeated, and none is required behind one that is not")
    func operands() {
        func operand(_ name: String, isRequired: Bool = true, isRepeatable: Bool = false) -> Operand {
            Operand(name, isRequired: isRequired, isRepeatable: isRepeatable, summary: "it", details: "It.")
        }
        #expect(
            problems(operands: [operand("A", isRepeatable: true), operand("B")])
                == ["oap do: A may be repeated, but is not the last operand"])
        let command = Operand("B", isRepeatable: true, followsDashes: true, summary: "it", details: "It.")
        #expect(problems(operands: [operand("A", isRepeatable: true), command]) == [])
        #expect(
            problems(operands: [operand("A", isRequired: false), operand("B")])
                == ["oap do: B is required behind one that is not"])
    }

    @Test("one option with one value decides what completes the operands")
    func decidingOptions() {
        let name = option(argument: "A")
        func operand(_ option: Option, _ words: String...) -> Operand {
            Operand(
                "A", isRequired: false, completes: .byOption(option.long, [.init(["x"], .words(words))]), summary: "it",
                details: "It.")
        }
        #expect(problems(options: [name], operands: [operand(name, "a", "b")]) == [])
        #expect(
            problems(options: [name], operands: [operand(name, "$(x)")])
                == ["oap do: A: the word $(x) would need quoting in a shell"])
        let problem = "oap do: --name decides what completes an operand, but is no option with one value"
        #expect(problems(operands: [operand(name)]) == [problem])
        #expect(problems(options: [option()], operands: [operand(option())]) == [problem])
        let other = option("other", argument: "A")
        #expect(
            problems(options: [name, other], operands: [operand(name), operand(other)])
                == ["oap do: two options decide what completes the operands"])
        #expect(
            problems(options: [option(argument: "A", completes: .byFirst([.init(["a"], .files)]))])
                == ["oap do: --name: only the completion of an operand can depend on another word"])
    }

    @Test("a refused option has a name, a message and a hint")
    func refused() {
        #expect(
            problems(refused: [RefusedOption("x", message: "no", hint: "")])
                == ["oap do: --x has no message or no hint"])
        #expect(
            problems(refused: [RefusedOption(nil, message: "no", hint: "y")]) == [
                "oap do: a refused option has no name"
            ])
    }
}
