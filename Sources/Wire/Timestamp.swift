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
