internal import CSandboxTexts
internal import CommandSpec

/// The record of the program for the manual page, the help and the parser.
enum SandboxRecord {
    static let program = ProgramRecord(
        "oap-sandbox", summary: "an authorization server for tests, on this machine",
        manual: Manual.sandbox, date: Version.date,
        commands: [
            CommandRecord(
                "oap-sandbox", section: "Program", summary: "an authorization server for tests, on this machine",
                manual: [Manual.sandbox],
                operands: [
                    Operand(
                        "COMMAND", isRequired: false, isRepeatable: true, completes: .program,
                        summary: "the command of --run")
                ],
                options: SandboxOption.all, rules: SandboxOption.rules, stopsAtFirstOperand: true)
        ],
        options: [
            SandboxOption.help, SandboxOption.version, SandboxOption.completion, SandboxOption.manual,
            SandboxOption.manualPage,
        ],
        exitStatuses: Status.allCases.map { ExitStatus(Int($0.rawValue), $0.meaning, action: $0.action) })
}

/// The text of the manual page, which only help and the page read.
enum Manual {
    static let sandbox = ManualText(Array(String(cString: oap_sandbox_text("oap-sandbox.md")).utf8))
}
