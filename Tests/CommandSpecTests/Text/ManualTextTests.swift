import Testing

@testable import CommandSpec

/// The files of prose from which the manual is made.
@Suite("Texts of the manual")
struct ManualTextTests {
    private static let text = ManualText(
        Array(
            """
            what it is about

            # DESCRIPTION

            A paragraph on
            two lines.

            {{shared}}

            # OPTIONS

            ## --name

            The name:

                tool --name x \\
                    --more

            # MORE

            First.

            - a term: What it
              means: this.

            - `other`: That.

            Last.

            ## Below

            {{list}}

            # EXAMPLES

            Print it.

                tool | cat

            It prints:

                one
                  two

            Print nothing.

                tool -q

            """.utf8), values: ["shared": "Shared words."])

    @Test("the lines of a paragraph are joined, a placeholder is replaced, and what is indented is verbatim")
    func paragraphs() {
        #expect(Self.text[""] == "what it is about")
        #expect(Self.text.description == "A paragraph on two lines.\n\nShared words.")
        #expect(Self.text["--name"] == "The name:\n\n    tool --name x \\\n        --more")
    }

    @Test("an example is its text, its commands and what they print")
    func examples() {
        let examples = Self.text.examples
        #expect(examples.map(\.text) == ["Print it.", "Print nothing."])
        #expect(examples.map(\.command) == ["tool | cat", "tool -q"])
        #expect(examples.map(\.output) == ["one\n  two", nil])
    }

    @Test("a page has its sections with lists, smaller headings and the blocks that the program makes")
    func page() {
        let made = ManualBlock.list([ManualItem("`made`", "By the program.")])
        let page = Self.text.page("tool", 7, date: "", inserting: ["list": made])
        #expect(page.summary == "what it is about")
        #expect(page.sections.map(\.title) == ["DESCRIPTION", "OPTIONS", "MORE", "EXAMPLES"])
        let mdoc = page.mdoc
        for lines in [
            ".It No a No term\nWhat it means: this.\n.It Cm other\nThat.\n.El\n", "Last.\n.Ss Below\n",
            ".It Cm made\nBy the program.\n",
        ] {
            #expect(mdoc.contains(lines), "\(mdoc)")
        }
    }

    @Test("a command's page has the sections that its record does not make, and the parts of a section by name")
    func sections() {
        let text = ManualText(Array("# DESCRIPTION\n\na\n\n# MORE\n\nb\n\n# FILES\n\n## x\n\nc\n\n## y\n\nd\n".utf8))
        #expect(text.sections.map(\.title) == ["MORE", "FILES"])
        #expect(text.definitions(in: "FILES").map(\.name) == ["x", "y"])
        #expect(text.definitions(in: "FILES").map(\.text) == ["c", "d"])
    }
}
