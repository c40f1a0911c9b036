extension Failure {
    /// The message is jq's own.
    package static func filter(_ filter: String?, failed message: String) -> Failure {
        // jq has a stream of inputs. It says "break" (1.6) or "No more inputs" at its end.
        guard !["break", "No more inputs"].contains(message) || filter?.contains("input") != true else {
            return Failure(.filterFailed, .filter, "input is not available: one response is one input")
        }
        return Failure(
            .filterFailed, .filter, "the filter failed: \(message)",
            hint: filter.flatMap { hint(for: message, of: $0) })
    }

    /// The filter with the `[]` that it lacks, where the member of an array was meant to be that of its elements; nil if
    /// the place is not clear.
    private static func hint(for message: String, of filter: String) -> String? {
        let start = "Cannot index array with string \""
        guard message.hasPrefix(start), case let name = message.dropFirst(start.count).dropLast(), !name.isEmpty,
            let place = filter.firstRange(of: ".\(name)"),
            case let (before, after) = (filter[..<place.lowerBound], filter[place.upperBound...]),
            !after.contains(".\(name)"), !(after.utf8.first.map(isOfName) ?? false)
        else { return nil }
        let goesOn = before.utf8.last.map { isOfName($0) || "])\"?".utf8.contains($0) } ?? false
        let whole = "\(before)\(goesOn ? "" : ".")[].\(name)\(after)"
        return "for each element of the array, the filter is \(whole.shellWord)"
    }

    /// Whether a byte may be one of a name that needs no quotes in a filter.
    private static func isOfName(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") }
}
