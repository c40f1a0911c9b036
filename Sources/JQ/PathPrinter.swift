internal import Wire

/// Writes the values of a plain path as jq 1.6 does.
struct PathPrinter: PathOutput {
    struct Mark {
        let length: Int
        let isFalseOrNull: Bool?
    }

    /// The text of the outputs that was not taken.
    private(set) var text: [UInt8] = []
    /// Whether the last output was false or null; nil if there was none.
    private(set) var isFalseOrNull: Bool?
    /// Whether outputs would have been taken back that were taken already.
    private(set) var isTooLate = false
    private let style: JQOutputStyle
    private let separator: [UInt8]
    private var taken = 0
    private var depth = 0
    private var builder = JSONTreeBuilder()

    /// A printer that writes `separator` behind each output.
    init(style: JQOutputStyle, separator: [UInt8]) { (self.style, self.separator) = (style, separator) }

    var mark: Mark { Mark(length: taken + text.count, isFalseOrNull: isFalseOrNull) }

    mutating func takeBack(to mark: Mark) {
        guard mark.length >= taken else { return isTooLate = true }
        text.removeSubrange((mark.length - taken)...)
        isFalseOrNull = mark.isFalseOrNull
    }

    /// Takes the text before a mark, or all.
    mutating func take(to mark: Mark?) -> [UInt8] {
        let count = mark.map { $0.length - taken } ?? text.count
        taken += count
        defer { text.removeSubrange(..<count) }
        return Array(text[..<count])
    }

    mutating func put(_ value: JSON) {
        let output = value.jqOutput(style: style)
        text += output.bytes
        text += separator
        isFalseOrNull = output.isFalseOrNull
    }

    mutating func begin(_ container: JSONContainer) {
        depth += 1
        builder.begin(container)
    }

    mutating func end(_ container: JSONContainer) {
        builder.end(container)
        depth -= 1
        guard depth == 0, let value = builder.value else { return }
        builder = JSONTreeBuilder()
        put(value)
    }

    mutating func name(_ text: JSONStringText) { builder.name(text) }

    mutating func string(_ text: JSONStringText) {
        guard depth == 0 else { return builder.string(text) }
        guard style.isRaw || !style.json.isColored else { return put(.string(text.string)) }
        if style.isRaw {
            text.append(to: &self.text)
        } else if text.hasEscapes {
            var content: [UInt8] = []
            text.append(to: &content)
            content.withUnsafeBytes { JSON.write(utf8: $0, to: &self.text) }
        } else {
            JSON.write(utf8: text.bytes, to: &self.text)
        }
        self.text += separator
        isFalseOrNull = false
    }

    mutating func number(_ text: UnsafeRawBufferPointer) {
        guard depth == 0 else { return builder.number(text) }
        guard !style.json.isColored, JQNumber.isExact(text) else {
            return put(.number(String(decoding: text, as: UTF8.self)))
        }
        self.text.append(contentsOf: text)
        self.text += separator
        isFalseOrNull = false
    }

    mutating func literal(_ literal: JSONLiteral) {
        guard depth == 0 else { return builder.literal(literal) }
        put(literal.json)
    }
}
