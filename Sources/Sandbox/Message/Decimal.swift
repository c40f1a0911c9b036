/// Numbers as a path or an option has them: digits alone.
package enum Decimal {
    /// A whole number of at most nine digits.
    package static func whole(_ text: some StringProtocol) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// A whole number above zero; one of more than nine digits is the greatest of nine.
    static func positive(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = text.drop { $0 == "0" }
        return digits.utf8.count > 9 ? 999_999_999 : whole(digits)
    }

    /// Seconds, with or without a fraction; a day at most.
    package static func seconds(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ whole($0) != nil }), let value = Double(text), value <= 86_400 else {
            return nil
        }
        return value
    }
}
