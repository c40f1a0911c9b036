extension AuthenticationChallenge {
    /// The challenges of all fields of the name, in order. A malformed field has none: its readable parameters may
    /// belong to another scheme.
    package static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        values.flatMap { value in
            var scanner = FieldScanner(value)
            return scanner.challenges() ?? []
        }
    }
}

extension [HTTPField] {
    /// The challenges of a response (RFC 9110 §11.6.1).
    package var challenges: [AuthenticationChallenge] { AuthenticationChallenge.parse(values(of: "WWW-Authenticate")) }
}

/// Reads the list of challenges in one field value.
extension FieldScanner {
    /// The challenges, at least one; nil when the text is malformed.
    fileprivate mutating func challenges() -> [AuthenticationChallenge]? {
        var challenges: [AuthenticationChallenge] = []
        repeat {
            skipSpace()
            // An element is empty, a parameter of the challenge before, or a scheme with what follows it.
            guard let byte = peek(), byte != Self.comma else { continue }
            if !challenges.isEmpty, let parameter = parameter() {
                guard add(parameter, to: &challenges[challenges.count - 1]) else { return nil }
            } else {
                guard let challenge = challenge() else { return nil }
                challenges.append(challenge)
            }
            skipSpace()
        } while skip(Self.comma)
        return isAtEnd && !challenges.isEmpty ? challenges : nil
    }

    /// A scheme, and what can follow it before a comma: one parameter or a token68.
    private mutating func challenge() -> AuthenticationChallenge? {
        guard let scheme = token() else { return nil }
        var challenge = AuthenticationChallenge(scheme: scheme.asciiLowercased)
        let spaces = skipSpace()
        guard let byte = peek(), byte != Self.comma else { return challenge }
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
            if skip(Self.equals) {
                skipSpace()
                if let value = peek() == Self.quote ? quotedString() : bareValue() {
                    return AuthenticationChallenge.Parameter(name: name.asciiLowercased, value: value)
                }
            }
        }
        position = start
        return nil
    }

    /// A value without double quotes. Some servers write a URL so, or put it in single quotes.
    private mutating func bareValue() -> String? {
        let mark = UInt8(ascii: "'")
        if skip(mark) {
            let value = take { $0 != mark && $0 != Self.quote }
            return skip(mark) ? value : nil
        }
        guard peek() != Self.equals else { return nil }
        return take { WebURL.isAllowed($0) && $0 != Self.comma }
    }

    private mutating func token() -> String? { take { $0.isHTTPTokenCharacter } }

    /// Base64 of some alphabet with its padding, up to a comma or the end.
    private mutating func token68() -> String? {
        guard let text = take(while: { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }) else { return nil }
        let padding = take { $0 == Self.equals } ?? ""
        return text + padding
    }
}

/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1).
package struct AuthenticationChallenge: Sendable, Equatable {
    /// A parameter: its name in lower case, and its value with quoted pairs undone.
    package struct Parameter: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    /// The scheme in lower case, for example `bearer`.
    package var scheme: String
    /// The parameters in order, no name twice.
    package var parameters: [Parameter] = []
    /// The token68 of schemes such as Negotiate, instead of parameters.
    var token68: String?

    /// The value of a parameter, its name given in lower case.
    package subscript(name: String) -> String? {
        parameters.first { $0.name.isIdentical(to: name) }?.value
    }
}
