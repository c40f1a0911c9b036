internal import CLibJQ
internal import Wire

/// Keeps the values at the end of a path for libjq.
struct ElementQueue: PathOutput {
    private let builder = JQValueBuilder()
    private var taken = 0

    /// The number of values so far.
    var mark: Int { taken + builder.values.count }

    func takeBack(to mark: Int) { builder.drop(from: mark - taken) }

    /// Takes the values before a mark, or all; the caller owns them.
    mutating func take(to mark: Int?) -> [jv] {
        let values = builder.take(mark.map { $0 - taken } ?? builder.values.count)
        taken += values.count
        return values
    }

    func put(_ value: JSON) {
        guard let value = try? JQValue(value) else { preconditionFailure("a value has no more than 128 MiB of text") }
        builder.add(value)
    }

    func begin(_ container: JSONContainer) { builder.begin(container) }
    func end(_ container: JSONContainer) { builder.end(container) }
    func name(_ text: JSONStringText) { builder.name(text) }
    func string(_ text: JSONStringText) { builder.string(text) }
    func number(_ text: UnsafeRawBufferPointer) { builder.number(text) }
    func literal(_ literal: JSONLiteral) { builder.literal(literal) }
}
