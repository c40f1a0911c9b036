package import CommandSpec

/// The options for the form of the result.
package enum OutputOption {
    package static let section = "Output"

    package static let jq = Option(
        "jq", short: "q", argument: "FILTER", section: section, summary: "shape the result with a jq filter")
    package static let jqFile = Option.file("jq-file", section: section, summary: "read the jq filter from a file")
    package static let rawOutput = Option(
        "raw-output", short: "r", section: section, summary: "print strings of the filter without quotes")
    package static let joinOutput = Option(
        "join-output", short: "j", section: section, summary: "like -r, without line ends")
    package static let exitStatus = Option(
        "exit-status", short: "e", section: section, summary: "exit 1 when the last output is false or null")
    package static let arg = Option(
        "arg", argument: "NAME VALUE", isRepeatable: true, section: section,
        summary: "bind a string to $NAME in the filter")
    package static let argjson = Option(
        "argjson", argument: "NAME JSON", isRepeatable: true, form: .json, section: section,
        summary: "bind a JSON value to $NAME in the filter")
    package static let pretty = Option(
        "pretty", otherwise: "on a terminal", section: section, summary: "print JSON on several lines")
    static let compactOutput = Option(
        "compact-output", short: "c", otherwise: "not on a terminal", section: section,
        summary: "print JSON on one line")
    enum Coloring: String, CaseIterable { case auto, always, never }
    package static let color = Option(
        "color", argument: "WHEN", choices: Coloring.allCases.map(\.rawValue), standard: "auto", section: section,
        summary: "when to print JSON in colour")
    package static let output = Option.file(
        "output", short: "o", section: section, summary: "write the result to a file")
    package static let strict = Option("strict", section: section, summary: "treat warnings as errors")

    /// The options of every command that prints a document.
    package static let all = [
        jq, jqFile, rawOutput, joinOutput, exitStatus, arg, argjson, pretty, compactOutput, color, output,
    ]

    package static let filters = [jq, jqFile]

    /// The options of a command whose warnings `--strict` makes errors.
    package static let allAndStrict = all + [strict]
}
