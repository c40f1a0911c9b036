import CommandSpec

extension ManualText {
    /// The text of a page, as it would be in a file.
    static func sample(_ description: String, examples: [Example] = [], seeAlso: String = "") -> ManualText {
        let verbatim = { (text: String) in text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n") }
        let shown = examples.flatMap { example in
            [example.text, verbatim(example.command)]
                + (example.output.map { ["It prints:", verbatim($0)] } ?? [])
        }
        return ManualText(
            Array(
                (["# DESCRIPTION", description, "# EXAMPLES"] + shown + ["# SEE ALSO", seeAlso]).joined(
                    separator: "\n\n"
                ).utf8))
    }
}
