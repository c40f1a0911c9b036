/// Words of a command line that contradict or need each other: declared beside the options, checked by the parser, told
/// by the manual, and followed by the completion scripts. A rule counts in each command that has its words.
package struct OptionRule: Sendable {
    /// A word that a rule is about, where it is given.
    package enum Word: Sendable, Hashable {
        /// An option; with values, only with one of these.
        case option(Option, values: [String] = [])
        /// An operand by its name; with values, only with one of these.
        case operand(String, values: [String] = [])
    }

    enum Relation: Sendable {
        /// Of these groups only one can be given.
        case apart([[Word]])
        /// Each of the first needs one of the others.
        case needs([Word], anyOf: [Word])
    }

    let relation: Relation
    let hint: String?

    /// Options of different groups cannot be combined.
    package static func apart(_ groups: [[Word]], hint: String? = nil) -> OptionRule {
        OptionRule(relation: .apart(groups), hint: hint)
    }

    /// No two of these options can be combined.
    package static func apart(_ options: [Option], hint: String? = nil) -> OptionRule {
        apart(options.map { [.option($0)] }, hint: hint)
    }

    /// These options cannot be combined with the others.
    package static func apart(_ options: [Option], from others: [Option], hint: String? = nil) -> OptionRule {
        apart([options.words, others.words], hint: hint)
    }

    /// These options cannot be combined with a word.
    package static func apart(_ options: [Option], from word: Word, hint: String? = nil) -> OptionRule {
        apart([options.words, [word]], hint: hint)
    }

    /// Each of these options has a meaning only beside one of the other words.
    package static func needs(_ options: [Option], anyOf others: [Word], hint: String? = nil) -> OptionRule {
        OptionRule(relation: .needs(options.words, anyOf: others), hint: hint)
    }

    /// Each of these options has a meaning only beside one of the others.
    package static func needs(_ options: [Option], anyOf others: [Option], hint: String? = nil) -> OptionRule {
        needs(options, anyOf: others.words, hint: hint)
    }
}

extension [Option] {
    /// The options as words of a rule, with any value.
    package var words: [OptionRule.Word] { map { .option($0) } }
}

extension OptionRule.Word {
    /// What it is called in a message.
    var shown: String {
        if case .operand(let name, []) = self { "the operand \(name)" } else { name }
    }

    /// What it is called: `--type logout_token`, `NAME`.
    package var name: String {
        switch self {
        case .option(let option, let values): option.name + Self.text(of: values)
        case .operand(let name, let values): values.isEmpty ? name : values.joined(separator: ", ", last: " or ")
        }
    }

    var markup: String {
        if case .operand(let name, []) = self { "<\(name)>" } else { "`\(name)`" }
    }

    private static func text(of values: [String]) -> String {
        values.isEmpty ? "" : " \(values.joined(separator: ", ", last: " or "))"
    }
}
