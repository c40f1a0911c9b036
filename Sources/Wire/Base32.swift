/// Base32 with the extended hexadecimal alphabet, in lower case and without padding (RFC 4648 §7): letters and digits that
/// are good in a DNS name.
package enum Base32 {
    package static func encodeHex(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var accumulator: UInt32 = 0
        var bits = 0
        for byte in bytes {
            accumulator = accumulator << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(accumulator >> bits & 0x1F)])
            }
            accumulator &= 0xFF
        }
        if bits > 0 { text.append(alphabet[Int(accumulator << (5 - bits) & 0x1F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
}
