package import Wire

/// Masks secrets in output: known secrets everywhere and in any encoding, and the values of headers and parameters with
/// credentials.
///
/// It is a class: the process has one, to which each secret is added that is read or issued. A process may run for
/// months, and get a new token every minute: of more secrets than ``limit``, those are forgotten that were added first and
/// not again since.
package final class Redactor {
    /// How many of the secrets that were added last are known for sure.
    package static let limit = 2048

    private var secrets: [String] = []
    private var known: Set<String> = []
    /// The secrets that were added since the last time that some were forgotten.
    private var recent: Set<String> = []
    /// The needles, made only when something is masked, which on success is never.
    private var needles: [SecretNeedle] = []
    /// Tells which needles are worth a search.
    private var filter = NeedleFilter()
    /// Whether a secret has a backslash, which escapes may swallow.
    private var hasBackslash = false
    /// The number of secrets with needles.
    private var seen = 0
    /// The most bytes of a secret that the needles hold: no text was longer. A token of megabytes is not searched for in
    /// a line.
    private var reach = 64 << 10

    /// A redactor for these secrets. Empty ones are ignored.
    package init(secrets: [String] = []) { for secret in secrets { add(secret) } }

    /// Adds a secret, or says that it is still used.
    package func add(_ secret: String) {
        guard recent.insert(secret).inserted else { return }
        if known.insert(secret).inserted { secrets.append(secret) }
        guard recent.count == Self.limit else { return }
        secrets.removeAll { !recent.contains($0) }
        (known, recent) = (recent, [])
        forgetNeedles()
    }

    /// Adds all JWTs with this protected header, which nobody else signs: each request has another proof of one key.
    package func add(beginningOfJWTs header: String) { add(header + ".") }

    /// Takes note of the JWTs in what is sent, which a server may repeat.
    package func learn(sent message: HTTPRequest) {
        guard let body = message.body else { return }
        for range in SensitiveContent.tokens(in: body) { add(String(decoding: body[range], as: UTF8.self)) }
    }

    /// The bytes of the longest secret.
    var longest: Int { secrets.map(\.utf8.count).max() ?? 0 }

    /// The text with every known secret masked: as it is, percent-encoded, escaped as in JSON, or inside Base64. A
    /// beginning of a secret is masked too, from which the sender may have cut the rest: of 8 bytes at the end of the
    /// text, of 6 before `...`, of 16 bytes, or of 12 and half of the secret, elsewhere. A secret of three characters is
    /// masked as a whole word only, and a shorter one not at all.
    ///
    /// - Parameter isOwn: whether the text is the program's own, with nothing in it that a server said. A secret of less
    ///   than six characters is not masked there: it may be one of its words, and a mask would tell which.
    package func redact(_ text: String, isOwn: Bool = false) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: bytes.masking(secretRanges(in: bytes, cut: true, isOwn: isOwn)), as: UTF8.self)
    }

    /// Masks the secrets in bytes, which need not be UTF-8.
    package func redact(_ bytes: [UInt8]) -> [UInt8] { bytes.masking(secretRanges(in: bytes, cut: true)) }

    /// Whether a whole secret is in the bytes, in any encoding.
    package func reveals(_ bytes: [UInt8]) -> Bool { !secretRanges(in: bytes, cut: false).isEmpty }

    /// Masks the secrets in a text, then truncates it. Truncating first could cut a secret in the middle.
    ///
    /// - Parameter limit: the most characters (Unicode scalars) of the result.
    package func redact(_ text: String, upTo limit: Int) -> String {
        let masked = redact(text).unicodeScalars
        guard let end = masked.index(masked.startIndex, offsetBy: limit, limitedBy: masked.endIndex),
            end < masked.endIndex
        else { return String(masked) }
        return String(masked[..<end]) + "…"
    }

    /// A URL, or a text with URLs in it, with known secrets, user information and parameters such as `code` masked.
    package func redact(url text: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = secretRanges(in: bytes, cut: true) + SensitiveParts.ranges(in: bytes)
        return String(decoding: bytes.masking(ranges), as: UTF8.self)
    }

    /// The content of a request or response, with known secrets masked, and what is a credential by the name of its
    /// member, parameter or element, or by its form.
    package func redact(content bytes: [UInt8]) -> [UInt8] {
        bytes.masking(
            secretRanges(in: bytes, cut: true) + SensitiveParts.ranges(in: bytes)
                + SensitiveContent.ranges(in: bytes))
    }

    /// A header field with its value masked if it is a credential; the scheme of `Authorization` is kept.
    package func redact(_ field: HTTPField) -> HTTPField {
        guard field.isSensitive else { return HTTPField(field.name, redact(url: field.value)) }
        return HTTPField(field.name, field.visibleScheme.map { "\($0) \(Self.mask)" } ?? Self.mask)
    }

    /// A line of a message head: the first line, a field, or the continuation of a field (RFC 9112 §5.2), which is
    /// always masked. White space around a name is ignored.
    package func redact(headerLine line: String) -> String {
        var bytes = Array(line.utf8)
        let isCut = bytes.count > Self.maximumLine
        if isCut { bytes = Array(redact(bytes).prefix(Self.maximumLine)) }
        return shown(headerLine: bytes) + (isCut ? "…" : "")
    }

    private func shown(headerLine bytes: [UInt8]) -> String {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { return "" }
        guard start == 0 else { return " " + Self.mask }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let nameEnd = bytes[..<colon].lastIndex(where: { $0 > 0x20 }),
            bytes[...nameEnd].allSatisfy({ $0 > 0x20 })
        else { return redact(url: String(decoding: bytes, as: UTF8.self)) }
        let name = String(decoding: bytes[...nameEnd], as: UTF8.self)
        let value = bytes[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        return "\(name): \(redact(HTTPField(name, String(decoding: value, as: UTF8.self))).value)"
    }

    private func forgetNeedles() { (needles, filter, seen) = ([], NeedleFilter(), 0) }

    /// The ranges of known secrets; with `cut`, also of beginnings of them.
    ///
    /// - Parameter isOwn: whether to leave out short ones.
    package func secretRanges(in bytes: [UInt8], cut: Bool = false, isOwn: Bool = false) -> [Range<Int>] {
        if bytes.count > reach {
            if secrets.contains(where: { $0.utf8.count > reach }) { forgetNeedles() }
            reach = bytes.count
        }
        for secret in secrets.dropFirst(seen) {
            let beginning =
                secret.utf8.count > reach ? String(decoding: secret.utf8.prefix(reach), as: UTF8.self) : secret
            for needle in SecretNeedle.needles(for: beginning) {
                for text in needle.texts { filter.add(text, as: needles.count) }
                hasBackslash = hasBackslash || needle.hasBackslash
                needles.append(needle)
            }
        }
        seen = secrets.count
        guard !needles.isEmpty else { return [] }
        let unescaped = UnescapedText(bytes)
        var found = filter.candidates(in: bytes)
        if unescaped.hasEscapes { found.formUnion(filter.candidates(in: unescaped.bytes)) }
        let bare = hasBackslash && unescaped.hasEscapes ? unescaped.withoutBackslashes : nil
        if let bare { found.formUnion(filter.candidates(in: bare.bytes)) }
        return found.sorted().flatMap { number in
            isOwn && needles[number].isOfShortSecret
                ? [] : needles[number].ranges(in: bytes, unescaped, bare, cut: cut)
        }
    }

    /// The most bytes of a head line that are searched and shown.
    private static let maximumLine = 16 << 10

    package static let mask = "***"
}

extension [UInt8] {
    /// The bytes with each range, overlapping ones taken together, replaced by the mask.
    fileprivate func masking(_ ranges: [Range<Int>]) -> [UInt8] {
        guard !ranges.isEmpty else { return self }
        var output: [UInt8] = []
        var end = 0
        for range in ranges.merged {
            output.append(contentsOf: self[end..<range.lowerBound])
            output.append(contentsOf: Redactor.mask.utf8)
            end = range.upperBound
        }
        output.append(contentsOf: self[end...])
        return output
    }
}
