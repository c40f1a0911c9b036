internal import Wire

/// The path of a request behind the name: as it is sent on, and as rules compare it.
struct ProxyPath {
    /// Begins with a slash, nothing decoded.
    let text: String
    /// Its segments, decoded. A slash that is encoded is part of its segment.
    let segments: [String]

    /// Nil for a path that a server may read as another one: with `.` or `..`, an empty segment, a backslash or a control
    /// character, in any encoding, or with an encoding of an encoding of these.
    init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var segments: [String] = []
        for (place, part) in parts.enumerated() {
            guard let segment = Self.decoded(part), !Self.isAmbiguous(segment) else { return nil }
            guard !segment.isEmpty || place == parts.count - 1 else { return nil }
            segments.append(segment)
        }
        (self.text, self.segments) = (text, segments)
    }

    /// Whether a segment has a slash that is encoded.
    var hasEncodedSlash: Bool { segments.contains { $0.utf8.contains(UInt8(ascii: "/")) } }

    /// Segments as a lenient server may read them: in one case, without parameters and without what is at their end.
    static func loose(_ segments: [String]) -> [String] {
        let names = segments.map { segment in
            var name = String(segment.prefix { $0 != ";" }).asciiLowercased
            while let last = name.utf8.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
                name.removeLast()
            }
            return name
        }
        return names.last == "" && names.count > 1 ? Array(names.dropLast()) : names
    }

    /// Nil for what is no UTF-8, and, unless it is read leniently, for what is no percent-encoding.
    private static func decoded(_ part: String, leniently: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+")
            else {
                guard leniently else { return nil }
                bytes.append(byte)
                continue
            }
            rest.removeFirst(2)
            bytes.append(code)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isAmbiguous(_ segment: String) -> Bool {
        // Some servers cut parameters off before they resolve dots.
        let parts = segment.split(separator: "/", omittingEmptySubsequences: false)
        let names = parts.map { $0.prefix { $0 != ";" } }
        if names.contains(".") || names.contains("..") || segment.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return true
        }
        if segment.utf8.contains(UInt8(ascii: "\\")) { return true }
        // What it would be for a server that decodes twice.
        guard segment.utf8.contains(UInt8(ascii: "%")) else { return false }
        guard let twice = decoded(segment, leniently: true) else { return true }
        return twice != segment && (isAmbiguous(twice) || twice.split(separator: "/").count > parts.count)
    }
}
