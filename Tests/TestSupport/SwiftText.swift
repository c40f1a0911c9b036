/// The text of a Swift file, as far as tests of the project read it.
public enum SwiftText {
    /// The code without its comments and without the text of its strings; the code that is interpolated in strings stays.
    public static func code(of text: String) -> String {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        scanner.code(until: nil)
        return String(decoding: scanner.code, as: UTF8.self)
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>
        var code: [UInt8] = []

        private mutating func take(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }

        /// Reads code up to the parenthesis that closes an interpolation, or to the end.
        mutating func code(until end: UInt8?) {
            var depth = 0
            while let byte = rest.first {
                if take("//") {
                    rest = rest.drop { $0 != UInt8(ascii: "\n") }
                } else if take("/*") {
                    while !rest.isEmpty, !take("*/") { rest = rest.dropFirst() }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
                    string()
                } else {
                    rest = rest.dropFirst()
                    if byte == UInt8(ascii: "(") { depth += 1 }
                    if byte == UInt8(ascii: ")") { depth -= 1 }
                    if byte == end, depth < 0 { return }
                    code.append(byte)
                }
            }
        }

        private mutating func string() {
            let signs = String(repeating: "#", count: rest.prefix { $0 == UInt8(ascii: "#") }.count)
            _ = take(signs)
            guard let quotes = ["\"\"\"", "\""].first(where: { take($0) }) else { return code += Array(signs.utf8) }
            code += Array(" \"\" ".utf8)
            while !rest.isEmpty, !take(quotes + signs) {
                if take("\\" + signs + "(") {
                    code(until: UInt8(ascii: ")"))
                } else if !take("\\" + signs + "\\"), !take("\\" + signs + "\"") {
                    rest = rest.dropFirst()
                }
            }
        }
    }
}
