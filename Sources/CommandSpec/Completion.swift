/// The shell completion for the value of an option or for an operand.
package indirect enum Completion: Sendable, Equatable {
    /// None: any text is allowed.
    case nothing
    /// The names of files.
    case files
    /// The names of directories.
    case directories
    /// These words; others are allowed too. After one that ends with `=` a value follows without a space.
    case words([String])
    /// The lines that the program prints if it is called with these arguments: words that need no quoting.
    case printed([String])
    /// The name of a program, and its own arguments after it.
    case program
    /// What fits the command's first operand; none for another one.
    case byFirst([Alternative])

    /// A completion for some values of the first operand.
    package struct Alternative: Sendable, Equatable {
        /// The values of the first operand.
        package let firsts: [String]
        /// What completes the operand after them.
        package let completion: Completion

        /// Makes an alternative; see the properties.
        package init(_ firsts: [String], _ completion: Completion) {
            self.firsts = firsts
            self.completion = completion
        }
    }
}

extension Completion {
    /// The completion for each set of values of the first operand; nil for any value.
    var alternatives: [(firsts: [String]?, completion: Completion)] {
        guard case .byFirst(let alternatives) = self else { return self == .nothing ? [] : [(nil, self)] }
        return alternatives.map { ($0.firsts, $0.completion) }
    }
}
