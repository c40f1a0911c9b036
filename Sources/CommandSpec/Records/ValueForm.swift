internal import Wire

/// The form of an option's value, checked by the parser.
package enum ValueForm: Sendable, Equatable {
    case text
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// A number of seconds below 1,000,000,000: from 0, or above 0.
    case seconds(takesZero: Bool)
    /// `NAME=VALUE`. A name with a quote in front is one that no shell has read.
    case pair
    /// A whole number of seconds, or of minutes, hours or days with their letter: `30m`. At most a century.
    case period
    /// A number and a unit of time, at most once a day: `10/s`.
    case rate
    case json

    /// A whole number without an upper limit.
    package static func number(from least: Int) -> ValueForm { .number(least ... .max) }

    /// What the value must be, for messages and the manual; nil for any text.
    package var expectation: String? {
        switch self {
        case .text: nil
        case .number(let range) where range.upperBound == .max: "a whole number from \(range.lowerBound)"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .seconds(let takesZero): "a number of seconds \(takesZero ? "from" : "above") 0, below 1000000000"
        case .pair: "NAME=VALUE"
        case .period: "a time such as 30m, 12h or 7d"
        case .rate: "a number and a unit, such as 10/s, 600/m or 5000/h"
        case .json: "JSON"
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .text: true
        case .number(let range): Int(text).map(range.contains) ?? false
        case .seconds(let takesZero): Self.number(text).map { ($0 > 0 || takesZero && $0 == 0) && $0 < 1e9 } ?? false
        case .pair: text.utf8.contains(UInt8(ascii: "=")) && !Self.isQuoted(text)
        case .period: Self.seconds(ofPeriod: text) != nil
        case .rate: Self.interval(ofRate: text) != nil
        case .json: (try? JSON(parsing: text, depth: JSON.maximumDepthOfPart)) != nil
        }
    }

    /// What to do about a value that is refused; nil where the expectation says it.
    func hint(for text: String) -> String? {
        self == .pair && Self.isQuoted(text) ? "the name begins with a quote, which no shell took away" : nil
    }

    private static func isQuoted(_ text: String) -> Bool { text.hasPrefix("'") || text.hasPrefix("\"") }

    /// A decimal number: Swift takes hexadecimal ones too.
    private static func number(_ text: String) -> Double? { text.asciiLowercased.contains("x") ? nil : Double(text) }

    /// The seconds of a period; nil for another text.
    static func seconds(ofPeriod text: String) -> Int? {
        let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), (0...3_200_000_000).contains(number),
            text.first != "+"
        else { return nil }
        let seconds = number * (unit ?? 1)
        return seconds <= 3_200_000_000 ? seconds : nil
    }

    /// The seconds between two events of a rate; nil for another text.
    static func interval(ofRate text: String) -> Double? {
        let spans = ["s": 1.0, "m": 60, "h": 3600]
        guard let (before, unit) = text.cut(at: "/"), let number = number(before), let span = spans[unit],
            number > 0, number <= 1e6, span / number <= 86_400
        else { return nil }
        return span / number
    }
}
