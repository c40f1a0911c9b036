import Wire

/// Parameters in their order; nil takes one away.
struct Form: ExpressibleByDictionaryLiteral {
    var pairs: [(name: String, value: String?)]

    init(dictionaryLiteral elements: (String, String?)...) { pairs = elements.map { ($0, $1) } }

    init(pairs: [(name: String, value: String?)]) { self.pairs = pairs }

    var isEmpty: Bool { pairs.isEmpty }

    var text: String { FormEncoding.encode(pairs.compactMap { pair in pair.value.map { (pair.name, $0) } }) }

    /// The parameters with others in their places, or added.
    func with(_ other: Form) -> Form {
        var form = self
        for pair in other.pairs {
            form.pairs.removeAll { $0.name == pair.name }
            form.pairs.append(pair)
        }
        return form
    }
}
