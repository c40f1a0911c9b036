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

    /// Each of these words has a meaning only beside one of the others.
    package static func needs(_ words: [Word], anyOf others: [Word], hint: String? = nil) -> OptionRule {
        OptionRule(relation: .needs(words, anyOf: others), hint: hint)
    }

    /// Each of these options has a meaning only beside one of the others.
    package static func needs(_ options: [Option], anyOf others: [Option], hint: String? = nil) -> OptionRule {
        needs(options.words, anyOf: others.words, hint: hint)
    }
}

extension [Option] {
    /// The options as words of a rule, with any value.
    package var words: [OptionRule.Word] { map { .option($0) } }
}

extension OptionRule {
    /// What is wrong with a command line; nil if nothing is.
    func violation(in arguments: Arguments) -> UsageError.Reason? {
        switch relation {
        case .apart(let groups):
            let given = groups.compactMap { group in group.lazy.compactMap(arguments.text).first }
            return given.count > 1 ? .apart(given) : nil
        case .needs(let words, let others):
            guard let given = words.lazy.compactMap(arguments.text).first,
                !others.contains(where: { arguments.text(of: $0) != nil })
            else { return nil }
            return .needs(given, anyOf: others.filter { arguments.command?.has($0) ?? false }.map(\.shown))
        }
    }

    /// The words of a command that cannot stand beside an option.
    fileprivate func excluded(by option: Option, in command: CommandRecord) -> [Word] {
        guard case .apart(let groups) = relation, let own = groups.firstIndex(where: { $0.contains(.option(option)) })
        else { return [] }
        return groups.indices.filter { $0 != own }.flatMap { groups[$0] }.filter(command.has)
    }

    /// Whether the manual tells the rule only where the other words are: a word that excludes many tells it for them all.
    fileprivate func isTold(besides option: Option) -> Bool {
        guard case .apart(let groups) = relation, groups.count == 2 else { return false }
        return groups.contains { $0.count > 8 && $0.contains(.option(option)) }
            && groups.contains { $0.count == 1 && $0 != [.option(option)] }
    }

    /// The words of a command of which an option needs one.
    fileprivate func needed(by option: Option, in command: CommandRecord) -> [Word] {
        guard case .needs(let words, let others) = relation, words.contains(.option(option)) else { return [] }
        return others.filter(command.has)
    }
}

extension CommandRecord {
    /// The words that cannot stand beside an option.
    package func excluded(by option: Option) -> [OptionRule.Word] {
        rules.flatMap { $0.excluded(by: option, in: self) }
    }

    /// The words of which an option needs one.
    package func needed(by option: Option) -> [OptionRule.Word] { rules.flatMap { $0.needed(by: option, in: self) } }

    /// What the rules say about an option, in `Markup`.
    ///
    /// - Parameter details: its long text, which may say it already.
    func remarks(on option: Option, besides details: String) -> [String] {
        let told = { (words: [OptionRule.Word]) in
            words.isEmpty || words.allSatisfy { details.contains($0.markup) }
                ? nil : words.map(\.markup).joined(separator: ", ", last: " or ")
        }
        let excluded = rules.filter { !$0.isTold(besides: option) }.flatMap { $0.excluded(by: option, in: self) }
        return [
            told(excluded).map { "The option cannot be combined with \($0)." },
            told(needed(by: option)).map { "The option needs \($0)." },
        ].compactMap(\.self)
    }
}

extension OptionRule.Word {
    /// What it is called in a message.
    fileprivate var shown: String {
        if case .operand(let name, []) = self { "the operand \(name)" } else { name }
    }

    /// What it is called: `--type logout_token`, `NAME`.
    package var name: String {
        switch self {
        case .option(let option, let values): option.name + Self.text(of: values)
        case .operand(let name, let values): values.isEmpty ? name : values.joined(separator: ", ", last: " or ")
        }
    }

    fileprivate var markup: String {
        if case .operand(let name, []) = self { "<\(name)>" } else { "`\(name)`" }
    }

    private static func text(of values: [String]) -> String {
        values.isEmpty ? "" : " \(values.joined(separator: ", ", last: " or "))"
    }
}

extension CommandRecord {
    /// Whether the command has a word of a rule.
    fileprivate func has(_ word: OptionRule.Word) -> Bool {
        switch word {
        case .option(let option, _): options.contains(option)
        case .operand(let name, _): operands.contains { $0.name == name }
        }
    }
}

extension Arguments {
    /// A word of a rule as it was given; nil if it was not.
    fileprivate func text(of word: OptionRule.Word) -> String? {
        switch word {
        case .option(let option, let values):
            guard let last = occurrences.last(where: { $0.option == option }) else { return nil }
            guard !values.isEmpty else { return last.name }
            return last.values.last.flatMap { values.contains($0) ? "\(last.name) \($0)" : nil }
        case .operand(let name, let values):
            guard let value = operand(named: name) else { return nil }
            return values.isEmpty ? word.shown : values.contains(value) ? value : nil
        }
    }
}
