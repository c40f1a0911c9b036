extension JSON {
    /// Appends the text in a style, without a line end; `numberText` changes the text of a number.
    package func write(
        to output: inout [UInt8], style: JSONStyle, numberText: (String) -> String = { $0 }
    ) {
        withoutActuallyEscaping(numberText) { numberText in
            StyledWriter(style: style, numberText: numberText).write(self, indent: 0, to: &output)
        }
    }
}

/// jq's default palette, as parameters of "select graphic rendition" (ECMA-48 §8.3.117).
private enum Palette {
    static let memberName = "34;1"
    static let reset = "0"

    static func color(of value: JSON) -> String {
        switch value {
        case .null: "1;30"
        case .bool, .number: "0;39"
        case .string: "0;32"
        case .array, .object: "1;39"
        }
    }
}

private struct StyledWriter {
    let style: JSONStyle
    let numberText: (String) -> String

    func write(_ value: JSON, indent: Int, to output: inout [UInt8]) {
        let color = Palette.color(of: value)
        select(color, in: &output)
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): output.append(contentsOf: numberText(text).utf8)
        case .string(let text): JSON.write(text, to: &output)
        case .array(let elements):
            write(elements, between: "[", "]", color: color, indent: indent, to: &output) { element, output in
                write(element, indent: indent + 1, to: &output)
            }
        case .object(let object):
            write(object.members, between: "{", "}", color: color, indent: indent, to: &output) { member, output in
                select(Palette.reset, in: &output)
                select(Palette.memberName, in: &output)
                JSON.write(member.name, to: &output)
                select(Palette.reset, in: &output)
                select(color, in: &output)
                output.append(contentsOf: (style.isPretty ? ": " : ":").utf8)
                select(Palette.reset, in: &output)
                write(member.value, indent: indent + 1, to: &output)
            }
        }
        select(Palette.reset, in: &output)
    }

    /// The brackets, commas and line ends of an array or object. jq selects the colour of the brackets again after
    /// each item and before the closing one.
    private func write<Item>(
        _ items: [Item], between opening: Unicode.Scalar, _ closing: Unicode.Scalar, color: String, indent: Int,
        to output: inout [UInt8], item write: (Item, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: opening))
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            breakLine(indent: indent + 1, in: &output)
            write(item, &output)
            select(color, in: &output)
        }
        if !items.isEmpty {
            breakLine(indent: indent, in: &output)
            select(color, in: &output)
        }
        output.append(UInt8(ascii: closing))
    }

    private func breakLine(indent: Int, in output: inout [UInt8]) {
        guard style.isPretty else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indent))
    }

    private func select(_ rendition: String, in output: inout [UInt8]) {
        guard style.isColored else { return }
        output.append(contentsOf: "\u{1B}[\(rendition)m".utf8)
    }
}
