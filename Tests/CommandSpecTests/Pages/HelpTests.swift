import Foundation
import Testing

@testable import CommandSpec

@Suite struct HelpTests {
    @Test("the short help of a command lists its operands and options in columns")
    func commandHelp() {
        #expect(
            Sample.program.help(for: Sample.call) == """
                usage: oap call [OPTION ...] URL

                call an API

                Operands:
                  URL                  what to call

                Input:
                  -n, --null-input     read no document

                Output:
                  -q, --jq FILTER      shape the result with a jq filter
                  -r, --raw-output     print strings without quotes
                  -o, --output FILE    write to a file

                Request:
                  -H, --header HEADER  an extra header

                see: oap help call

                """)
    }

    @Test("the short help of the program lists the commands under their headings")
    func programHelp() {
        #expect(
            Sample.program.help() == """
                usage: oap COMMAND [OPTION ...] [OPERAND ...]
                       oap --help
                       oap --version

                OAuth 2.0 as a shell pipeline

                Pipeline:
                  authurl        make the authorization request
                  call           call an API

                Managed:
                  store          look after the stored tokens
                  run            run a command

                Support:
                  verify         check files

                Options:
                      --help     print this
                      --version  print the versions

                see: oap help COMMAND, oap-documents(5)

                """)
    }

    @Test("a term that is too wide for its column has the summary on the next line")
    func wideTerm() {
        let help = Sample.program.help(for: Sample.authurl)
        let column = String(repeating: " ", count: 33)
        #expect(
            help.contains(
                "\n      --code-challenge-method METHOD\n\(column)how the verifier is hashed: S256 or plain\n"))
        #expect(help.contains("\n      --client-secret-file PATH  a file with the client's secret\n"))
    }

    @Test("a program without commands shows its own options")
    func soleCommand() {
        let help = Sample.runner.help()
        #expect(help.hasPrefix("usage: oap-sandbox [OPTION ...] [COMMAND ...]\n"))
        #expect(help.contains("--par") && help.contains("--help"))
        #expect(help.hasSuffix("see: man oap-sandbox\n"))
    }

    @Test("no line of any help is wider than 80 columns or ends with a space")
    func width() {
        let all = [nil, Sample.authurl, Sample.call, Sample.store, Sample.verify].flatMap { command in
            [Sample.program.help(for: command), Sample.program.longHelp(for: command)]
        }
        for line in all.joined().split(separator: "\n") {
            #expect(line.count <= 80)
            #expect(line.last != " ")
        }
    }

    @Test("a narrow terminal gets lines of its width, with every summary below its option")
    func narrow() {
        let help = Sample.program.help(for: Sample.store, width: 40)
        #expect(help.contains("\n      --folder FOLDER\n        where the tokens lie\n"))
        for text in [help, Sample.program.help(width: 40), Sample.program.longHelp(for: Sample.store, width: 40)] {
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(text)")
        }
    }

    @Test("bold headings and options take no columns", arguments: [80, 40])
    func emphasis(width: Int) {
        for command in [nil, Sample.authurl, Sample.call, Sample.store, Sample.run] {
            for (plain, bold) in [
                (
                    Sample.program.help(for: command, width: width),
                    Sample.program.help(for: command, width: width, emphasis: .bold)
                ),
                (
                    Sample.program.longHelp(for: command, width: width),
                    Sample.program.longHelp(for: command, width: width, emphasis: .bold)
                ),
            ] {
                #expect(bold != plain)
                #expect(bold.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "") == plain)
                // Each line ends what it begins.
                let marks = bold.split(separator: "\n").filter { $0.contains("\u{1B}[1m") }
                #expect(marks.allSatisfy { $0.count(where: { $0 == "\u{1B}" }) % 2 == 0 })
            }
        }
        let help = Sample.program.help(for: Sample.call, emphasis: .bold)
        #expect(
            help.hasPrefix("\u{1B}[1musage:\u{1B}[0m \u{1B}[1moap\u{1B}[0m \u{1B}[1mcall\u{1B}[0m [OPTION ...] URL\n"))
        #expect(help.contains("\n\u{1B}[1mOutput:\u{1B}[0m\n  \u{1B}[1m-q\u{1B}[0m, \u{1B}[1m--jq\u{1B}[0m FILTER "))
        let page = Sample.program.longHelp(for: Sample.authurl, emphasis: .bold)
        #expect(page.contains("\n\u{1B}[1mOPTIONS\u{1B}[0m\n  \u{1B}[1mClient\u{1B}[0m\n"))
        #expect(page.contains("\n    \u{1B}[1m--par\u{1B}[0m   Uses RFC 9126.\n"))
    }

    @Test("the help of a command shows allowed values, the default, and examples")
    func shown() {
        let help = Sample.program.help(for: Sample.authurl)
        #expect(help.contains("how the verifier is hashed: S256 or plain\n"))
        #expect(
            help.contains(
                "\nExamples:\n  A person logs in (in one pipe):\n    oap provider github |\n        oap authurl"))
        let option = Option(
            "x", argument: "N", choices: ["a", "b"], standard: "a", section: "S", summary: "one", details: "One.")
        #expect(option.fullSummary == "one: a or b (default: a)")
    }

    @Test("the options of many commands are on their own page, and the others on the pages of their commands")
    func common() throws {
        let shared = Option(
            "shared", short: "s", argument: "X", section: "Last", summary: "shared", details: "For all.")
        let commands = ["a", "b", "c", "d"].map { name in
            let same = Option(name, section: "First", summary: "own", details: "Own.")
            let other = Option("other", section: "Last", summary: "other", details: "Other of \(name).")
            return CommandRecord(
                name, section: "S", summary: "s", manual: [.sample("D.")], options: [shared, same, other])
        }
        let program = ProgramRecord(
            "p", summary: "s", manual: .sample("D."), date: "July 1, 2026", commands: commands, lastHeadings: ["Last"],
            optionsPageName: "p-options")
        let page = program.optionsPage("p-options", summary: "s", description: "D.").plainText()
        #expect(page.contains("-s, --shared X") && page.contains("For all.") && !page.contains("--other"))
        let help = program.longHelp(for: commands[0])
        #expect(help.contains("Other of a.") && !help.contains("For all."))
        #expect(help.contains("The following options are described in p-options(7)."))
        #expect(help.contains("-s --shared X."))
        let short = program.help(for: commands[0])
        let places = try ["First:", "Last:"].map { try #require(short.range(of: $0)).lowerBound }
        #expect(places[0] < places[1])
        #expect(short.contains("--shared"))
    }

    @Test("the long help of a command says everything")
    func longHelp() {
        let help = Sample.program.longHelp(for: Sample.authurl)
        let beginning = """
            NAME
                oap-authurl - make the authorization request

            SYNOPSIS
                oap authurl [OPTION ...]

            DESCRIPTION
                Reads a client document and writes a flow. See oap-call(1) for what comes
                later, e.g. `call`.

            """
        #expect(help.hasPrefix(beginning))
        for part in [
            "\n    --client-secret-file PATH\n            The secret is read from PATH, so `ps` never shows it; see\n",
            "\n            Variable: OAP_CLIENT_SECRET_FILE.\n",
            "\n                oap authurl --code-challenge-method plain\n\n"
                + "            The value is `S256` or `plain`.\n",
            "\n            The option may be given more than once.\n",
            "\n    --par   Uses RFC 9126.\n",
            "\n        oap provider github |\n            oap authurl --scope 'repo'\n\n    It prints:\n\n        {\"state\"",
            "\nSEE ALSO\n    oap(1)\n\nSTANDARDS\n    RFC 6749.\n",
        ] {
            #expect(help.contains(part))
        }
    }

    @Test("the long help of the program has the exit statuses, the variables and the files")
    func longProgramHelp() {
        let help = Sample.program.longHelp()
        for part in [
            "\nEXIT STATUS\n    0       Done. Go on.\n\n    70      A defect in `oap`.\n",
            "\n    OAP_CLIENT_ID\n            The same as --client-id: the client's identifier.\n",
            "\nFILES\n    ~/.config/oap\n            The profiles.\n",
            "\n    oap-call(1)\n            call an API\n",
        ] {
            #expect(help.contains(part))
        }
        #expect(help.components(of: "\n    OAP_CLIENT_ID\n") == 2)
    }

    @Test("words are wrapped at 80 columns, and one that is too long stands alone")
    func wrapping() {
        let long = String(repeating: "x", count: 90)
        #expect(TextLayout.wrap("a \(long) b", indent: 2) == ["  a", "  \(long)", "  b"])
        let exact = String(repeating: "y", count: 76)
        #expect(TextLayout.wrap("a \(exact)", indent: 2) == ["  a \(exact)"])
        #expect(TextLayout.wrap("aa \(exact)", indent: 2) == ["  aa", "  \(exact)"])
        #expect(TextLayout.wrap("", indent: 4, first: "  a") == ["  a"])
        #expect(TextLayout.wrap(" ", indent: 4).isEmpty)
    }

    @Test("markup tells options, variables, references, arguments and literals apart")
    func markup() {
        #expect(
            Markup.inlines("`--a-b`, `-n` (`OAP_X`) `oap-call(1)` <NAME> `$x y`")
                == [
                    .option("--a-b"), .text(", "), .option("-n"), .text(" ("), .variable("OAP_X"), .text(") "),
                    .reference(ManualReference("oap-call", 1)), .text(" "), .argument("NAME"), .text(" "),
                    .literal("$x y"),
                ])
        #expect(Markup.inlines("a < b > c ` d `` e") == [.text("a < b > c "), .literal(" d "), .text("` e")])
        #expect(
            Markup.inlines("`--` `-` `S256` `f(x)` `---` `--x=y`").filter { $0 != .text(" ") }
                == ["--", "-", "S256", "f(x)", "---", "--x=y"].map(Inline.literal))
    }

    @Test("paragraphs are separated by blank lines, and indented ones stand as they are")
    func paragraphs() {
        #expect(
            Markup.paragraphs("one\ntwo\n\n    a\n      b\n\n\nthree\n    four")
                == [.running([.text("one two")]), .literal("a\n  b"), .running([.text("three     four")])])
    }
}

extension String {
    /// How many parts a separator cuts it into.
    fileprivate func components(of separator: String) -> Int { split(separator: separator).count }
}
