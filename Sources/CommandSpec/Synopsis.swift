/// One form of a command line.
package struct Synopsis: Sendable {
    /// The program and the command, `oap authurl`.
    package let invocation: String
    /// The options and operands.
    package let parts: [Part]

    package enum Part: Sendable {
        case required([Inline])
        /// An optional part, shown in brackets.
        case optional([Inline])
    }

    package init(_ invocation: String, _ parts: [Part]) { (self.invocation, self.parts) = (invocation, parts) }
}
