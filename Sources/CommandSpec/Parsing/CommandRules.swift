extension OptionRule {
    /// What is wrong with a command line; nil if nothing is.
    fileprivate func violation(in arguments: Arguments) -> UsageError.Reason? {
        switch relation {
        case .apart(let groups):
            var given: [String] = []
            for group in groups { arguments.first(of: group).map { given.append($0) } }
            return given.count > 1 ? .apart(given) : nil
        case .needs(let words, let others):
            guard let given = arguments.first(of: words), arguments.first(of: others) == nil else { return nil }
            return .needs(given, anyOf: others.words.filter { arguments.command?.has($0) ?? false }.map(\.shown))
        }
    }

    /// The words of a command that cannot stand beside an option.
    fileprivate func excluded(by option: Option, in command: CommandRecord) -> [Word] {
        guard case .apart(let groups) = relation, let own = groups.firstIndex(where: { $0.contains(option) }) else {
            return []
        }
        return groups.indices.filter { $0 != own }.flatMap { groups[$0].words.filter(command.has) }
    }

    /// Whether the manual tells the rule only where the other words are: a word that excludes many tells it for them all.
    fileprivate func isTold(besides option: Option) -> Bool {
        guard case .apart(let groups) = relation, groups.count == 2 else { return false }
        return groups.contains { $0.count > 8 && $0.contains(option) }
            && groups.contains { $0.count == 1 && !$0.contains(option) }
    }

    /// The words of a command of which an option needs one.
    fileprivate func needed(by option: Option, in command: CommandRecord) -> [Word] {
        guard case .needs(let words, let others) = relation, words.contains(option) else { return [] }
        return others.words.filter(command.has)
    }
}

extension CommandRecord {
    /// Checks a command line of this command. One operand alone breaks no rule, so that the rules need not be made.
    ///
    /// - Throws: ``UsageError`` for the first rule that it breaks.
    func check(_ arguments: Arguments) throws(UsageError) {
        guard !arguments.occurrences.isEmpty || arguments.operands.count > 1 else { return }
        for rule in rules {
            guard let reason = rule.violation(in: arguments) else { continue }
            throw UsageError(command: name, reason: reason, hint: rule.hint)
        }
    }

    /// The words that cannot stand beside an option.
    package func excluded(by option: Option) -> [OptionRule.Word] {
        rules.flatMap { $0.excluded(by: option, in: self) }
    }

    /// The spellings of the options that cannot stand beside an option, whatever their values.
    func excludedSpellings(by option: Option) -> [String] {
        excluded(by: option).flatMap { word -> [String] in
            if case .option(let other) = word.subject, word.values.isEmpty { other.names } else { [] }
        }
    }

    /// The words of which an option needs one.
    package func needed(by option: Option) -> [OptionRule.Word] { rules.flatMap { $0.needed(by: option, in: self) } }

    /// What rules of the command say about an option, in `Markup`.
    ///
    /// - Parameter details: its long text, which may say it already.
    func remarks(on option: Option, by rules: [OptionRule], besides details: String) -> [String] {
        let told = { (words: [OptionRule.Word]) in
            words.isEmpty || words.allSatisfy { details.contains($0.markup) }
                ? nil : words.map(\.markup).joined(separator: ", ", last: " or ")
        }
        let excluded = rules.filter { !$0.isTold(besides: option) }.flatMap { $0.excluded(by: option, in: self) }
        let needed = rules.flatMap { $0.needed(by: option, in: self) }
        return [
            told(excluded).map { "The option cannot be combined with \($0)." },
            told(needed).map { "The option needs \($0)." },
        ].compactMap(\.self)
    }
}

extension CommandRecord {
    /// Whether the command has a word of a rule.
    fileprivate func has(_ word: OptionRule.Word) -> Bool {
        switch word.subject {
        case .option(let option): options.contains(option)
        case .operand(let name): operands.contains { $0.name == name }
        }
    }
}

extension Arguments {
    /// The first of some words as it was given; nil if none was.
    fileprivate func first(of words: OptionRule.Group) -> String? {
        for option in words.options { if let last = last(of: option) { return last.name } }
        for word in words.others { if let text = text(of: word) { return text } }
        return nil
    }

    private func last(of option: Option) -> Occurrence? { occurrences.last { $0.option == option } }

    /// A word of a rule as it was given; nil if it was not.
    private func text(of word: OptionRule.Word) -> String? {
        switch word.subject {
        case .option(let option):
            guard let last = last(of: option) else { return nil }
            guard !word.values.isEmpty else { return last.name }
            return last.values.last.flatMap { word.values.contains($0) ? "\(last.name) \($0)" : nil }
        case .operand(let name):
            guard let value = operand(named: name) else { return nil }
            return word.values.isEmpty ? word.shown : word.values.contains(value) ? value : nil
        }
    }
}
