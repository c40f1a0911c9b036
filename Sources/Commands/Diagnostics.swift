internal import CommandSpec
internal import Glibc
internal import OAuth

/// What a command tells people, on standard error: `oap: COMMAND: message`.
struct Diagnostics {
    /// The command's name; nil before one is known.
    let command: String?
    /// Whether a warning ends the command (`--strict`).
    let isStrict: Bool

    /// Prints a message.
    func tell(_ message: String) {
        Self.print("oap: " + (command.map { "\($0): " } ?? "") + message)
    }

    /// Prints a failure and its hint. One without a message has been told already.
    func tell(_ failure: Failure) {
        if !failure.message.isEmpty { tell(failure.message) }
        if let hint = failure.hint { Self.print("oap: hint: \(hint)") }
    }

    /// Prints warnings.
    ///
    /// - Throws: with `--strict`, a failure made from the first.
    func warn(_ warnings: [OAuthWarning]) throws(Failure) {
        if isStrict, let first = warnings.first {
            throw Failure(
                .badAnswer, "invalid_response", first.message, hint: "without --strict this is only a warning")
        }
        for warning in warnings { tell("warning: \(warning.message)") }
    }

    /// Writes a line to standard error, its control characters escaped: it may hold what a server sent.
    static func print(_ line: String) {
        let bytes = Array((Terminal.escaping(line) + "\n").utf8)
        _ = bytes.withUnsafeBytes { FileAccess.writeAll(2, $0) }
    }
}

extension Diagnostics {
    /// Writes the body of an error to standard error, its lines kept. What stands before each makes none of them look
    /// like a message of ours, or like a command to the system that runs us (`::` in GitHub Actions).
    static func printBody(_ text: String) {
        var lines = Terminal.escaping(text, keepingLines: true).utf8
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        let bytes = lines.flatMap { Array("  | ".utf8) + $0 + [UInt8(ascii: "\n")] }
        _ = bytes.withUnsafeBytes { FileAccess.writeAll(2, $0) }
    }
}

/// What may be shown on a terminal.
enum Terminal {
    /// The text with everything escaped that a terminal could act on: controls of both sets, and characters that change
    /// the direction of writing.
    static func escaping(_ text: String, keepingLines: Bool = false) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where keepingLines && (scalar == "\n" || scalar == "\t"): output.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                output += "\\u{\(String(scalar.value, radix: 16))}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// JSON text with the characters escaped, as JSON escapes them, that a terminal could act on and that JSON may hold
    /// as they are: the second set of controls, and those that change the direction of writing. They stand in strings
    /// only.
    static func escaping(json bytes: [UInt8]) -> [UInt8] {
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

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
