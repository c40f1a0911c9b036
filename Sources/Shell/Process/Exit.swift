package import CommandSpec

/// The exit statuses. `Manual/text/oap.md` says what each means and what to do about it, for the manual's EXIT STATUS.
package enum Exit: Int32, Sendable, CaseIterable {
    case done = 0
    case falseOrNull = 1
    case usage = 2
    case badInput = 3
    case refused = 4
    case filterFailed = 5
    case unavailable = 6
    case apiRefused = 7
    case loginNeeded = 8
    case insecure = 9
    case badAnswer = 10
    case fileFailed = 11
    case unknownOutcome = 12
    case defect = 70
    case notExecutable = 126
    case noCommand = 127
    case hangup = 129
    case interrupted = 130
    case brokenPipe = 141
    case terminated = 143
}

extension Exit {
    package static var records: [ExitStatus] {
        allCases.map { exit in
            let texts = Manual.oap.paragraphs(under: "\(exit.rawValue)", in: "EXIT STATUS")
            return ExitStatus(Int(exit.rawValue), texts[0], action: texts.count > 1 ? texts[1] : "")
        }
    }
}
