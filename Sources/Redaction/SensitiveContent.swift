internal import Wire

/// The parts of a content that are credentials, in other notations than JSON and forms: XML elements by their names, and
/// JWTs anywhere.
enum SensitiveContent {
    /// Their ranges. Linear in the length of the content.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] { elements(in: bytes) + tokens(in: bytes) }

    /// The texts of elements, `<SessionToken>…</SessionToken>`: up to the next tag.
    private static func elements(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let nameEnd = bytes[(start + 1)...].firstIndex { !isNameByte($0) } ?? bytes.count
            index = nameEnd
            guard nameEnd > start + 1, nameEnd < bytes.count,
                let tagEnd = bytes[nameEnd...].firstIndex(where: { "<>".utf8.contains($0) }),
                bytes[tagEnd] == UInt8(ascii: ">")
            else { continue }
            index = tagEnd + 1
            // A prefix is that of a name space.
            let name = bytes[(start + 1)..<nameEnd].split(separator: UInt8(ascii: ":")).last ?? []
            guard SensitiveName(name).isParameter else { continue }
            let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            if end > index { found.append(index..<end) }
            index = end
        }
        return found
    }

    /// The JWTs and JWEs in compact form: a header that begins as a JSON object does in Base64url, and the parts behind
    /// it.
    private static func tokens(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let end = bytes[index...].firstIndex { !isTokenByte($0) } ?? bytes.count
            if bytes[index..<end].starts(with: "eyJ".utf8),
                bytes[index..<end].count(where: { $0 == UInt8(ascii: ".") }) >= 2
            {
                found.append(index..<end)
            }
            index = end + 1
        }
        return found
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-._:".utf8.contains(byte) }

    private static func isTokenByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte) }
}
