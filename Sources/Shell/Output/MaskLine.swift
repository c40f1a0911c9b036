package import CommandSpec
internal import System
internal import Wire

/// The line by which a CI system masks a text in the log of its job from then on. GitLab has none: it masks variables.
package enum MaskLine: String, CaseIterable {
    case github, azure

    package static let option = Option(
        "mask-line", argument: "SYSTEM", choices: allCases.map(\.rawValue),
        otherwise: "the system whose job this is, by its variables", section: OutputOption.section,
        summary: "first mask the token in the log of a CI job")

    /// The system whose job this is, by its variables; nil for another, and for one without such a line.
    package static func detected(in environment: Environment) throws(Failure) -> MaskLine? {
        if try environment.value("GITHUB_ACTIONS")?.asciiLowercased == "true" { return .github }
        return try environment.value("TF_BUILD")?.asciiLowercased == "true" ? .azure : nil
    }

    private func line(for text: String) -> String {
        switch self {
        case .github: "::add-mask::\(text.replacing("%", with: "%25"))"
        case .azure: "##vso[task.setsecret]\(text.replacing("%", with: "%AZP25"))"
        }
    }

    /// Writes the lines to standard error, which both systems read like standard output.
    ///
    /// - Throws: exit 11: then the texts are not to be printed.
    package func mask(_ texts: [String]) throws(Failure) {
        let lines = texts.map { line(for: $0) + "\n" }.joined()
        try Failure.system(
            "cannot write the line that masks the token", try FileDescriptor(2).writeAll(Array(lines.utf8)))
    }
}
