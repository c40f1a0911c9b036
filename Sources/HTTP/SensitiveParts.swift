internal import Wire

/// The parts of URLs and of contents that are credentials wherever they come from: user information, and parameters
/// and members of JSON known by name.
enum SensitiveParts {
    /// Parameters of OAuth, and of signed URLs, whose values are masked.
    private static let parameters: Set<[UInt8]> = Set(
        [
            "access_token", "actor_token", "api_key", "apikey", "assertion", "client_assertion", "client_secret",
            "code",
            "code_verifier", "device_code", "id_token", "id_token_hint", "key", "password", "refresh_token", "sig",
            "signature", "state", "subject_token", "token", "user_code", "X-Amz-Credential", "X-Amz-Security-Token",
            "X-Amz-Signature", "X-Goog-Credential", "X-Goog-Signature",
        ].map { Array($0.utf8) })

    /// The ranges of those values in a text that contains URLs.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        parameterRanges(in: bytes) + userinfoRanges(in: bytes)
    }

    /// The range and the name of each masked parameter.
    static func namedParameters(in bytes: [UInt8], fromStart: Bool) -> [(name: String, range: Range<Int>)] {
        var starts = bytes.indices.filter { "?&#".utf8.contains(bytes[$0]) }.map { $0 + 1 }
        if fromStart { starts.insert(0, at: 0) }
        return starts.compactMap { start in
            guard let equals = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "=") || isEnd($0) }),
                bytes[equals] == UInt8(ascii: "="), parameters.contains(Array(bytes[start..<equals]))
            else { return nil }
            let end = bytes[equals...].firstIndex(where: isEnd) ?? bytes.endIndex
            return (String(decoding: bytes[start..<equals], as: UTF8.self), (equals + 1)..<end)
        }
    }

    /// The range and the name of each such member of the JSON in a text: what stands between the quotes of a string, or
    /// a number.
    static func namedMembers(in bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
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
            guard parameters.contains(Array(name.utf8)) else { continue }
            let range: Range<Int>
            if bytes[value] == quote {
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

    /// Where the quote stands that ends a string; the end of the text where none does.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index, bytes.count)
    }

    private static let quote = UInt8(ascii: "\"")

    private static func parameterRanges(in bytes: [UInt8]) -> [Range<Int>] {
        namedParameters(in: bytes, fromStart: false).map(\.range).filter { !$0.isEmpty }
    }

    /// What stands between `://` and the last `@` before the end of the authority.
    private static func userinfoRanges(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.compactMap { index in
            guard bytes[index...].starts(with: "://".utf8) else { return nil }
            let start = index + 3
            let end = bytes[start...].firstIndex { isEnd($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return bytes[start..<(end ?? bytes.endIndex)].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || "&#\"'<>".utf8.contains(byte) }
}
