/// The value of a hexadecimal digit in ASCII, of either case; nil for any other byte.
package func hexadecimalValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The ASCII digit of a value below 16.
package func hexadecimalDigit(_ value: UInt8, lower: Bool = false) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: lower ? "a" : "A") + value - 10
}

/// The two digits of a byte.
package func hexadecimalDigits(_ byte: UInt8, lower: Bool = false) -> [UInt8] {
    [hexadecimalDigit(byte >> 4, lower: lower), hexadecimalDigit(byte & 15, lower: lower)]
}
