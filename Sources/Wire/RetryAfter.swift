/// What `Retry-After` says (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds to wait, from a number of seconds or a date; 0 for a date that has passed, `Int.max` for a number
    /// beyond all counting. Nil for anything else, which is as good as no field.
    package static func seconds(_ value: String, now: Int) -> Int? {
        count(value) ?? HTTPDate(value.trimmed, now: now).map { max(0, $0.seconds - now) }
    }

    /// The number that a text is; `Int.max` for one beyond all counting.
    static func count(_ text: String) -> Int? {
        let digits = text.trimmed
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits) ?? .max
    }
}
