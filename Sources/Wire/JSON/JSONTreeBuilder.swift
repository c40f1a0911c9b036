/// Builds the value of a JSON text from a ``JSONScanner``. Of members with one name the last wins, in the place of the
/// first, as in jq.
package struct JSONTreeBuilder: JSONSink {
    private struct Frame {
        let container: JSONContainer
        var elements: [JSON] = []
        var members: [JSONObject.Member] = []
        var names = MemberNames()
        var isRepeating = false

        var value: JSON {
            guard container == .object else { return .array(elements) }
            guard isRepeating else { return .object(JSONObject(unique: members)) }
            return .object(members.reduce(into: JSONObject()) { $0[$1.name] = $1.value })
        }
    }

    /// The innermost; around the whole text, an array of it.
    private var frame = Frame(container: .array)
    private var outer: [Frame] = []
    /// The names of the members whose values come.
    private var names: [String] = []
    /// The first name that an object had before.
    private(set) var repeated: JSONStringText?
    /// The value of the text, once it is whole.
    package var value: JSON? { outer.isEmpty ? frame.elements.first : nil }

    package init() {}

    package mutating func begin(_ container: JSONContainer) {
        outer.append(frame)
        frame = Frame(container: container)
    }

    package mutating func end(_ container: JSONContainer) {
        let value = frame.value
        frame = outer.removeLast()
        add(value)
    }

    package mutating func name(_ text: JSONStringText) {
        let name = text.string
        if !frame.names.insert(name, after: frame.members) {
            frame.isRepeating = true
            repeated = repeated ?? text
        }
        names.append(name)
    }

    package mutating func string(_ text: JSONStringText) { add(.string(text.string)) }

    package mutating func number(_ text: UnsafeRawBufferPointer) { add(.number(String(decoding: text, as: UTF8.self))) }

    package mutating func literal(_ literal: JSONLiteral) { add(literal.json) }

    private mutating func add(_ value: JSON) {
        switch frame.container {
        case .array: frame.elements.append(value)
        case .object: frame.members.append(.init(name: names.removeLast(), value: value))
        }
    }
}

/// Finds a repeated member name: by linear search in a small object, with a set in a large one.
private struct MemberNames {
    private var set: Set<[UInt8]> = []

    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name.isIdentical(to: name) } }
        if set.isEmpty { set = Set(members.map { Array($0.name.utf8) }) }
        return set.insert(Array(name.utf8)).inserted
    }
}
