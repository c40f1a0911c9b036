internal import Wire

/// Suggestions for an unknown word of a command line.
extension ArgumentParser {
    /// The hint if there is no better one: how the command is called.
    var help: String {
        let synopsis = command.map(program.synopsis) ?? program.programSynopsis
        return "usage: \(synopsis[0].plainText())"
    }

    /// The hint for an unknown command, by the word after it too.
    func hint(forCommand name: String, before next: String?) -> String {
        let foreign = program.foreignCommands()
        if let hint = next.flatMap({ foreign["\(name) \($0)"] }) ?? foreign[name] { return hint }
        let names = program.commands.map(\.name)
        if let command = lowerCase(name, among: names) {
            return "commands are in lower case: \(program.name) \(command)"
        }
        return hint(forValue: name, of: "COMMAND", choices: names) ?? commands
    }

    /// The hint without a command.
    var commands: String { "the commands are \(program.commands.map(\.name).joined(separator: ", ", last: " and "))" }

    /// The hint for a value that is not an allowed choice; nil if none is near. The message names them.
    ///
    /// - Parameter name: an option, or the placeholder of an operand.
    func hint(forValue value: String, of name: String, choices: [String]) -> String? {
        if let hint = program.foreignCommands()["\(name) \(value)"] { return hint }
        if let choice = lowerCase(value, among: choices) {
            let values = name.utf8.starts(with: "-".utf8) ? "the values of \(name)" : "\(name.lowercased())s"
            return "\(values) are in lower case: \(choice)"
        }
        if let choice = choices.first(where: { $0.lowercased() == value.lowercased() }) {
            return "capital letters count: \(choice)"
        }
        let other = Self.otherNames[value]?.first(where: choices.contains)
        return (other ?? nearest(value, among: choices)).map { "did you mean \($0)?" }
    }

    /// Words that other programs have for the choices of an operand.
    private static let otherNames = [
        "ls": ["list"], "rm": ["delete"], "remove": ["delete"], "show": ["get"], "cat": ["get"], "add": ["put", "set"],
        "save": ["put", "set"],
    ]

    /// The hint for an option without its value.
    func hint(forValueOf option: Option) -> String { "\(option.name)\(option.valueText): \(option.fullSummary)" }

    /// The hint for an unknown long name, given without its dashes.
    func hint(forLong name: String) -> String {
        let known = options.map(\.long)
        if known.contains(name.normalized) {
            return name != name.normalized && name.lowercased() == name.normalized
                ? "options are in lower case: --\(name.normalized)" : "did you mean --\(name.normalized)?"
        }
        if let owners = owners(of: "--\(name)", where: { $0.long.isIdentical(to: name) }) { return owners }
        guard let match = nearest(name, among: known + refused.compactMap(\.long), prefixesOf: known) else {
            return help
        }
        return refused.first { $0.long == match }?.hint ?? "did you mean --\(match)?"
    }

    /// The hint for an unknown letter. A letter that differs by case alone means something else.
    func hint(forLetter letter: Character) -> String { owners(of: "-\(letter)", where: { $0.short == letter }) ?? help }

    /// The commands that have an option which this one lacks.
    private func owners(of name: String, where matches: (Option) -> Bool) -> String? {
        let names = program.commands.filter { $0.options.contains(where: matches) }.map(\.name)
        guard !names.isEmpty else { return nil }
        if command == nil { return "options go after the command: \(program.name) \(names[0]) \(name)" }
        let shown = names.count > 4 ? names.prefix(3) + ["others"] : names[...]
        return "\(name) is an option of \(Array(shown).joined(separator: ", ", last: " and "))"
    }
}

extension String {
    /// The spelling of option names: lower case, hyphens for underscores.
    var normalized: String { String(lowercased().map { $0 == "_" ? "-" : $0 }) }
}
