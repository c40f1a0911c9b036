internal import Wire

/// A filter that is only a path, such as `.items[]?.id` or `.a["b"][0]`: run without libjq, whose start takes longer
/// than everything else here. A filter is a plain path only if it certainly means the same in jq 1.6.
struct PlainPath {
    enum Key {
        case member(String)
        case element(Int)
        case each
    }

    struct Step {
        let key: Key
        /// With `?` after it: gives nothing if it would fail.
        let isOptional: Bool
    }

    let steps: [Step]

    /// Reads a filter; nil if libjq is needed.
    init?(_ filter: String) {
        var scanner = PathScanner(bytes: Array(filter.utf8))
        guard let path = scanner.scanPath(), scanner.peek() == nil else { return nil }
        self = path
    }

    init(_ steps: [Step]) { self.steps = steps }
}

extension PlainPath {
    /// Splits a filter that begins with a path on all elements of an array and goes on with `|`, so that the rest means
    /// the same for one element after the other.
    ///
    /// - Returns: the path, and the filter with spaces in its place, so that lines count the same; nil for another filter
    ///   and for one that shows something before its end.
    static func prefix(of filter: String) -> (path: PlainPath, rest: String)? {
        var scanner = PathScanner(bytes: Array(filter.utf8))
        guard !["debug", "stderr", "input"].contains(where: filter.contains), let path = scanner.scanPath(),
            case .each? = path.steps.first?.key, scanner.takeBar(), scanner.peek() != nil
        else { return nil }
        let blank = scanner.bytes[..<scanner.position].map { $0 == 0x0A ? $0 : 0x20 }
        return (path, String(decoding: blank + scanner.bytes[scanner.position...], as: UTF8.self))
    }

    /// Emits the values of the path from a step on, in jq's order. Returns jq's error message if the path does not fit the
    /// data.
    func evaluate<Stop: Error>(
        _ document: JSON, from start: Int = 0, emit: (JSON) throws(Stop) -> Void
    ) throws(Stop) -> String? {
        var value = document
        for (index, step) in steps.enumerated().dropFirst(start) {
            switch step.key {
            case .member(let name):
                guard let next = value.member(name) else { return step.isOptional ? nil : value.cannotIndex(name) }
                value = next
            case .element(let position):
                guard let next = value.element(position) else {
                    return step.isOptional ? nil : "Cannot index \(value.kind) with number"
                }
                value = next
            case .each:
                guard let items = value.items else { return step.isOptional ? nil : value.cannotIterate }
                for item in items {
                    if let failure = try evaluate(item, from: index + 1, emit: emit) { return failure }
                }
                return nil
            }
        }
        try emit(value)
        return nil
    }
}

extension JSON {
    /// `.name`: null for a missing member and for any member of null; nil if jq fails.
    fileprivate func member(_ name: String) -> JSON? {
        switch self {
        case .object(let object): object[name] ?? .null
        case .null: .null
        case .bool, .number, .string, .array: nil
        }
    }

    /// `.[position]`, negative from the end, likewise.
    fileprivate func element(_ position: Int) -> JSON? {
        switch self {
        case .array(let elements):
            let index = position < 0 ? position + elements.count : position
            return elements.indices.contains(index) ? elements[index] : .null
        case .null: return .null
        case .bool, .number, .string, .object: return nil
        }
    }

    /// The values of `.[]`; nil if jq fails.
    fileprivate var items: [JSON]? {
        switch self {
        case .array(let elements): elements
        case .object(let object): object.members.map(\.value)
        case .null, .bool, .number, .string: nil
        }
    }

    /// jq's message, which quotes the name only when it has fewer than 30 bytes.
    fileprivate func cannotIndex(_ name: String) -> String {
        "Cannot index \(kind) with string" + (name.utf8.count < 30 ? " \"\(name)\"" : "")
    }

    /// jq's message, which shows the first bytes of the value, fourteen at most.
    fileprivate var cannotIterate: String {
        var text: [UInt8] = []
        write(to: &text, style: JSONStyle(), numberText: { JQNumber($0).text })
        if text.count > 14 { text.replaceSubrange(11..., with: "...".utf8) }
        return "Cannot iterate over \(kind) (\(String(decoding: text, as: UTF8.self)))"
    }
}

/// Reads paths by the rules of jq 1.6's lexer, as far as needed.
struct PathScanner {
    let bytes: [UInt8]
    var position = 0
    /// The open brackets around the paths of a ``Projection``.
    var depth = 0

    /// The path that begins here, up to the first byte that cannot belong to it.
    mutating func scanPath() -> PlainPath? {
        guard peek() == UInt8(ascii: ".") else { return nil }
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0x20
        guard next.isASCIILetterOrDigit || "_.?[\"".utf8.contains(next) else {
            position += 1
            return PlainPath([])
        }
        // Only the first bracket may follow a point: `.["a"]` is a path, `.a.["b"]` is an error in jq 1.6.
        if next == UInt8(ascii: "[") { position += 1 }
        var steps: [PlainPath.Step] = []
        while peek() == UInt8(ascii: ".") || peek() == UInt8(ascii: "[") {
            guard let key = scanKey() else { return nil }
            steps.append(PlainPath.Step(key: key, isOptional: take("?")))
        }
        return PlainPath(steps)
    }

    private mutating func scanKey() -> PlainPath.Key? {
        if take("[") {
            let key: PlainPath.Key? =
                if peek() == UInt8(ascii: "]") { .each } else { scanQuoted() ?? scanInteger() }
            return take("]") ? key : nil
        }
        guard take(".") else { return nil }
        return scanQuoted() ?? scanName()
    }

    /// A string without escapes, interpolation or U+0000.
    private mutating func scanQuoted() -> PlainPath.Key? {
        guard peek() == UInt8(ascii: "\"") else { return nil }
        let rest = bytes[(position + 1)...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
            !rest[..<end].contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0 })
        else { return nil }
        position = end + 1
        return .member(String(decoding: rest[..<end], as: UTF8.self))
    }

    /// An integer that fits C's `int`, in its shortest form.
    private mutating func scanInteger() -> PlainPath.Key? {
        let start = position
        _ = take("-")
        let digits = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        position = digits.endIndex
        guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        return Int(String(decoding: bytes[start..<position], as: UTF8.self)).map { .element($0) }
    }

    /// A name, but not `.e1` and the like, which jq reads as an incomplete number.
    mutating func scanName() -> PlainPath.Key? {
        let name = bytes[position...].prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = name.first, first > UInt8(ascii: "9") else { return nil }
        let looksLikeExponent =
            first.asciiLowercased == UInt8(ascii: "e") && name.count > 1
            && name.dropFirst().allSatisfy { $0 <= UInt8(ascii: "9") }
        guard !looksLikeExponent else { return nil }
        position = name.endIndex
        return .member(String(decoding: name, as: UTF8.self))
    }

    func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x09 { position += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Takes `|` behind spaces, but not `|=`.
    mutating func takeBar() -> Bool {
        skipSpace()
        return take("|") && peek() != UInt8(ascii: "=")
    }
}
