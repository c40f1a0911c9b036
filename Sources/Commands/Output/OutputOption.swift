internal import CommandSpec

/// The options for the form of the result.
enum OutputOption {
    static let section = "Output"

    static let jq = Option(
        "jq", short: "q", argument: "FILTER", section: section, summary: "shape the result with a jq filter",
        details: """
            Runs the jq filter on the result, and prints each output of the filter on a line. If the filter does not \
            compile, the exit status is 2, and `oap` sends no request. The exception is `oap call`: it may send a \
            `GET` or `HEAD` before it compiles the filter. If the filter compiles, but fails on the result, the exit \
            status is 5.
            """)
    static let rawOutput = Option(
        "raw-output", short: "r", section: section, summary: "print strings of the filter without quotes",
        details: "As in jq: prints a string without quotes and escapes. This needs `--jq`.")
    static let joinOutput = Option(
        "join-output", short: "j", section: section, summary: "like -r, without line ends",
        details: "As in jq: like `-r`, but prints no line end after an output. This needs `--jq`.")
    static let exitStatus = Option(
        "exit-status", short: "e", section: section, summary: "exit 1 when the last output is false or null",
        details: """
            If the last output of the filter is false or null, the exit status is 1, as in jq. If there is no output, \
            the exit status is also 1 (in jq, it is 4).
            """)
    static let arg = Option(
        "arg", argument: "NAME VALUE", isRepeatable: true, section: section,
        summary: "bind a string to $NAME in the filter",
        details: """
            As in jq: the filter can use the string VALUE as `$NAME`.
            """)
    static let argjson = Option(
        "argjson", argument: "NAME JSON", isRepeatable: true, section: section,
        summary: "bind a JSON value to $NAME in the filter",
        details: """
            As in jq: the filter can use the JSON value as `$NAME`.
            """)
    static let pretty = Option(
        "pretty", otherwise: "on a terminal", section: section, summary: "print JSON on several lines",
        details: "Prints JSON on several lines, which is the default if standard output is a terminal.")
    static let compactOutput = Option(
        "compact-output", short: "c", otherwise: "not on a terminal", section: section,
        summary: "print JSON on one line",
        details: "Prints every JSON value on one line, which is the default if standard output is not a terminal.")
    static let color = Option(
        "color", argument: "WHEN", choices: ["auto", "always", "never"], standard: "auto", section: section,
        summary: "when to print JSON in colour",
        details: """
            With `always`, JSON is printed in the colours of `jq -C`, also to a pipe or a file. With `never`, it is \
            printed without colour. With `auto`, it is printed in colour if standard output is a terminal, unless \
            `NO_COLOR` is set or `TERM` is `dumb`.
            """)
    static let output = Option(
        "output", short: "o", argument: "FILE", completes: .files, section: section,
        summary: "write the result to a file",
        details: """
            Writes the result to this file instead of standard output. The file gets mode 0600. When the command \
            succeeds, `oap` replaces the whole file in one step. If the command fails, the old file stays. The command \
            can therefore read its input from the same file. `-` means standard output. If the file is another user's \
            link or pipe in a folder that other users can write to, the command fails.
            """)
    static let strict = Option(
        "strict", section: section, summary: "treat warnings as errors",
        details: """
            If there is something to warn about in the document or in the response of the server, the command fails \
            with exit status 10 instead of a warning. For example, `oap` warns if the server grants a narrower scope \
            than requested.
            """)

    /// The options for the outputs of a filter.
    static let ofOutputs = [rawOutput, joinOutput, exitStatus]

    /// The options for the variables of a filter.
    static let ofVariables = [arg, argjson]

    /// The options of every command that prints a document.
    static let all = [jq, rawOutput, joinOutput, exitStatus, arg, argjson, pretty, compactOutput, color, output]

    /// The options of a command whose warnings `--strict` makes errors.
    static let allAndStrict = all + [strict]
}
