/// The field `Content-Range` of a response, in bytes (RFC 9110 §14.4).
package struct ContentRange: Sendable, Equatable {
    /// The first and the last byte of the content, counted from 0; nil in a 416, which has none of it.
    package let bytes: ClosedRange<Int>?
    /// The size of the whole in bytes; nil if the server does not know it.
    package let size: Int?

    /// Reads `bytes 0-499/1234`, `bytes 0-499/*` and `bytes */1234`; nil for anything else, and for bytes behind the end.
    package init?(_ text: String) {
        guard let (unit, values) = text.cut(at: " "), unit.equalsIgnoringASCIICase("bytes"),
            let (range, size) = values.cut(at: "/")
        else { return nil }
        self.size = Self.number(size)
        guard self.size != nil || size == "*" && range != "*" else { return nil }
        guard range != "*" else {
            bytes = nil
            return
        }
        guard let (first, last) = range.cut(at: "-"), let first = Self.number(first), let last = Self.number(last),
            first <= last, last < self.size ?? .max
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension HTTPResponseHead {
    /// The name of this version of the content for `If-Range` (RFC 9110 §13.1.5): its strong entity tag, else its date,
    /// if it was a second old or more. Nil without one that excludes another version.
    package var rangeValidator: String? {
        if let tag = headers.first("ETag") { return Self.isRangeValidator(tag) && tag.hasPrefix("\"") ? tag : nil }
        guard let text = headers.first("Last-Modified"), let changed = HTTPDate(text),
            let date = headers.first("Date").flatMap({ HTTPDate($0) }), changed.seconds < date.seconds
        else { return nil }
        return text
    }

    /// Whether a text may be sent as `If-Range`.
    package static func isRangeValidator(_ text: String) -> Bool {
        text.hasPrefix("\"") ? text.isEntityTag : HTTPDate(text) != nil
    }
}
