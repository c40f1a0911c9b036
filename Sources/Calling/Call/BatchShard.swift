internal import Wire

/// The part of the lines that one machine sends (`--shard I/N`): by the `id` of each line, else by its number, so that it is
/// the same part on every machine and in every run.
package struct BatchShard {
    private let index: UInt64
    private let count: UInt64

    /// How many parts there are.
    package var parts: Double { Double(count) }

    /// - Parameter text: `I/N`, I from 1 to N.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]),
            (1...Self.most).contains(count), (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index, count)
    }

    private static let most: UInt64 = 1_000_000

    /// Whether a line, which has this number, belongs to this part.
    package func takes(_ bytes: [UInt8], number: Int) -> Bool {
        var (scanner, id) = (JSONScanner(), BatchID())
        _ = try? bytes.withUnsafeBytes { (line) throws(JSONSyntaxError) in try scanner.scan(line, into: &id) }
        return Self.hash(id.text ?? Array(String(number).utf8)) % count == index - 1
    }

    /// A hash, mixed as in MurmurHash3, since the remainder takes the low bits alone.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash = fnv1a(bytes)
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ hash >> 33
    }
}

/// Takes the `id` of a line, a string or a number, and builds nothing else: a machine skips most of the lines, and whether
/// this one is a request is asked by the machine that sends it.
private struct BatchID: JSONSink {
    package private(set) var text: [UInt8]?
    private var depth = 0
    private var isNext = false

    mutating func begin(_ container: JSONContainer) { depth += 1 }
    mutating func end(_ container: JSONContainer) { depth -= 1 }
    mutating func name(_ name: JSONStringText) { isNext = depth == 1 && name.string == "id" }
    mutating func string(_ string: JSONStringText) { if depth == 1, isNext { text = Array(string.string.utf8) } }
    mutating func number(_ number: UnsafeRawBufferPointer) { if depth == 1, isNext { text = Array(number) } }
    mutating func literal(_ literal: JSONLiteral) {}
}
