/// Finds in one pass which of many texts may be in another one, by their first bytes.
struct NeedleFilter {
    /// For each value of a digest of three bytes, whether a text begins so; empty before the first text.
    private var digests: [Bool] = []
    private var beginnings: [UInt32: [(bytes: [UInt8], number: Int)]] = [:]
    /// The texts that are too short to be looked for.
    private var always: Set<Int> = []

    /// The least bytes of a match, but for a text that is shorter itself.
    private static let length = 6

    mutating func add(_ text: [UInt8], as number: Int) {
        guard text.count >= 3 else {
            always.insert(number)
            return
        }
        if digests.isEmpty { digests = [Bool](repeating: false, count: 1 << 16) }
        let key = Self.key(text[0], text[1], text[2])
        digests[Self.digest(key)] = true
        beginnings[key, default: []].append((Array(text.prefix(Self.length)), number))
    }

    /// The numbers of the texts whose beginning is in these bytes.
    func candidates(in bytes: [UInt8]) -> Set<Int> {
        var found = always
        guard bytes.count >= 3, !digests.isEmpty else { return found }
        bytes.withUnsafeBufferPointer { bytes in
            digests.withUnsafeBufferPointer { digests in
                var key = Self.key(0, bytes[0], bytes[1])
                for end in 2..<bytes.count {
                    key = key << 8 & 0xFF_FFFF | UInt32(bytes[end])
                    if digests[Self.digest(key)] { add(key, at: end - 2, in: bytes, to: &found) }
                }
            }
        }
        return found
    }

    private func add(_ key: UInt32, at start: Int, in bytes: UnsafeBufferPointer<UInt8>, to found: inout Set<Int>) {
        for (beginning, number) in beginnings[key] ?? []
        where !found.contains(number) && bytes[start...].starts(with: beginning) {
            found.insert(number)
        }
    }

    private static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
        UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    }

    private static func digest(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 16) }
}
