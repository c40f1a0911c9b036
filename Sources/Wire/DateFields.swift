/// The parts of a date before they are put together.
struct DateFields {
    var year: Int
    var month: Int
    var day: Int
    var clock: [UInt8]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    init?(imf words: [[UInt8]]) {
        guard dayNames.contains(Array(words[0].dropLast())), words[5].elementsEqual("GMT".utf8),
            let day = number(words[1], digits: 2), let month = monthNumber(words[2]),
            let year = number(words[3], digits: 4)
        else { return nil }
        (self.year, self.month, self.day, clock) = (year, month, day, words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    init?(rfc850 words: [[UInt8]], now: Int?) {
        let date = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(Array.init)
        guard longDayNames.contains(Array(words[0].dropLast())), words[3].elementsEqual("GMT".utf8), date.count == 3,
            let day = number(date[0], digits: 2), let month = monthNumber(date[1]),
            let year = number(date[2], digits: 2)
        else { return nil }
        let latestYear = now.map { 1970 + $0 / 31_556_952 + 50 } ?? 2068
        self.year = latestYear - (latestYear - year) % 100
        (self.month, self.day, clock) = (month, day, words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`
    init?(asctime words: [[UInt8]]) {
        guard dayNames.contains(words[0]), let month = monthNumber(words[1]), words[2].count <= 2,
            let day = number(words[2], digits: words[2].count), let year = number(words[4], digits: 4)
        else { return nil }
        (self.year, self.month, self.day, clock) = (year, month, day, words[3])
    }

    /// The first 19 bytes of `1994-11-06T08:49:37Z`
    init?(rfc3339 bytes: [UInt8]) {
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(Array(bytes[..<4]), digits: 4),
            let month = number(Array(bytes[5..<7]), digits: 2), (1...12).contains(month),
            let day = number(Array(bytes[8..<10]), digits: 2)
        else { return nil }
        (self.year, self.month, self.day, clock) = (year, month, day, Array(bytes[11..<19]))
    }

    var secondsSince1970: Int? {
        let parts = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60,
            (1...daysInMonth).contains(day)
        else { return nil }
        return ((daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    }

    private var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days in the proleptic Gregorian calendar, with years that begin in March so that the leap day comes last.
    private var daysSince1970: Int {
        let shiftedYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shiftedYear + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    }
}

func number(_ digits: [UInt8], digits count: Int) -> Int? {
    guard digits.count == count, count > 0, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

private func monthNumber(_ name: [UInt8]) -> Int? { monthNames.firstIndex(of: name).map { $0 + 1 } }

private let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { Array($0.utf8) }
private let longDayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    .map { Array($0.utf8) }
private let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    .map { Array($0.utf8) }

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

/// A date with a time and a zone (RFC 3339 §5.6), also with a space in the place of `T`.
package struct Timestamp: Sendable, Equatable {
    /// Whole seconds since 1970 (UTC), a fraction cut off.
    package let seconds: Int

    /// Nil for anything else, and for a date that says no zone: it would be that of an unknown machine.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > 19, "Tt ".utf8.contains(bytes[10]), let local = DateFields(rfc3339: bytes)?.secondsSince1970
        else { return nil }
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
            let hours = number(Array(digits[..<2]), digits: 2), let minutes = number(Array(digits[2...]), digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        seconds = sign == UInt8(ascii: "-") ? local + offset : local - offset
    }
}
