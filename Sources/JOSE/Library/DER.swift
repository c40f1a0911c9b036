/// The ASN.1 values in DER (X.690) that keys and signatures for libcrypto need.
enum DER {
    /// An INTEGER that is not negative, from its bytes, the most significant first.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        // A leading one bit would make it negative; zero is one zero byte.
        let sign: [UInt8] = (digits.first ?? 0x80) >= 0x80 ? [0] : []
        return element(0x02, sign + digits)
    }

    static func sequence(_ values: [UInt8]...) -> [UInt8] { element(0x30, Array(values.joined())) }

    /// The two numbers of an ECDSA signature (RFC 3279 §2.2.3), each padded with zeros to a length in bytes; nil for
    /// bytes that are no such signature.
    static func signatureHalves(_ der: [UInt8], length: Int) -> [UInt8]? {
        var rest = der[...]
        guard var halves = content(of: 0x30, in: &rest), rest.isEmpty,
            let r = content(of: 0x02, in: &halves), let s = content(of: 0x02, in: &halves), halves.isEmpty
        else { return nil }
        var output: [UInt8] = []
        for number in [r, s] {
            let digits = number.drop { $0 == 0 }
            guard digits.count <= length else { return nil }
            output += [UInt8](repeating: 0, count: length - digits.count) + digits
        }
        return output
    }

    /// Removes the first element, which must have the tag, and returns its content, of 65,535 bytes at most.
    static func content(of tag: UInt8, in bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...2).contains(count), bytes.count >= count, count == 1 || bytes.first != 0 else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }

    /// Removes the first element, which must be an INTEGER that is not negative and below 2^62.
    static func number(in bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let content = content(of: 0x02, in: &bytes), let first = content.first, first < 0x80 else { return nil }
        let digits = content.drop { $0 == 0 }
        guard digits.count < 8 else { return nil }
        return digits.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var rest = content.count
        var length: [UInt8] = []
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
