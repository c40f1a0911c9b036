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

/// An argument that is not an option.
package struct Operand: Sendable {
    /// Its placeholder, for example `URL`.
    package let name: String
    /// Whether the command fails without it.
    package let isRequired: Bool
    /// Whether it may be given more than once; only the last operand may.
    package let isRepeatable: Bool
    /// The allowed values; empty for any.
    package let choices: [String]
    /// The shell completion if there are no `choices`.
    package let completes: Completion
    /// What it is in one line.
    package let summary: String
    /// The long text for the manual, in `Markup`.
    package let details: String

    /// Makes a record; see the properties.
    package init(
        _ name: String, isRequired: Bool = true, isRepeatable: Bool = false, choices: [String] = [],
        completes: Completion = .nothing, summary: String, details: String
    ) {
        self.name = name
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
        self.choices = choices
        self.completes = completes
        self.summary = summary
        self.details = details
    }

    /// The shell completion: the choices, if there are any.
    var valueCompletion: Completion { choices.isEmpty ? completes : .words(choices) }
}

/// An example of a manual page. The tests run every one against the sandbox, as its page says: it ends with status 0.
package struct Example: Sendable {
    /// What it does, in `Markup`.
    package let text: String
    /// The bash commands, on one or more lines.
    package let command: String
    /// What they print, exactly, without the last line end; nil if it varies or is not shown.
    package let output: String?

    /// Makes a record; see the properties.
    package init(_ text: String, command: String, output: String? = nil) {
        self.text = text
        self.command = command
        self.output = output
    }
}
