extension JSONScanner {
    /// The failure of a byte that cannot be here, or of the end of the text.
    @usableFromInline
    func misplaced(at position: Int, isEnd: Bool = false) -> JSONSyntaxError {
        let reason =
            switch expectation {
            case .value, .elementOrEnd:
                isEnd ? "unexpected end of input, expected a value" : "expected a value"
            case .name, .nameOrEnd: "expected a member name in quotes"
            case .colon: "expected ':' after the member name"
            case .separator: containers.last == true ? "expected ',' or '}'" : "expected ',' or ']'"
            case .end: "unexpected text after the value"
            }
        return failure(reason, at: position)
    }

    @usableFromInline
    func failure(_ reason: String, at position: Int) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, line: line, column: offset + position - lineStart - continuations + 1)
    }
}
