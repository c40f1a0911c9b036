extension AuthenticationChallenge {
    /// The challenges of all fields of the name, in order. A malformed field has none: its readable parameters may
    /// belong to another scheme.
    package static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        values.flatMap { value in
            var parser = ChallengeParser(value)
            return parser.parse() ?? []
        }
    }
}

/// Reads the list of challenges in one field value.
private struct ChallengeParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    /// The challenges, at least one; nil when the text is malformed.
    mutating func parse() -> [AuthenticationChallenge]? {
        var challenges: [AuthenticationChallenge] = []
        repeat {
            skipSpace()
            // An element is empty, a parameter of the challenge before, or a scheme with what follows it.
            guard let byte = peek(), byte != comma else { continue }
            if !challenges.isEmpty, let parameter = parameter() {
                guard add(parameter, to: &challenges[challenges.count - 1]) else { return nil }
            } else {
                guard let challenge = challenge() else { return nil }
                challenges.append(challenge)
            }
            skipSpace()
        } while skip(comma)
        return position == bytes.count && !challenges.isEmpty ? challenges : nil
    }

    /// A scheme, and what can follow it before a comma: one parameter or a token68.
    private mutating func challenge() -> AuthenticationChallenge? {
        guard let scheme = token() else { return nil }
        var challenge = AuthenticationChallenge(scheme: scheme.asciiLowercased)
        let spaces = skipSpace()
        guard let byte = peek(), byte != comma else { return challenge }
        guard spaces else { return nil }
        if let parameter = parameter() {
            return add(parameter, to: &challenge) ? challenge : nil
        }
        challenge.token68 = token68()
        return challenge.token68 == nil ? nil : challenge
    }

    private func add(
        _ parameter: AuthenticationChallenge.Parameter, to challenge: inout AuthenticationChallenge
    ) -> Bool {
        guard challenge.token68 == nil, challenge[parameter.name] == nil else { return false }
        challenge.parameters.append(parameter)
        return true
    }

    /// `name = value`; nil, with nothing consumed, if there is none.
    private mutating func parameter() -> AuthenticationChallenge.Parameter? {
        let start = position
        if let name = token() {
            skipSpace()
            if skip(equals) {
                skipSpace()
                if let value = peek() == quote ? quotedString() : token() {
                    return AuthenticationChallenge.Parameter(name: name.asciiLowercased, value: value)
                }
            }
        }
        position = start
        return nil
    }

    private mutating func token() -> String? { take { $0.isHTTPTokenCharacter } }

    /// Base64 of some alphabet with its padding, up to a comma or the end.
    private mutating func token68() -> String? {
        guard let text = take({ $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }) else { return nil }
        let padding = take { $0 == equals } ?? ""
        return text + padding
    }

    private mutating func quotedString() -> String? {
        guard skip(quote) else { return nil }
        var content: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = peek() else { return nil }
                position += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        return nil
    }

    private mutating func take(_ isPart: (UInt8) -> Bool) -> String? {
        let part = bytes[position...].prefix(while: isPart)
        position = part.endIndex
        return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = peek(), byte == 0x20 || byte == 0x09 { position += 1 }
        return position > start
    }
}

private let comma = UInt8(ascii: ",")
private let equals = UInt8(ascii: "=")
private let quote = UInt8(ascii: "\"")
