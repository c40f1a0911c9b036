internal import Wire

/// A place in a preset that a person fills: the `{tenant}` of an endpoint.
package struct PresetVariable: Sendable {
    package enum Form: Sendable, Equatable {
        case word
        /// A host name, with a port and a path if needed; `https://` before it is left out, and `http://` names a server
        /// on this machine, as does a port of this machine without either, unless it ends with 443.
        case host
        /// A host name, with a port if needed, but without a path.
        case authority
        case segment
        /// Any text, as one segment of a path.
        case escaped
        case choice([String])
    }

    /// The name, without its braces.
    package let name: String
    package let form: Form
    package let standard: String?
    /// A value such as a person would give, for messages; nil without one.
    package let example: String?

    /// The text that is put in the place of the variable.
    func filled(with value: String) throws(OAuthError) -> String {
        let filled: String? =
            switch form {
            case .word: Self.isWord(value) ? value : nil
            case .host: Self.host(value)
            case .authority: Self.host(value).flatMap { Self.path(of: $0).isEmpty ? $0 : nil }
            case .segment: Self.segment(value)
            case .escaped: value.isEmpty ? nil : percentEncoded(value.utf8, except: Self.isUnreserved)
            case .choice(let values): values.contains { value.isIdentical(to: $0) } ? value : nil
            }
        if let filled { return filled }
        let host = form == .authority ? Self.host(value).map { $0.dropLast(Self.path(of: $0).count) } : nil
        let hint = host ?? example.map { $0[...] }
        throw OAuthError(.usage, "\(name) must be \(form)", hint: hint.map { "such as \(name)=\($0)" })
    }

    private static func path(of host: String) -> Substring {
        let start = host.firstRange(of: "://")?.upperBound ?? host.startIndex
        return host[start...].drop { $0 != "/" }
    }

    private static func isWord(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
    }

    /// The host without `https://` and a slash at the end; nil for text that is none.
    private static func host(_ text: String) -> String? {
        let isSecure = text.hasPrefix("https://")
        let named = text.hasPrefix("http://")
        let scheme = named ? "http://" : isSecure ? "https://" : ""
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard let authority = parts.first, isAuthority(authority), parts.dropFirst().allSatisfy(isPlainSegment) else {
            return nil
        }
        let url = WebURL("http://\(rest)")
        let isLoopback = url?.isLoopback == true
        if named { return isLoopback ? "http://\(rest)" : nil }
        let isPlain = !isSecure && isLoopback && url?.port.map { $0 % 1000 != 443 } ?? false
        return isPlain ? "http://\(rest)" : String(rest)
    }

    /// Labels of letters, digits and hyphens with dots between them, then perhaps a port (RFC 1123 §2.1).
    private static func isAuthority(_ text: Substring) -> Bool {
        let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count > 1 {
            guard sides[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), UInt16(sides[1]) ?? 0 > 0 else {
                return false
            }
        }
        return text.utf8.count <= 253
            && sides[0].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                isWord(label) && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
            }
    }

    /// Whether a segment of a path needs no encoding (RFC 3986 §2.3).
    private static func isPlainSegment(_ text: Substring) -> Bool {
        !["", ".", ".."].contains(text) && text.utf8.allSatisfy(isUnreserved)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) }

    /// The segment, percent-encoded (RFC 3986 §3.3); nil for text that could leave its place in the path.
    private static func segment(_ text: String) -> String? {
        guard !["", ".", ".."].contains(text), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            !text.utf8.contains(where: { "/?#%\\".utf8.contains($0) })
        else { return nil }
        return percentEncoded(text.utf8) { isUnreserved($0) || "!$&'()*+,;=:@".utf8.contains($0) }
    }
}

extension PresetVariable.Form: CustomStringConvertible {
    /// What the variable takes, for a message that refuses a value.
    package var description: String {
        switch self {
        case .host, .authority: "\(noun); http:// before it is allowed only for a server on this machine"
        case .word, .segment, .escaped, .choice: noun
        }
    }

    /// What the variable takes, in short.
    package var noun: String {
        switch self {
        case .word: "letters, digits and hyphens"
        case .host: "a host name, with a port and a path if needed"
        case .authority: "a host name without a path, with a port if needed"
        case .segment: "a name without slashes"
        case .escaped: "a name"
        case .choice(let values): "one of \(values.joined(separator: ", "))"
        }
    }
}

extension PresetVariable.Form {
    /// Reads the form that a preset's `variables` name: `"host"`, `"authority"`, `"segment"`, `"escaped"`, `"word"`, or an array of what may be
    /// chosen.
    ///
    /// - Throws: `usage`.
    init(_ value: JSON, of name: String) throws(OAuthError) {
        switch value {
        case .string("host"): self = .host
        case .string("authority"): self = .authority
        case .string("segment"): self = .segment
        case .string("escaped"): self = .escaped
        case .string("word"): self = .word
        default:
            guard let values = value.strings, !values.isEmpty else {
                throw OAuthError(
                    .usage,
                    "the variable \(name) must be word, host, authority, segment, escaped or an array of strings",
                    member: "variables", origin: .document)
            }
            self = .choice(values)
        }
    }
}
