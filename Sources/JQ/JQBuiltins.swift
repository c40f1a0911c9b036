internal import CLibJQ
internal import Wire

/// The builtins of libjq 1.6 that a filter calls.
///
/// For each filter libjq 1.6 parses the 12.6 kB of builtins that are written in jq, binds the 108 definitions to each
/// other, which takes 15 to 20 ms, and then drops those that the filter does not call. Without them it makes the same
/// bytecode in 1 to 4 ms: it finds a definition by its name, and each name that a filter calls is a word in it or added
/// by the grammar. libjq 1.7 and later take 2 ms for all of it and are left alone.
struct JQBuiltins {
    /// The length and the FNV-1a hash of `src/builtin.jq` of jq 1.6, with which the text begins. Definitions of the
    /// mathematical functions that the C library lacks follow.
    private static let knownLength = 12_587
    private static let knownHash: UInt64 = 0xfeb8_c031_e134_3908

    private let filter: [UInt8]
    /// The number of bytes of the definitions that libjq was given; nil if it took its whole text.
    private(set) var keptLength: Int?

    init(for filter: String) { self.filter = Array(filter.utf8) }

    /// Overwrites each definition that the filter does not call with spaces; false, and no change, for another text than
    /// that of jq 1.6.
    mutating func blankUnused(in text: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard text.count >= JQBuiltins.knownLength,
            fnv1a(UnsafeBufferPointer(rebasing: text[..<JQBuiltins.knownLength])) == JQBuiltins.knownHash
        else { return false }
        var pending = filter.withUnsafeBufferPointer { Array(words(in: $0)) }
        // It gives the names of all.
        if pending.contains(fnv1a("builtins".utf8)) { return true }
        // `try`, `label` and `break` call it.
        pending.append(fnv1a("error".utf8))

        let definitions = Definitions(of: UnsafeBufferPointer(text))
        var isKept = [Bool](repeating: false, count: definitions.ranges.count)
        while let word = pending.popLast() {
            for number in definitions.numbers[word] ?? [] where !isKept[number] {
                isKept[number] = true
                pending += words(in: UnsafeBufferPointer(rebasing: text[definitions.ranges[number]]))
            }
        }
        for (range, isKept) in zip(definitions.ranges, isKept) where !isKept {
            text[range].update(repeating: UInt8(ascii: " "))
        }
        keptLength = zip(definitions.ranges, isKept).reduce(0) { $0 + ($1.1 ? $1.0.count : 0) }
        return true
    }
}

extension JQBuiltins {
    /// Compiles the filter, as `jq_compile_args` does.
    mutating func compile(_ state: OpaquePointer, _ filter: String, _ bindings: jv) -> Bool {
        withUnsafeMutablePointer(to: &self) { builtins in
            oap_jq_compile_args_changing(
                state, filter, bindings,
                { text, length, builtins in
                    guard let builtins = builtins?.assumingMemoryBound(to: JQBuiltins.self) else { return 0 }
                    let text = UnsafeMutableBufferPointer(start: text, count: Int(length))
                    return builtins.pointee.blankUnused(in: text) ? 1 : 0
                }, builtins) != 0
        }
    }
}

/// The definitions in the text of jq 1.6, each of which begins a line.
private struct Definitions {
    /// From the begin of each to that of the next.
    private(set) var ranges: [Range<Int>] = []
    /// Which have a name, by its hash; the names of definitions within them too.
    private(set) var numbers: [UInt64: [Int]] = [:]

    init(of text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "d")), start + 4 < text.count {
            index = start + 1
            guard text[start + 1] == UInt8(ascii: "e"), text[start + 2] == UInt8(ascii: "f"),
                text[start + 3] == UInt8(ascii: " ")
            else { continue }
            if start == 0 || text[start - 1] == UInt8(ascii: "\n") {
                if let last = ranges.popLast() { ranges.append(last.lowerBound..<start) }
                ranges.append(start..<text.count)
            }
            numbers[fnv1a(name(in: text, at: start + 4)), default: []].append(ranges.count - 1)
        }
    }
}

/// The hashes of the words of a text that can be names, in strings and comments too, and of the names that the grammar
/// (src/parser.y) calls where it sees an assignment or `..`. Two names with one hash only keep a definition too many.
private func words(in text: UnsafeBufferPointer<UInt8>) -> Set<UInt64> {
    var words: Set<UInt64> = []
    var previous: UInt8 = 0
    for (index, byte) in text.enumerated() {
        defer { previous = byte }
        if byte == UInt8(ascii: "=") {
            words.formUnion([fnv1a("_modify".utf8), fnv1a("_assign".utf8)])
        } else if byte == UInt8(ascii: "."), previous == byte {
            words.insert(fnv1a("recurse".utf8))
        } else if isLetter(byte), !isLetter(previous) {
            // Also after a digit: `1map` is two tokens (src/lexer.l).
            words.insert(fnv1a(name(in: text, at: index)))
        }
    }
    return words
}

/// The rest of a name, from its second character.
private func name(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> UnsafeBufferPointer<UInt8> {
    let end = text[start...].firstIndex { !isLetter($0) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return UnsafeBufferPointer(rebasing: text[start..<(end ?? text.endIndex)])
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
}
