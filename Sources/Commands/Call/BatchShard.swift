internal import Wire

/// The part of the lines that one machine sends (`--shard I/N`): by the `id` of each line, else by its number, so that it is
/// the same part on every machine and in every run.
struct BatchShard {
    private let index: UInt64
    private let count: UInt64

    /// How many parts there are.
    var parts: Double { Double(count) }

    /// - Parameter text: `I/N`, I from 1 to N.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]),
            (1...Self.most).contains(count), (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index, count)
    }

    private static let most: UInt64 = 1_000_000

    /// Whether a line, which has this number, belongs to this part.
    func takes(_ bytes: [UInt8], number: Int) -> Bool {
        let hash = Self.id(in: bytes).map { Self.hash(bytes[$0]) } ?? Self.hash(String(number).utf8)
        return hash % count == index - 1
    }

    /// A hash, mixed as in MurmurHash3, since the remainder takes the low bits alone.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = fnv1a(bytes)
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }

    /// Where a line has the text of its `id`, a string or a number; nil for none. Nothing else is looked at: a machine skips
    /// most of the lines, and whether this one is JSON is asked by the machine that sends it.
    private static func id(in bytes: [UInt8]) -> Range<Int>? {
        var (depth, place, isKey) = (0, 0, false)
        var key: Range<Int>?
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                let start = place + 1
                place = start
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard place < bytes.count else { return nil }
                if depth == 1, isKey {
                    key = start..<place
                } else if depth == 1, let key, bytes[key].elementsEqual("id".utf8) {
                    return start..<place
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isKey = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":") where depth == 1: isKey = false
            case UInt8(ascii: ",") where depth == 1: isKey = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                guard depth == 1, !isKey, let key, bytes[key].elementsEqual("id".utf8) else { break }
                let end = bytes[place...].firstIndex { [0x20, 0x09, 0x0D, 0x2C, 0x7D].contains($0) }
                return place..<(end ?? bytes.count)
            default: break
            }
            place += 1
        }
        return nil
    }
}
