/// Builds the value of a JSON text from a ``JSONScanner``. Of members with one name the last wins, in the place of the
/// first, as in jq.
package struct JSONTreeBuilder: JSONSink {
    private enum Frame {
        case array([JSON])
        case object(JSONObject, name: String)
    }

    private var frames: [Frame] = []
    /// The value, once it is whole.
    package private(set) var value: JSON?

    package init() {}

    package mutating func begin(_ container: JSONContainer) {
        frames.append(container == .array ? .array([]) : .object(JSONObject(), name: ""))
    }

    package mutating func end(_ container: JSONContainer) {
        switch frames.removeLast() {
        case .array(let elements): add(.array(elements))
        case .object(let object, _): add(.object(object))
        }
    }

    package mutating func name(_ text: JSONStringText) {
        guard case .object(let object, _) = frames.removeLast() else { return }
        frames.append(.object(object, name: text.string))
    }

    package mutating func string(_ text: JSONStringText) { add(.string(text.string)) }

    package mutating func number(_ text: UnsafeRawBufferPointer) { add(.number(String(decoding: text, as: UTF8.self))) }

    package mutating func literal(_ literal: JSONLiteral) { add(literal.json) }

    private mutating func add(_ value: JSON) {
        switch frames.popLast() {
        case nil: self.value = value
        case .array(var elements)?:
            elements.append(value)
            frames.append(.array(elements))
        case .object(var object, let name)?:
            object[name] = value
            frames.append(.object(object, name: name))
        }
    }
}
