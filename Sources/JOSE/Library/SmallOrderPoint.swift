/// The points of edwards25519 whose order divides 8 (RFC 8032 §5.1). As a public key each verifies a signature that
/// anyone can forge: R the neutral element, S zero.
enum SmallOrderPoint {
    /// Whether the encoding of a point is one of them. The highest bit, the sign of the x coordinate, does not matter:
    /// with either sign it is such a point, or another encoding of one.
    static func isEncoded(by bytes: [UInt8]) -> Bool {
        guard bytes.count == 32 else { return false }
        return ordinates.contains(Array(bytes.dropLast()) + [bytes[31] & 0x7F])
    }

    /// The y coordinates of the points, the least significant byte first. The last two are not below p = 2^255 - 19:
    /// other encodings of 0 and 1.
    private static let ordinates: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        belowTwoTo255(lowest: 0xEC),
        belowTwoTo255(lowest: 0xED),
        belowTwoTo255(lowest: 0xEE),
    ]

    /// 2^255 - 256 and this byte.
    private static func belowTwoTo255(lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }
}
