/// Words of a command line that contradict or need each other: declared beside the options, checked by the parser, told
/// by the manual, and followed by the completion scripts. A rule counts in each command that has its words. Rules and
/// their words are classes: all arrays of these have one type, and to make a type of array takes as long as many rules.
package final class OptionRule: Sendable {
    /// A word that a rule is about, where it is given; with values, only with one of these.
    package final class Word: Sendable {
        enum Subject: Sendable, Equatable { case option(Option), operand(String) }

        let subject: Subject
        let values: [String]

        private init(_ subject: Subject, _ values: [String]) { (self.subject, self.values) = (subject, values) }

        package static func option(_ option: Option, values: [String] = []) -> Word { Word(.option(option), values) }

        /// An operand by its name.
        package static func operand(_ name: String, values: [String] = []) -> Word { Word(.operand(name), values) }
    }

    /// Words that a rule treats alike: options with any value, then others.
    package final class Group: Sendable, ExpressibleByArrayLiteral {
        let options: [Option]
        let others: [Word]

        package init(_ options: [Option], _ others: [Word] = []) { (self.options, self.others) = (options, others) }

        package convenience init(arrayLiteral words: Word...) { self.init([], words) }
    }

    enum Relation: Sendable {
        /// Of these groups only one can be given.
        case apart([Group])
        /// Each of the first needs one of the others.
        case needs(Group, anyOf: Group)
    }

    let relation: Relation
    let hint: String?

    private init(_ relation: Relation, _ hint: String?) { (self.relation, self.hint) = (relation, hint) }

    /// Words of different groups cannot be combined.
    package static func apart(_ groups: [Group], hint: String? = nil) -> OptionRule { OptionRule(.apart(groups), hint) }

    /// No two of these options can be combined.
    package static func apart(_ options: [Option], hint: String? = nil) -> OptionRule {
        apart(options.map { Group([$0]) }, hint: hint)
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
    package static func needs(_ options: [Option], anyOf others: Group, hint: String? = nil) -> OptionRule {
        OptionRule(.needs(options.words, anyOf: others), hint)
    }

    /// Each of these options has a meaning only beside one of the others.
    package static func needs(_ options: [Option], anyOf others: [Option], hint: String? = nil) -> OptionRule {
        needs(options, anyOf: others.words, hint: hint)
    }
}

extension [Option] {
    /// The options as words of a rule, with any value.
    package var words: OptionRule.Group { OptionRule.Group(self) }
}

extension OptionRule.Group {
    var words: [OptionRule.Word] { options.map { .option($0) } + others }

    var count: Int { options.count + others.count }

    func contains(_ option: Option) -> Bool {
        options.contains(option) || others.contains { $0.values.isEmpty && $0.subject == .option(option) }
    }
}

extension OptionRule.Word {
    /// The name of the word in a message.
    var shown: String { isAnyOperand ? "the operand \(name)" : name }

    var markup: String { isAnyOperand ? "<\(name)>" : "`\(name)`" }

    private var isAnyOperand: Bool { if case .operand = subject { values.isEmpty } else { false } }

    /// The name of the word: `--type logout_token`, `NAME`.
    package var name: String {
        switch subject {
        case .option(let option): values.isEmpty ? option.name : "\(option.name) \(listedValues)"
        case .operand(let name): values.isEmpty ? name : listedValues
        }
    }

    private var listedValues: String { values.joined(separator: ", ", last: " or ") }
}
