internal import Wire

/// The parts of a content that are credentials, in other notations than JSON and forms: XML elements and the parts of a
/// multipart form by their names, and JWTs anywhere.
enum SensitiveContent {
    /// The ranges of the credentials, found in a time linear in the length of the content.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        elements(in: bytes) + tokens(in: bytes) + formParts(in: bytes)
    }

    /// The values of a multipart form (RFC 7578), each up to the next boundary: by `name` in the head of its part.
    private static func formParts(in bytes: [UInt8]) -> [Range<Int>] {
        guard bytes.starts(with: "--".utf8), let first = bytes.firstIndex(of: 0x0D) else { return [] }
        let boundary = bytes[..<first]
        var found: [Range<Int>] = []
        // The head of a part is read until its value begins.
        var (start, isSensitive, value) = (0, false, Int?.none)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let line = bytes[start..<end]
            if line.starts(with: boundary) {
                if isSensitive, let value, value < start - 2 { found.append(value..<start - 2) }
                (isSensitive, value) = (false, nil)
            } else if value == nil, line.first == 0x0D || line.isEmpty {
                value = end + 1
            } else if value == nil, names(line) {
                isSensitive = true
            }
            start = end + 1
        }
        if isSensitive, let value, value < bytes.count { found.append(value..<bytes.count) }
        return found
    }

    /// Whether a field of the head names a credential: `Content-Disposition: form-data; name="password"`.
    private static func names(_ line: ArraySlice<UInt8>) -> Bool {
        line.split(separator: UInt8(ascii: ";")).contains { parameter in
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 <= 0x20 }).elementsEqual("name".utf8) else {
                return false
            }
            return SensitiveName(parts[1].filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }).isParameter
        }
    }

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
    static func tokens(in bytes: [UInt8]) -> [Range<Int>] {
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

    static func isTokenByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte) }
}
