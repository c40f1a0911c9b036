package import CommandSpec
package import Shell

/// A command: its record and what it does.
package final class Command: Sendable {
    /// What the manual, the help and the parser say of the command.
    package let record: CommandRecord
    /// Whether failures of the command become error documents on standard output (oap-documents(5)).
    package let writesErrorDocuments: Bool
    /// Does the work, with the settings that it reads from its command line.
    package let run: @Sendable (Session, Arguments) throws(Failure) -> Exit

    /// A command that refuses the options that no command takes, and takes the name of `-p` as an operand too if it has no
    /// other; see ``CommandRecord``. Its manual is the text of its name, then those of `others`.
    package init(
        _ name: String, section: String, summary: String,
        of others: @autoclosure @escaping @Sendable () -> [ManualText] = [], operands: [Operand] = [],
        options: [Option] = [], rules: @autoclosure @escaping @Sendable () -> [OptionRule] = [],
        refused: @autoclosure @escaping @Sendable () -> [RefusedOption] = [],
        surplus: @escaping @Sendable (_ operands: [String], _ options: [Option]) -> String? = { _, _ in nil },
        sections: @autoclosure @escaping @Sendable () -> [ManualSection]? = nil,
        writesErrorDocuments: Bool = true, run: @escaping @Sendable (Session, Arguments) throws(Failure) -> Exit
    ) {
        let isNamed = operands.isEmpty && options.contains(GeneralOption.profile)
        let operand = options.contains(GeneralOption.store) ? GeneralOption.nameOperand : GeneralOption.profileOperand
        record = CommandRecord(
            name, section: section, summary: summary, manual: [Manual.named(name)] + others() + [Manual.options],
            operands: isNamed ? [operand] : operands,
            options: options + [GeneralOption.errorDocument],
            rules: rules() + Self.commonRules,
            refused: Self.refused(refused(), options), surplus: surplus,
            sections: sections())
        (self.writesErrorDocuments, self.run) = (writesErrorDocuments, run)
    }

    /// What contradicts and needs what in every command.
    private static let commonRules: [OptionRule] = {
        let filters = OutputOption.filters + [StreamOption.streamEach]
        let hint = "add \(OutputOption.jq.name) . to take the whole result"
        return [
            .apart([
                [.option(GeneralOption.nullInput)],
                [.option(GeneralOption.profile), .operand(GeneralOption.nameOperand.name)],
                [.option(GeneralOption.tokenFile)],
            ]),
            .apart(OutputOption.filters), .apart([GeneralOption.har, GeneralOption.dryRun]),
            .needs(
                [OutputOption.rawOutput, OutputOption.joinOutput, OutputOption.exitStatus], anyOf: filters, hint: hint),
            .needs([OutputOption.arg, OutputOption.argjson], anyOf: filters + [PageOption.next], hint: hint),
        ]
    }()

    /// The options that a command refuses: its own, those that no command takes, and those that mean an option of it.
    private static func refused(_ own: [RefusedOption], _ options: [Option]) -> [RefusedOption] {
        let hasNoDryRun = options.contains(GeneralOption.maxTime) && !options.contains(GeneralOption.dryRun)
        let isLimited = options.contains(GeneralOption.maxTime) && !options.contains(ListenOption.timeout)
        let groups = [
            (GeneralOption.verbose, "verbose"), (OutputOption.jqFile, "jq"), (GeneralOption.minimumTTL, "min-ttl"),
            (RetryOption.retry, "retry"), (GeneralOption.certificate, "cert"),
        ]
        let meant = groups.filter { options.contains($0.0) }.flatMap { ForeignNames.options($0.1) }
        let general = GeneralOption.refused(beside: options).filter { other in !own.contains { $0.long == other.long } }
        return general + own + (isLimited ? ForeignNames.options("max-time") : [])
            + meant.filter { other in !(options.map(\.long) + own.compactMap(\.long)).contains { $0 == other.long } }
            + (hasNoDryRun ? [GeneralOption.noDryRun] : [])
    }
}
