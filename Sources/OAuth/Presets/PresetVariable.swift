internal import Wire

/// A place in a preset that a person fills: the `{tenant}` of an endpoint.
package struct PresetVariable: Sendable {
    /// What may stand in the place.
    package enum Form: Sendable, Equatable {
        /// Letters, digits and hyphens.
        case word
        /// The name of a host, with a port where it is not 443.
        case host
        /// One of these.
        case choice([String])
    }

    /// The name, without its braces.
    package let name: String
    /// What may stand in the place.
    package let form: Form

    /// Checks a value.
    ///
    /// - Throws: `usage`.
    func check(_ value: String) throws(OAuthError) {
        let isGood =
            switch form {
            case .word: !value.isEmpty && value.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
            case .host: Self.isHost(value)
            case .choice(let values): values.contains { value.isIdentical(to: $0) }
            }
        guard isGood else { throw OAuthError(.usage, "\(name) must be \(form)") }
    }

    /// Labels of letters, digits and hyphens with dots between them, then perhaps a port (RFC 1123 §2.1).
    private static func isHost(_ text: String) -> Bool {
        let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count > 1 {
            guard sides[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), UInt16(sides[1]) ?? 0 > 0 else {
                return false
            }
        }
        return text.utf8.count <= 253
            && sides[0].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
            }
    }
}

extension PresetVariable.Form: CustomStringConvertible {
    /// What it takes, for messages and the manual.
    package var description: String {
        switch self {
        case .word: "letters, digits and hyphens"
        case .host: "the name of a host"
        case .choice(let values): "one of \(values.joined(separator: ", "))"
        }
    }
}

extension PresetVariable.Form {
    /// Reads the form that a preset's `variables` name: `"host"`, `"word"`, or an array of what may be chosen.
    ///
    /// - Throws: `metadata_invalid`.
    init(_ value: JSON, of name: String) throws(OAuthError) {
        switch value {
        case .string("host"): self = .host
        case .string("word"): self = .word
        default:
            guard let values = value.strings, !values.isEmpty else {
                throw OAuthError(
                    .metadataInvalid, "the variable \(name) must be \"word\", \"host\" or an array of strings",
                    member: "variables")
            }
            self = .choice(values)
        }
    }
}
