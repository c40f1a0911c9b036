/// One command of a program, or a whole program that has no commands: its options, operands and texts.
package struct CommandRecord: Sendable {
    /// The word that selects it, for example `authurl`. A command with the program's own name is the whole program.
    package let name: String
    /// The heading under which the program lists it.
    package let section: String
    /// What it does in one line: lower case, no full stop, at most 60 characters.
    package let summary: String
    /// The text of the manual, in `Markup`.
    package let description: String
    /// The operands in order.
    package let operands: [Operand]
    /// The options in the order in which they are listed.
    package let options: [Option]
    /// The options that are refused with a message.
    package let refused: [RefusedOption]
    /// Whether all words after the first operand are operands, as in `env COMMAND …`.
    package let stopsAtFirstOperand: Bool
    /// The examples of the manual.
    package let examples: [Example]
    /// Further sections of its manual page.
    package let sections: [ManualSection]
    /// The pages to see also, for example `oap-exchange(1)`.
    package let seeAlso: [ManualReference]

    /// Makes a record; see the properties.
    package init(
        _ name: String, section: String, summary: String, description: String, operands: [Operand] = [],
        options: [Option] = [], refused: [RefusedOption] = [], stopsAtFirstOperand: Bool = false,
        examples: [Example] = [], sections: [ManualSection] = [], seeAlso: [ManualReference] = []
    ) {
        self.name = name
        self.section = section
        self.summary = summary
        self.description = description
        self.operands = operands
        self.options = options
        self.refused = refused
        self.stopsAtFirstOperand = stopsAtFirstOperand
        self.examples = examples
        self.sections = sections
        self.seeAlso = seeAlso
    }
}
