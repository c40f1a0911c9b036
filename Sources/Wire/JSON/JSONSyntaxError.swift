/// Why a text is not valid JSON, and where.
public struct JSONSyntaxError: Error, Equatable {
    /// The reason, without the position: `expected a value`.
    package var reason: String
    /// The line, counted from 1.
    package var line: Int
    /// The column, counted in characters (Unicode scalars) from 1.
    package var column: Int

    package init(reason: String, line: Int, column: Int) {
        (self.reason, self.line, self.column) = (reason, line, column)
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { "\(reason) at line \(line), column \(column)" }
}
