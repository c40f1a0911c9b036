/// The few values of ASN.1 in DER (X.690) that libcrypto wants keys and signatures in.
enum DER {
    /// An INTEGER that is not negative, from its bytes, the most significant first.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        // A leading one bit would make it negative; zero is one zero byte.
        let sign: [UInt8] = (digits.first ?? 0x80) >= 0x80 ? [0] : []
        return element(0x02, sign + digits)
    }

    /// A BIT STRING of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// The NULL.
    static let null = element(0x05, [])

    /// An OBJECT IDENTIFIER, from its encoded arcs.
    static func objectIdentifier(_ arcs: [UInt8]) -> [UInt8] { element(0x06, arcs) }

    /// A SEQUENCE of encoded values.
    static func sequence(_ values: [UInt8]...) -> [UInt8] { element(0x30, Array(values.joined())) }

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
