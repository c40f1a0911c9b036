/// What `Retry-After` says (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The seconds to wait, from a number of seconds or a date; 0 for a date that has passed, `Int.max` for a number
    /// beyond all counting. Nil for anything else, which is as good as no field.
    package static func seconds(_ value: String, now: Int) -> Int? {
        let text = value.trimmed
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(text) ?? .max }
        return HTTPDate(text, now: now).map { max(0, $0.seconds - now) }
    }
}
