/// An argument that is not an option.
package final class Operand: Sendable {
    /// The placeholder of the operand, for example `URL`.
    package let name: String
    /// Whether the command fails without it.
    package let isRequired: Bool
    /// The option without which the command fails where this is missing, if it is not required.
    package let replacement: Option?
    /// Whether the operand is left out if there are fewer operands than the command takes; only the first may.
    package let isLeading: Bool
    /// Whether the operand may be given more than once; only the last operand may, or the last before one behind dashes.
    package let isRepeatable: Bool
    /// Whether it and the words after it come after `--`, as they are: a command with its own options. Only the last
    /// operand may.
    package let followsDashes: Bool
    /// The allowed values; empty for any.
    package let choices: [String]
    /// Words for which there is no choice, and what to do instead.
    let otherChoices: [(word: String, hint: String)]
    /// The shell completion if there are no `choices`.
    package var completes: Completion { makeCompletion() }
    /// What the operand is, in one line.
    package let summary: String
    /// The long text for the manual, in `Markup`; nil if the manual of the command has it under the name.
    var details: String? { makeDetails() }
    private let makeCompletion: @Sendable () -> Completion
    private let makeDetails: @Sendable () -> String?

    package init(
        _ name: String, isRequired: Bool = true, unless replacement: Option? = nil, isLeading: Bool = false,
        isRepeatable: Bool = false,
        followsDashes: Bool = false, choices: [String] = [], otherChoices: [(word: String, hint: String)] = [],
        completes: @autoclosure @escaping @Sendable () -> Completion = .nothing, summary: String,
        details: @autoclosure @escaping @Sendable () -> String? = nil
    ) {
        self.name = name
        self.isRequired = isRequired && replacement == nil && !isLeading
        (self.replacement, self.isLeading, self.isRepeatable) = (replacement, isLeading, isRepeatable)
        (self.followsDashes, self.choices, self.otherChoices) = (followsDashes, choices, otherChoices)
        makeCompletion = completes
        self.summary = summary
        makeDetails = details
    }

    /// The summary, with the allowed values.
    var fullSummary: String { summary + (choices.isEmpty ? "" : ": " + choices.joined(separator: ", ", last: " or ")) }

    /// The shell completion: the choices, if there are any.
    var valueCompletion: Completion { choices.isEmpty ? completes : .words(choices) }
}
