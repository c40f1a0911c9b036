internal import CLibJQ
internal import Wire

/// Builds the `jv` of a JSON text without the parts that a filter cannot reach.
///
/// An array or object is never left out where a filter looks at it, only what is in it: what jq says about a value of the
/// wrong kind stays the same.
struct ProjectedBuilder: JSONSink {
    let values = JQValueBuilder()
    private let nodes: [Projection.Node]
    /// The nodes of the open arrays and objects of which only a part is needed.
    private var open: [Int] = []
    /// The node of the next value; nil for one that is left out.
    private var next: Int? = 0
    /// The open containers of a value that is built whole, or left out.
    private var depth = 0
    private var isLeftOut = false
    /// How many values at the end of a path were taken.
    private var taken = 0

    init(_ projection: Projection) { nodes = projection.nodes }

    mutating func begin(_ container: JSONContainer) {
        if depth > 0 {
            depth += 1
            if !isLeftOut { values.begin(container) }
            return
        }
        isLeftOut = next == nil
        guard let node = next else { return depth = 1 }
        values.begin(container)
        guard !nodes[node].isWhole else { return depth = 1 }
        open.append(node)
        next = nodes[node].each
    }

    mutating func end(_ container: JSONContainer) {
        if depth > 0 {
            depth -= 1
            if !isLeftOut { values.end(container) }
            return
        }
        values.end(container)
        open.removeLast()
        // In an object the next name decides.
        if let last = open.last { next = nodes[last].each } else { next = 0 }
    }

    mutating func name(_ text: JSONStringText) {
        if depth > 0 {
            if !isLeftOut { values.name(text) }
            return
        }
        let node = nodes[open[open.count - 1]]
        next = node.each ?? node.members.first { text.isIdentical(to: $0.name) }?.node
        if next != nil { values.name(text) }
    }

    private var leavesOut: Bool { depth > 0 ? isLeftOut : next == nil }

    func string(_ text: JSONStringText) { if !leavesOut { values.string(text) } }
    func number(_ text: UnsafeRawBufferPointer) { if !leavesOut { values.number(text) } }
    func literal(_ literal: JSONLiteral) { if !leavesOut { values.literal(literal) } }
}

/// Keeps the values at the end of a path for libjq.
extension ProjectedBuilder: PathOutput {
    var mark: Int { taken + values.values.count }

    func takeBack(to mark: Int) { values.drop(from: mark - taken) }

    /// Takes the values before a mark, or all; the caller owns them.
    mutating func take(to mark: Int?) -> [jv] {
        let values = values.take(mark.map { $0 - taken } ?? values.values.count)
        taken += values.count
        return values
    }

    func put(_ value: JSON) {
        guard let value = try? JQValue(value) else { preconditionFailure("a value has no more than 128 MiB of text") }
        values.add(value)
    }
}

extension JSONStringText {
    fileprivate func isIdentical(to name: [UInt8]) -> Bool {
        if hasEscapes { return string.utf8.elementsEqual(name) }
        return bytes.count == name.count && bytes.elementsEqual(name)
    }
}
