package import System

/// A program that an errand runs for its output. Its standard error is that of this process.
package struct ChildProgram {
    /// The program, looked up in `PATH`, and its arguments.
    package let words: [String]
    /// The environment variables of the program, each `NAME=VALUE`.
    package let variables: [String]
    package let input: [UInt8]
    /// How long the program may take, in seconds: the user may have to type a passphrase.
    package let seconds: Int
    /// The most bytes that it may print.
    package let limit: Int
    package let ignored: [Int32]

    package enum End: Sendable {
        /// With this exit status, 128 and the signal for one that was ended by a signal, and this output.
        case ended(status: Int32, output: [UInt8])
        case notStarted(Errno)
        /// The program was killed: it took too long.
        case late
        /// The program was killed: it printed more than the limit.
        case tooLong
    }

    package init(
        _ words: [String], variables: [String], input: [UInt8] = [], seconds: Int, limit: Int, ignored: [Int32] = []
    ) {
        (self.words, self.variables, self.input) = (words, variables, input)
        (self.seconds, self.limit, self.ignored) = (seconds, limit, ignored)
    }
}
