import Testing

/// A terminal session that a reader is shown: commands behind a prompt, each with what it prints on both outputs. `…` stands
/// for any lines.
struct ShownSession {
    /// The commands, each with the lines that it prints.
    private(set) var steps: [(command: String, shown: [String])] = []

    /// Reads a session.
    ///
    /// - Parameter prompt: what stands before a command; a command goes on after a line that ends with `\` or `|`.
    init(_ text: String, prompt: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix(prompt) {
                steps.append((String(line.dropFirst(prompt.count)), []))
            } else if let last = steps.indices.last {
                if let end = steps[last].command.last, "\\|".contains(end), steps[last].shown.isEmpty {
                    steps[last].command += "\n" + line
                } else {
                    steps[last].shown.append(line)
                }
            }
        }
    }

    /// Checks that a command of the session prints what is shown for it.
    ///
    /// - Parameter output: what it printed.
    func check(_ number: Int, _ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var rest = output.split(separator: "\n").map(String.init)[...]
        var isCut = false
        for line in steps[number].shown where !line.isEmpty {
            if line != "…" {
                let place = rest.firstIndex(of: line)
                let found = try #require(
                    isCut || place == rest.startIndex ? place : nil, "\(line)\n--- printed\n\(output)",
                    sourceLocation: sourceLocation)
                rest = rest[(found + 1)...]
            }
            isCut = line == "…"
        }
        #expect(
            isCut || rest.isEmpty, "\(steps[number].command)\n--- printed\n\(output)", sourceLocation: sourceLocation)
    }
}
