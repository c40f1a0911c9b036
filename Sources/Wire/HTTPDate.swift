/// An HTTP date (RFC 9110 §5.6.7).
package struct HTTPDate: Sendable, Equatable {
    /// Whole seconds since 1970 (UTC).
    package let seconds: Int

    /// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`. Nil for anything else, and for an invalid day or time. The name of the weekday is
    /// not checked.
    ///
    /// - Parameter now: seconds since 1970; a year of two digits is read as one at most 50 years ahead of it. Without it, as
    ///   one from 1969 to 2068, as in POSIX.
    package init?(_ text: String, now: Int? = nil) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Array.init)
        let fields: DateFields?
        if let day = words.first, day.last == UInt8(ascii: ",") {
            fields =
                words.count == 4
                ? DateFields(rfc850: words, now: now) : words.count == 6 ? DateFields(imf: words) : nil
        } else {
            fields = words.count == 5 ? DateFields(asctime: words) : nil
        }
        guard let seconds = fields?.secondsSince1970 else { return nil }
        self.seconds = seconds
    }
}
