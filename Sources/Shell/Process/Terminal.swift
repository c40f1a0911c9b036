internal import Glibc

/// Escapes text for a terminal.
package enum Terminal {
    /// The text with every character escaped that a terminal could act on: controls of both sets, and characters that
    /// change the direction of writing.
    package static func escaping(_ text: String, keepingLines: Bool = false) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where keepingLines && (scalar == "\n" || scalar == "\t"): output.unicodeScalars.append(scalar)
            case .control where scalar == "\n": output += "\\n"
            case .control where scalar == "\r": output += "\\r"
            case .control, .format, .lineSeparator, .paragraphSeparator:
                output += "\\u{\(String(scalar.value, radix: 16))}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// JSON text with JSON escapes for the characters in strings that JSON allows and a terminal could act on: the second
    /// set of controls, and those that change the direction of writing.
    package static func escaping(json bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
        var output = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return Array(output.utf8)
    }

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether standard output is a terminal that shows colours, and the user wants them (no-color.org).
    static func showsColors(_ environment: Environment) -> Bool {
        isTerminal(1) && !environment.isSet("NO_COLOR") && (try? environment.value("TERM")) != "dumb"
    }
}
