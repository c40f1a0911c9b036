package import Wire

/// Masks secrets in what people see: known ones wherever they stand and however they are spelled, and the values of
/// headers and parameters that carry credentials by their nature.
package struct Redactor: Sendable {
    private var needles: [SecretNeedle] = []

    /// Knows these secrets. Empty ones are passed over.
    package init(secrets: some Sequence<String> = []) {
        for secret in secrets { add(secret) }
    }

    /// Adds a secret that has become known.
    package mutating func add(_ secret: String) {
        for needle in SecretNeedle.needles(for: secret) where !needles.contains(needle) { needles.append(needle) }
    }

    /// The text with every known secret masked: as it is, percent-encoded, escaped as in JSON, or inside Base64. A
    /// secret of fewer than four characters is masked only where it is a whole word.
    package func redact(_ text: String) -> String { String(decoding: redact(Array(text.utf8)), as: UTF8.self) }

    /// The same for bytes, which need not be UTF-8.
    package func redact(_ bytes: [UInt8]) -> [UInt8] { bytes.masking(secretRanges(in: bytes)) }

    /// A URL, or a text with URLs in it, with known secrets, user information and parameters such as `code` masked.
    package func redact(url text: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = secretRanges(in: bytes) + SensitiveURLParts.ranges(in: bytes)
        return String(decoding: bytes.masking(ranges), as: UTF8.self)
    }

    /// A header field with its value masked where it is a credential; of `Authorization` the scheme stays.
    package func redact(_ field: HTTPField) -> HTTPField {
        guard field.isSensitive else { return HTTPField(field.name, redact(url: field.value)) }
        return HTTPField(field.name, field.visibleScheme.map { "\($0) \(Self.mask)" } ?? Self.mask)
    }

    /// A line of a message head, either the first one or a field.
    func redact(headerLine line: String) -> String {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].utf8.allSatisfy({ $0 > 0x20 }) else {
            return redact(url: line)
        }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        let field = redact(HTTPField(String(line[..<colon]), String(value)))
        return "\(field.name): \(field.value)"
    }

    /// Where known secrets stand.
    func secretRanges(in bytes: [UInt8]) -> [Range<Int>] {
        guard !needles.isEmpty else { return [] }
        var isFirst = [Bool](repeating: false, count: 256)
        for needle in needles {
            for byte in needle.firstBytes { isFirst[Int(byte)] = true }
        }
        return bytes.indices.flatMap { index in
            isFirst[Int(bytes[index])] ? needles.compactMap { $0.range(in: bytes, at: index) } : []
        }
    }

    /// What stands in place of a secret.
    static let mask = "***"
}

extension HTTPField {
    /// Whether the value is a credential by the name of the field.
    var isSensitive: Bool {
        let name = name.asciiLowercased
        return ["authorization", "proxy-authorization", "dpop"].contains(name) || name.hasSuffix("key")
            || ["cookie", "token", "secret", "password", "session", "credential"].contains(where: name.contains)
    }

    /// The scheme of an `Authorization`, which may be shown; nil where the whole value is a credential.
    var visibleScheme: Substring? {
        guard name.asciiLowercased.hasSuffix("authorization"), let space = value.firstIndex(of: " ") else { return nil }
        return value[..<space]
    }
}

extension [UInt8] {
    /// The bytes with each range, overlapping ones taken together, replaced by the mask.
    fileprivate func masking(_ ranges: [Range<Int>]) -> [UInt8] {
        guard !ranges.isEmpty else { return self }
        var output: [UInt8] = []
        var end = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound >= end {
                output.append(contentsOf: self[end..<range.lowerBound])
                output.append(contentsOf: Redactor.mask.utf8)
            }
            end = Swift.max(end, range.upperBound)
        }
        output.append(contentsOf: self[end...])
        return output
    }
}
