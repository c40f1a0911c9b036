internal import Wire

/// One option of a command line. Parsing, help, manual pages and completions all derive from this record. It is a class,
/// since a program makes all options of a command when it starts: a copy of one is a pointer.
package final class Option: Sendable {
    /// The long name without its dashes, for example `client-id`.
    package let long: String
    /// The letter, for example `q` for `-q`.
    package let short: Character?
    /// The placeholder of the value, for example `ID`; nil for a flag. `NAME VALUE` stands for two values.
    package let argument: String?
    /// The placeholder of a value that may follow a flag behind `=`, and only there.
    package let attached: String?
    /// Whether all occurrences count. For other options the last one wins, as in curl.
    package let isRepeatable: Bool
    /// The form of the value, checked by the parser.
    package let form: ValueForm
    /// The allowed values, checked by the parser and offered by completions; empty for any.
    package let choices: [String]
    /// The value without the option, if it is always the same.
    package let standard: String?
    /// What holds without the option, in a few words, if it depends on something.
    package let otherwise: String?
    /// The shell completion of the value if there are no `choices`.
    package var completes: Completion { makeCompletion() }
    /// What the option does in one line: lower case, no full stop, at most 60 characters.
    package let summary: String
    /// The heading under which it is listed, for example `Output`.
    package let section: String
    /// The summary of the record that says what the option means; another command may word it in its own way.
    private let meaning: String
    private let makeCompletion: @Sendable () -> Completion
    private let makeVariable: @Sendable () -> String?
    private let makeDetails: @Sendable () -> String?

    /// Makes a record; see the properties. Completion, variable and details are made when they are asked for.
    ///
    /// - Parameters:
    ///   - original: the option that this one is, in other words; nil for an option of its own.
    ///   - details: the long text, if the manual of the command does not have it under the option's name.
    package init(
        _ long: String, short: Character? = nil, argument: String? = nil, attached: String? = nil,
        isRepeatable: Bool = false, form: ValueForm = .text,
        choices: [String] = [], standard: String? = nil, otherwise: String? = nil,
        completes: @autoclosure @escaping @Sendable () -> Completion = .nothing,
        variable: @autoclosure @escaping @Sendable () -> String? = nil,
        section: String, wording original: Option? = nil,
        summary: String, details: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        (self.long, self.short, self.argument, self.attached) = (long, short, argument, attached)
        (self.isRepeatable, self.form, self.choices, self.standard) = (isRepeatable, form, choices, standard)
        (self.otherwise, self.summary) = (otherwise, summary)
        meaning = original?.meaning ?? summary
        makeCompletion = completes
        makeVariable = variable
        makeDetails = details
        self.section = section
    }
}

extension Option {
    /// An option whose value is the path of a file.
    package static func file(
        _ long: String, short: Character? = nil, argument: String = "FILE", section: String, summary: String
    ) -> Option {
        Option(long, short: short, argument: argument, completes: .files, section: section, summary: summary)
    }

    /// The environment variable with the same meaning, for example `OAP_CLIENT_ID`.
    package var variable: String? { makeVariable() }

    /// This option in a command that does not read its environment variable.
    package var withoutVariable: Option {
        Option(
            long, short: short, argument: argument, attached: attached, isRepeatable: isRepeatable, form: form,
            choices: choices, standard: standard, otherwise: otherwise, completes: self.completes,
            section: section, wording: self, summary: summary, details: self.details)
    }

    /// The long text for the manual and the long help, in `Markup`; nil if the manual of the command has it.
    var details: String? { makeDetails() }

    /// The placeholders of its values: none for a flag, two for `NAME VALUE`.
    package var placeholders: [String] { argument?.split(separator: " ").map(String.init) ?? [] }

    /// The long name of the option as it is typed, `--client-id`.
    package var name: String { "--\(long)" }

    /// The text behind the option's name in help: ` ID`, `[=KEY]` or nothing.
    var valueText: String { attached.map { "[=\($0)]" } ?? argument.map { " \($0)" } ?? "" }

    /// The summary, with the values that it does not name and the default.
    var fullSummary: String { summary + listedValues + ((standard ?? otherwise).map { " (default: \($0))" } ?? "") }

    /// The allowed values; for an option that takes others too, the values of the completion if they are few.
    private var listedValues: String {
        guard case .words(let words) = valueCompletion, !words.contains(where: { summary.contains($0) }) else {
            return ""
        }
        if choices.isEmpty { return words.count > 9 ? "" : ", such as " + words.joined(separator: ", ", last: " or ") }
        return ": " + words.joined(separator: ", ", last: " or ")
    }

    /// All its spellings, the letter first.
    package var names: [String] { (short.map { ["-\($0)"] } ?? []) + [name] }

    /// The shell completion of its value: the choices, if there are any.
    var valueCompletion: Completion { choices.isEmpty ? completes : .words(choices) }
}

extension Option: Hashable {
    /// Two records are the same option when they have the same long name and mean the same: commands may have options of
    /// one name that differ.
    package static func == (left: Option, right: Option) -> Bool {
        left === right || left.long == right.long && left.meaning == right.meaning
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(long) }
}
