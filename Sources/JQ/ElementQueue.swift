internal import CLibJQ
internal import Wire

/// Keeps the values at the end of a path for libjq.
struct ElementQueue: PathOutput {
    private var parts: ProjectedBuilder
    private var taken = 0
    private var builder: JQValueBuilder { parts.values }

    init(_ projection: Projection) { parts = ProjectedBuilder(projection) }

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

    mutating func begin(_ container: JSONContainer) { parts.begin(container) }
    mutating func end(_ container: JSONContainer) { parts.end(container) }
    mutating func name(_ text: JSONStringText) { parts.name(text) }
    mutating func string(_ text: JSONStringText) { parts.string(text) }
    mutating func number(_ text: UnsafeRawBufferPointer) { parts.number(text) }
    mutating func literal(_ literal: JSONLiteral) { parts.literal(literal) }
}
