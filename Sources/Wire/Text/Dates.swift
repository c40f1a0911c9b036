internal import CProcess
internal import Glibc

/// The seconds since 1970 of a date in UTC that is written exactly as strftime(3) writes this form; nil for any other text,
/// and for a day or a time that does not exist. Names are English, since the program sets no locale.
///
/// - Parameter latestYear: the last year that two digits may mean.
private func secondsSince1970(_ text: String, as form: String, latestYear: Int? = nil) -> Int? {
    var (parts, written) = (tm(), [UInt8](repeating: 0, count: 64))
    guard oap_read_time(text, form, &parts) != 0, parts.tm_sec <= 60 else { return nil }
    // A year has four digits; strptime(3) knows no such width.
    let length = strftime(&written, written.count, form.replacing("%Y", with: "%04Y"), &parts)
    guard written[..<length].elementsEqual(text.utf8) else { return nil }
    if let latestYear { parts.tm_year = Int32(latestYear - (latestYear - Int(parts.tm_year)) % 100) - 1900 }
    let (day, time) = (parts.tm_mday, (parts.tm_hour * 60 + parts.tm_min) * 60 + parts.tm_sec)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
    let midnight = timegm(&parts)
    // It would become a day of the next month.
    return parts.tm_mday == day ? midnight + Int(time) : nil
}

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
        let text = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }.joining(with: " ")
        let latestYear = now.map { 1970 + $0 / 31_556_952 + 50 }
        let found =
            secondsSince1970(text, as: "%a, %d %b %Y %H:%M:%S GMT")
            ?? secondsSince1970(text, as: "%A, %d-%b-%y %H:%M:%S GMT", latestYear: latestYear)
            ?? secondsSince1970(text, as: "%a %b %d %H:%M:%S %Y") ?? secondsSince1970(text, as: "%a %b %-d %H:%M:%S %Y")
        guard let found else { return nil }
        seconds = found
    }
}

/// A date with a time and a zone (RFC 3339 §5.6), also with a space in the place of `T`.
package struct Timestamp: Sendable, Equatable {
    /// Whole seconds since 1970 (UTC), a fraction cut off.
    package let seconds: Int

    /// A time in seconds since 1970, in UTC: `2026-01-31T12:00:00Z`.
    package static func text(_ seconds: Int) -> String {
        var (time, parts) = (time_t(min(max(seconds, 0), 253_402_300_799)), tm())
        gmtime_r(&time, &parts)
        var text = [UInt8](repeating: 0, count: 21)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    /// A time in milliseconds since 1970, in UTC: `2026-01-31T12:00:00.000Z`.
    package static func text(milliseconds: Int) -> String {
        "\(text(milliseconds / 1000).dropLast()).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }

    /// So many seconds in their two largest units: `3 y 14 d`.
    package static func span(_ seconds: UInt) -> String {
        var rest = seconds
        var words: [String] = []
        for (unit, size) in [("y", UInt(31_536_000)), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)] {
            if rest >= size || !words.isEmpty || size == 1 { words.append("\(rest / size) \(unit)") }
            rest %= size
        }
        return Array(words.prefix(2)).joining(with: " ")
    }

    /// Nil for anything else, and for a date that says no zone: it would be that of an unknown machine.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > 19, "Tt ".utf8.contains(bytes[10]) else { return nil }
        let plain = String(decoding: bytes[..<10] + [0x20] + bytes[11..<19], as: UTF8.self)
        guard let local = secondsSince1970(plain, as: "%Y-%m-%d %H:%M:%S") else { return nil }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            let rest = zone.dropFirst().drop { (0x30...0x39).contains($0) }
            guard rest.count < zone.count - 1 else { return nil }
            zone = rest
        }
        if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) {
            seconds = local
            return
        }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard let sign = zone.first, "+-".utf8.contains(sign), digits.count == 4,
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number < 2400, number % 100 < 60
        else { return nil }
        let offset = (number / 100 * 60 + number % 100) * 60
        seconds = sign == UInt8(ascii: "-") ? local + offset : local - offset
    }
}
