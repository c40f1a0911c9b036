internal import CommandSpec
internal import TokenStore
internal import Wire

/// What the operands of `call` were meant to be, where they cannot be a name and a URL.
enum CallOperands {
    /// What to do about a word too many.
    static func hint(for operands: [String], among options: [Option]) -> String? {
        if let method = operands.first(where: isMethod) { return hint(for: method) }
        guard operands.contains(where: isFilter) else { return nil }
        return options.contains(OutputOption.jq)
            ? "the word after -q is the filter: in joined letters, q comes last, as in -rq FILTER"
            : "\(OutputOption.jq.name) FILTER filters the response"
    }

    /// Refuses a method, a filter and a name in the place of another operand.
    ///
    /// - Parameter names: the names of stored tokens and profiles.
    /// - Throws: exit 2.
    static func check(_ first: String?, _ url: String?, names: () -> [String]) throws(Failure) {
        guard let first, let url else { return }
        if isMethod(first), !names().contains(first) {
            throw .usage("the method is the value of an option, not an operand", hint: hint(for: first))
        }
        guard isTarget(first), !isTarget(url) else { return }
        if isFilter(url) {
            throw .usage(
                "the filter is the value of an option, not an operand",
                hint: "\(OutputOption.jq.name) FILTER filters the response")
        }
        guard (try? TokenName(url)) != nil else { return }
        throw .usage("the name of the stored token comes before the URL", hint: "oap call \(url) URL")
    }

    private static func hint(for method: String) -> String { "\(CallOption.method.names[0]) \(method) sets the method" }

    private static func isMethod(_ word: String) -> Bool { CallOption.methods.contains(word) }

    private static func isFilter(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: ".") }

    private static func isTarget(_ word: String) -> Bool { word.hasPrefix("/") || word.contains("://") }
}
