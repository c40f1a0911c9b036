internal import CommandSpec

/// What contradicts and needs what in every command.
enum CommonRules {
    static let all: [OptionRule] = [
        .apart([
            [.option(GeneralOption.nullInput)],
            [.option(GeneralOption.profile), .operand(GeneralOption.nameOperand.name)],
            [.option(GeneralOption.tokenFile)],
        ]),
        .apart(OutputOption.filters), .apart([GeneralOption.har, GeneralOption.dryRun]),
        .needs([OutputOption.rawOutput, OutputOption.joinOutput, OutputOption.exitStatus], anyOf: filters, hint: hint),
        .needs([OutputOption.arg, OutputOption.argjson], anyOf: filters + [PageOption.next], hint: hint),
    ]

    private static let filters = OutputOption.filters + [StreamOption.streamEach]
    private static let hint = "add \(OutputOption.jq.name) . to take the whole result"
}
