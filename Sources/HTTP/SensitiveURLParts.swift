/// The parts of URLs that are credentials wherever they come from: user information, and parameters known by name.
enum SensitiveURLParts {
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
