/// Base64 in its two alphabets (RFC 4648 §4 and §5).
package enum Base64 {
    /// Base64 with padding, as HTTP Basic requires (RFC 7617 §2).
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = encode(Array(bytes), alphabet: standard)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// Base64url without padding (RFC 7515 §2).
    package static func encodeURL(_ bytes: some Collection<UInt8>) -> String { encode(Array(bytes), alphabet: urlSafe) }

    /// Decodes Base64 with padding (RFC 4648 §4), as strictly as ``decodeURL(_:)``.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return padding > 2 ? nil : decode(Array(text.utf8.dropLast(padding)), valuesOfStandard)
    }

    /// Decodes unpadded Base64url (RFC 7515 §2). Nil for padding, a character outside the alphabet, an impossible
    /// length, or unused bits that are not zero, so that a value has only one encoding.
    package static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8), valuesOfURLSafe)
    }

    private static func decode(_ text: [UInt8], _ values: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var accumulator: UInt32 = 0
        var bits = 0
        for character in text {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            accumulator = accumulator << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> bits))
                accumulator &= (1 << bits) - 1
            }
        }
        return bits < 6 && accumulator == 0 ? bytes : nil
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let standard = letters + Array("+/".utf8)
    private static let urlSafe = letters + Array("-_".utf8)
    private static let (valuesOfStandard, valuesOfURLSafe) = (values(in: standard), values(in: urlSafe))

    /// The value of each character; 64 for one outside the alphabet.
    private static func values(in alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    /// The bits of the bytes as letters of an alphabet, the last one filled up with zeros.
    fileprivate static func encode(_ bytes: [UInt8], alphabet: [UInt8], bitsOfLetter width: Int = 6) -> String {
        let length = (bytes.count * 8 + width - 1) / width
        return String(unsafeUninitializedCapacity: length) { output in
            var accumulator: UInt32 = 0
            var (bits, count) = (0, 0)
            let mask = UInt32(alphabet.count - 1)
            for byte in bytes {
                accumulator = accumulator << 8 | UInt32(byte)
                bits += 8
                while bits >= width {
                    bits -= width
                    output[count] = alphabet[Int(accumulator >> bits & mask)]
                    count += 1
                }
            }
            if bits > 0 { output[count] = alphabet[Int(accumulator << (width - bits) & mask)] }
            return length
        }
    }
}

/// Base32 with the extended hexadecimal alphabet, in lower case and without padding (RFC 4648 §7): letters and digits that
/// are good in a DNS name.
package enum Base32 {
    package static func encodeHex(_ bytes: some Collection<UInt8>) -> String {
        Base64.encode(Array(bytes), alphabet: alphabet, bitsOfLetter: 5)
    }

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
}
