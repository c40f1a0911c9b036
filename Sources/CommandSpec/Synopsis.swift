/// One form of a command line.
package struct Synopsis: Sendable {
    /// The program and the command, `oap authurl`.
    package let invocation: String
    /// The options and operands.
    package let parts: [Part]

    /// A part of a synopsis.
    package enum Part: Sendable {
        /// A required part.
        case required([Inline])
        /// An optional part, shown in brackets.
        case optional([Inline])
    }

    /// Makes a synopsis; see the properties.
    package init(_ invocation: String, _ parts: [Part]) {
        self.invocation = invocation
        self.parts = parts
    }
}
