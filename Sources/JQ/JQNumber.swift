/// A number as in jq 1.6: a double, however it is spelled.
struct JQNumber {
    private let source: String

    init(_ text: String) { source = text }

    /// The nearest double; an infinity beyond the range.
    var value: Double {
        guard let value = Double(source) else { preconditionFailure("JSON.number holds what is no number") }
        return value
    }

    /// The text that jq 1.6 writes: the fewest digits that read back as the same double, with an exponent where the
    /// number is below 0.0001 or has more than fifteen zeros to be filled in (`jvp_dtoa_fmt`); the greatest double for
    /// an infinity.
    var text: String {
        var source = source
        if source.withUTF8({ JQNumber.isExact(UnsafeRawBufferPointer($0)) }) { return source }
        let finite = min(max(value, -Double.greatestFiniteMagnitude), Double.greatestFiniteMagnitude)
        let (digits, point) = JQNumber.decimal(finite.magnitude)
        return (finite.sign == .minus ? "-" : "") + JQNumber.format(digits, point: point)
    }

    static func value(of text: UnsafeRawBufferPointer) -> Double {
        guard isExact(text) else { return JQNumber(String(decoding: text, as: UTF8.self)).value }
        let isNegative = text.first == UInt8(ascii: "-")
        let magnitude = text.dropFirst(isNegative ? 1 : 0).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return isNegative ? -Double(magnitude) : Double(magnitude)
    }

    /// Whether jq writes the number as it is spelled, without arithmetic: an integer of up to 15 digits is the same in a
    /// double.
    static func isExact(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count <= 15 && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The significant digits, and the position of the point in them: negative for leading zeros.
    private static func decimal(_ magnitude: Double) -> (digits: Substring, point: Int) {
        guard magnitude != 0 else { return ("0", 1) }
        let parts = magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = mantissa.joined()
        let significant = all.drop { $0 == "0" }
        let trimmed = significant.prefix(significant.count - significant.reversed().prefix { $0 == "0" }.count)
        let point = mantissa[0].count - (all.count - significant.count) + exponent
        return (trimmed, point)
    }

    private static func format(_ digits: Substring, point: Int) -> String {
        if point <= -4 || point > digits.count + 15 {
            let exponent = String((point - 1).magnitude)
            return digits.prefix(1) + (digits.count > 1 ? "." : "") + digits.dropFirst() + (point < 1 ? "e-" : "e+")
                + (exponent.count < 2 ? "0" : "") + exponent
        }
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return digits + String(repeating: "0", count: point - digits.count) }
        return digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
