/// One command of a program, or a whole program that has no commands: its options, operands and texts.
package final class CommandRecord: Sendable {
    /// The word that selects it, for example `authurl`. A command with the program's own name is the whole program.
    package let name: String
    /// The heading under which the program lists it.
    package let section: String
    /// What the command does in one line: lower case, no full stop, at most 60 characters.
    package let summary: String
    /// The text of the manual, in `Markup`.
    package var description: String { manual().first?.description ?? "" }
    package let operands: [Operand]
    /// The options in the order in which they are listed.
    package let options: [Option]
    /// Whether all words after the first operand are operands, as in `env COMMAND …`.
    package let stopsAtFirstOperand: Bool
    /// The rules about options and operands that cannot be combined, or need another.
    package var rules: [OptionRule] { makeRules() }
    /// The options that are refused with a message.
    package var refused: [RefusedOption] { makeRefused() }
    /// What to do about too many operands, by the operands and the options that are given; nil for the usual.
    let surplus: @Sendable (_ operands: [String], _ options: [Option]) -> String?
    package var examples: [Example] { manual().first?.examples ?? [] }
    /// Further sections of its manual page.
    package var sections: [ManualSection] { makeSections() ?? manual().first?.sections ?? [] }
    /// The pages to see also, for example `oap-exchange(1)`.
    package var seeAlso: [ManualReference] { manual().first?.references ?? [] }
    private let manual: @Sendable () -> [ManualText]
    private let makeRules: @Sendable () -> [OptionRule]
    private let makeRefused: @Sendable () -> [RefusedOption]
    private let makeSections: @Sendable () -> [ManualSection]?

    /// Makes a record; see the properties. What only help, manual and messages need is made when it is asked for.
    ///
    /// - Parameters:
    ///   - manual: its own text, then those that have the details of options of other commands.
    ///   - sections: further sections, if they are not those of its text.
    package init(
        _ name: String, section: String, summary: String,
        manual: @autoclosure @escaping @Sendable () -> [ManualText], operands: [Operand] = [],
        options: [Option] = [], rules: @autoclosure @escaping @Sendable () -> [OptionRule] = [],
        refused: @autoclosure @escaping @Sendable () -> [RefusedOption] = [],
        stopsAtFirstOperand: Bool = false,
        surplus: @escaping @Sendable (_ operands: [String], _ options: [Option]) -> String? = { _, _ in nil },
        sections: @autoclosure @escaping @Sendable () -> [ManualSection]? = nil
    ) {
        (self.name, self.section, self.summary) = (name, section, summary)
        self.manual = manual
        (self.operands, self.options, self.stopsAtFirstOperand) = (operands, options, stopsAtFirstOperand)
        self.surplus = surplus
        makeRules = rules
        makeRefused = refused
        makeSections = sections
    }
}

extension CommandRecord {
    /// The long text of an option for the manual and the long help, in `Markup`; empty if there is none.
    package func details(of option: Option) -> String { option.details ?? manual().text(of: option.name) ?? "" }

    /// The long text of an operand for the manual, in `Markup`; empty if there is none.
    package func details(of operand: Operand) -> String { operand.details ?? manual().text(of: operand.name) ?? "" }
}

/// An option that is refused with a message, such as `--client-secret`. No message may repeat its value.
package struct RefusedOption: Sendable, Equatable {
    /// The long name without its dashes, nil if there is only a letter.
    package let long: String?
    package let short: Character?
    /// Why the option is refused, for example `--client-secret would show the secret to every process`.
    package let message: String
    /// What to do instead.
    package let hint: String

    package init(_ long: String?, short: Character? = nil, message: String, hint: String) {
        (self.long, self.short, self.message, self.hint) = (long, short, message, hint)
    }

    /// A name from another program or another command, which means nothing here.
    ///
    /// - Parameter name: a long name without its dashes, or a letter.
    package init(foreign name: String, hint: String) {
        let isLetter = name.utf8.count == 1
        self.init(
            isLetter ? nil : name, short: isLetter ? name.first : nil,
            message: "there is no option \(isLetter ? "-" : "--")\(name) here", hint: hint)
    }
}
