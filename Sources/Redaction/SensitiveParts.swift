internal import Members
package import Wire

/// The parts of URLs and contents that are credentials by their position or name: user information, parameters and JSON
/// members.
package enum SensitiveParts {
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        (namedParameters(in: bytes) + namedMembers(in: bytes)).map(\.range) + userinfoRanges(in: bytes)
    }

    /// The range and the name of each parameter, in a URL, in a form or standing alone. Linear in the length of the
    /// text: a name ends at the first byte that cannot be part of one, and values are scanned once.
    package static func namedParameters(in bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
        var parameters: [(name: String, range: Range<Int>)] = []
        var index = 0
        while index < bytes.count {
            let end = bytes[index...].firstIndex { !isNameByte($0) } ?? bytes.count
            defer { index = max(index, end + 1) }
            guard end < bytes.count, bytes[end] == UInt8(ascii: "="), end - index <= maximumName,
                SensitiveName(bytes[index..<end]).isParameter
            else { continue }
            let valueEnd = bytes[end...].firstIndex(where: isEnd) ?? bytes.endIndex
            if valueEnd > end + 1 {
                parameters.append((String(decoding: bytes[index..<end], as: UTF8.self), (end + 1)..<valueEnd))
            }
            index = valueEnd
        }
        return parameters
    }

    /// The longest name that is checked, in bytes.
    private static let maximumName = 256

    /// The range and the name of each such JSON member in a text: the content of a string, or a number, or
    /// of each string in an array or object.
    package static func namedMembers(in bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
        var members: [(name: String, range: Range<Int>)] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: quote) {
            index = endOfString(in: bytes, from: start + 1)
            guard let colon = bytes[index...].dropFirst().firstIndex(where: { $0 > 0x20 }),
                bytes[colon] == UInt8(ascii: ":"),
                let value = bytes[(colon + 1)...].firstIndex(where: { $0 > 0x20 })
            else {
                index = min(index + 1, bytes.count)
                continue
            }
            let name = (try? JSON(parsing: Array(bytes[start...index])))?.string ?? ""
            index = value
            guard SensitiveName(name.utf8).isParameter else { continue }
            let range: Range<Int>
            if "[{".utf8.contains(bytes[value]) {
                members += strings(in: bytes, from: value, end: &index).map { (name, $0) }
                continue
            } else if bytes[value] == quote {
                range = (value + 1)..<endOfString(in: bytes, from: value + 1)
                index = min(range.upperBound + 1, bytes.count)
            } else {
                let end = bytes[value...].firstIndex { !$0.isASCIILetterOrDigit && !"+-.".utf8.contains($0) }
                range = value..<(end ?? bytes.count)
                index = range.upperBound
            }
            let isLiteral = ["true", "false", "null"].contains { bytes[range].elementsEqual($0.utf8) }
            if !range.isEmpty, !isLiteral { members.append((name, range)) }
        }
        return members
    }

    /// The strings in a document that are credentials by the names of their members, at every depth.
    package static func texts(in object: JSONObject) -> [(name: String, text: String)] {
        let isKey = object["kty"]?.string != nil
        return object.members.flatMap { member in
            let (name, value) = (member.name, member.value)
            // Those say how a server's requests and answers are made.
            let isPlain = value.object == nil && value.array == nil
            let isShown = !isPlain && name != "api_headers" && Member.named(name)?.kind == .way
            guard !isShown else { return [(String, String)]() }
            // Others that are known, such as state and id_token, are parts of a URL that a person opens.
            let isSecret =
                Member.secrets.contains(name) || !Member.known.contains(name) && SensitiveName(name.utf8).isParameter
                || isKey && ["d", "p", "q", "dp", "dq", "qi", "k"].contains(name)
            return texts(in: value, of: name, isSecret)
        }
    }

    private static func texts(in value: JSON, of name: String, _ isSecret: Bool) -> [(name: String, text: String)] {
        if let text = value.string { return isSecret ? [(name, text)] : [] }
        if let object = value.object { return texts(in: object) }
        return value.array?.flatMap { texts(in: $0, of: name, isSecret) } ?? []
    }

    /// The content of each string in an array or object, without the names of members.
    ///
    /// - Parameter end: set to the end of the array or object; that of the text if there is none.
    private static func strings(in bytes: [UInt8], from start: Int, end: inout Int) -> [Range<Int>] {
        var (found, depth): ([Range<Int>], Int) = ([], 0)
        end = start
        while end < bytes.count {
            switch bytes[end] {
            case quote:
                let range = (end + 1)..<endOfString(in: bytes, from: end + 1)
                let next = bytes[range.upperBound...].dropFirst().first { $0 > 0x20 }
                if next != UInt8(ascii: ":"), !range.isEmpty { found.append(range) }
                end = range.upperBound
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            end = min(end + 1, bytes.count)
            if depth == 0 { break }
        }
        return found
    }

    /// The position of the quote that ends a string; the end of the text if there is none.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index, bytes.count)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The text between `://` and the last `@` before the end of the authority.
    private static func userinfoRanges(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.compactMap { index in
            guard bytes[index...].starts(with: "://".utf8) else { return nil }
            let start = index + 3
            let end = bytes[start...].firstIndex { isEnd($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return bytes[start..<(end ?? bytes.endIndex)].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~%+[]$:".utf8.contains(byte)
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || "&#\"'<>".utf8.contains(byte) }
}
