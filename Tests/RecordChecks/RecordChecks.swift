package import CommandSpec

extension ProgramRecord {
    /// The errors in the records, one sentence each.
    package func validate() -> [String] {
        var problems = checkSummary(summary, of: name) + checkText(description, of: name)
        problems += duplicates(commands.map(\.name)).map { "two commands are named \($0)" }
        problems += commands.flatMap(check) + check(options, of: name, details: details)
        problems += duplicates(exitStatuses().map { String($0.code) }).map { "exit status \($0) is listed twice" }
        for definition in environment() + files() {
            problems += checkText(definition.text, of: definition.name)
        }
        let listed = Set(commands.flatMap(\.options).compactMap(\.variable))
        problems += environment().filter { listed.contains($0.name) }.map { "\($0.name) is the variable of an option" }
        return problems
    }

    private func check(_ command: CommandRecord) -> [String] {
        let place = invocation(of: command)
        var problems = checkSummary(command.summary, of: place) + checkText(command.description, of: place)
        problems += checkName(command.name, of: place)
        problems += check(command.options, of: place, details: command.details)
        let names = (options + command.options).map(\.long) + command.refused.compactMap(\.long)
        problems += duplicates(names).map { "\(place): two options are named --\($0)" }
        let letters = (options + command.options).compactMap(\.short) + command.refused.compactMap(\.short)
        problems += duplicates(letters.map(String.init)).map { "\(place): two options have the letter -\($0)" }
        problems += check(command.operands, of: place, details: command.details)
        problems += checkDecidingOptions(of: command).map { "\(place): \($0)" }
        for refused in command.refused {
            let names = (refused.long.map { ["--\($0)"] } ?? []) + (refused.short.map { ["-\($0)"] } ?? [])
            if names.isEmpty { problems.append("\(place): a refused option has no name") }
            if refused.message.isEmpty || refused.hint.isEmpty {
                problems.append("\(place): \(names.first ?? "a refused option") has no message or no hint")
            }
        }
        for example in command.examples where example.text.isEmpty || example.command.isEmpty {
            problems.append("\(place): an example has no text or no command")
        }
        return problems
    }

    /// The completion scripts remember one value of one option.
    private func checkDecidingOptions(of command: CommandRecord) -> [String] {
        let names = command.operands.compactMap(\.offer.decidingOption)
        let unfit = names.filter { name in
            command.options.first { $0.long == name }?.placeholders.count != 1
        }
        return unfit.map { "--\($0) decides what completes an operand, but is no option with one value" }
            + (Set(names).count > 1 ? ["two options decide what completes the operands"] : [])
    }

    private func check(
        _ options: [Option], of place: String, details: (Option) -> String
    ) -> [String] {
        options.flatMap { option -> [String] in
            let place = "\(place): \(option.name)"
            var problems = checkSummary(option.summary, of: place) + checkText(details(option), of: place)
            problems += checkName(option.long, of: place)
            if let short = option.short, !short.isASCII || !(short.isLetter || short.isNumber) {
                problems.append("\(place): the letter \(short) is neither letter nor digit")
            }
            if option.section.isEmpty { problems.append("\(place) has no heading") }
            if let argument = option.argument, option.placeholders.isEmpty || argument != argument.uppercased() {
                problems.append("\(place): the placeholder \(argument) is not in capitals")
            }
            if option.argument == nil, option.offer != .nothing {
                problems.append("\(place) is a flag, but has values to complete")
            }
            if !option.offer.alternatives.isEmpty {
                problems.append("\(place): only the completion of an operand can depend on another word")
            }
            let variable = String("\(name)_\(option.long)".uppercased().map { "-.".contains($0) ? "_" : $0 })
            if let given = option.variable, given != variable {
                problems.append("\(place): the variable is \(given), not \(variable)")
            }
            return problems + checkWords(option.offer, of: place)
        }
    }

    private func check(
        _ operands: [Operand], of place: String, details: (Operand) -> String
    ) -> [String] {
        var problems: [String] = []
        for (index, operand) in operands.enumerated() {
            let place = "\(place): \(operand.name)"
            problems += checkSummary(operand.summary, of: place) + checkText(details(operand), of: place)
            problems += checkWords(operand.offer, of: place)
            // What comes after -- is told from the rest by that.
            if operand.isRepeatable, operands[(index + 1)...].contains(where: { !$0.followsDashes }) {
                problems.append("\(place) may be repeated, but is not the last operand")
            }
            if operand.isLeading, index > 0 {
                problems.append("\(place) is left out first, but is not the first operand")
            }
            if operand.followsDashes, index < operands.count - 1 {
                problems.append("\(place) comes after --, but is not the last operand")
            }
            if operand.isRequired, !operand.followsDashes, index > 0, !operands[index - 1].isRequired,
                !operands[index - 1].isLeading
            {
                problems.append("\(place) is required behind one that is not")
            }
        }
        return problems
    }
}

/// Names are words of lower case letters, digits, hyphens and dots, so that they need no quoting anywhere.
private func checkName(_ name: String, of place: String) -> [String] {
    let isName =
        name.first?.isLetter == true && name.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".contains($0) }
    return isName ? [] : ["\(place): the name is not made of lower case letters, digits, hyphens and dots"]
}

private func checkSummary(_ summary: String, of place: String) -> [String] {
    var problems: [String] = []
    if summary.isEmpty { problems.append("\(place): the summary is empty") }
    if summary.count > 60 { problems.append("\(place): the summary is longer than 60 characters") }
    if summary.hasSuffix(".") { problems.append("\(place): the summary ends with a full stop") }
    // `HTTP`, `OAuth` and `JSON` keep their capitals: only a capital followed by lower-case letters begins a sentence.
    if summary.first?.isUppercase == true, summary.prefix(while: { $0 != " " }).dropFirst().allSatisfy(\.isLowercase) {
        problems.append("\(place): the summary starts with a capital")
    }
    if summary.contains("`") || summary.contains("\n") {
        problems.append("\(place): the summary has markup or more than one line")
    }
    return problems
}

private func checkText(_ text: String, of place: String) -> [String] {
    if text.allSatisfy(\.isWhitespace) { return ["\(place): the long text is empty"] }
    let plainTexts = Markup.paragraphs(text).flatMap { paragraph in
        guard case .running(let pieces) = paragraph else { return [String]() }
        return pieces.compactMap { piece in if case .text(let plain) = piece { plain } else { nil } }
    }
    let isUneven = plainTexts.contains(where: { $0.contains("`") })
    return isUneven ? ["\(place): a backtick has no partner"] : []
}

/// The words for completions are not quoted in the completion scripts.
private func checkWords(_ completion: Completion, of place: String) -> [String] {
    guard case .words(let words) = completion else {
        return completion.alternatives.flatMap {
            checkWords(.words($0.values), of: place) + checkWords($0.completion, of: place)
        }
    }
    let isSafe = { (word: String) in
        !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:/+@=".contains($0)) }
    }
    return words.filter { !isSafe($0) }.map { "\(place): the word \($0) would need quoting in a shell" }
        + duplicates(words).map { "\(place): the word \($0) is listed twice" }
}

private func duplicates(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
}

extension Option {
    fileprivate var offer: Completion { choices.isEmpty ? completes : .words(choices) }
}

extension Operand {
    fileprivate var offer: Completion { choices.isEmpty ? completes : .words(choices) }
}

extension Completion {
    fileprivate var alternatives: [Alternative] {
        switch self {
        case .byFirst(let alternatives), .byOption(_, let alternatives): alternatives
        default: []
        }
    }

    fileprivate var decidingOption: String? { if case .byOption(let name, _) = self { name } else { nil } }
}
