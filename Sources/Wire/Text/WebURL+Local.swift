extension WebURL {
    /// Whether the host may be this machine, or one that only it reaches, in any spelling that a resolver takes: names
    /// below `localhost` (RFC 6761 §6.3), the forms of inet_aton(3), 0.0.0.0/8, loopback and link-local addresses, also
    /// within IPv6. It is for refusals: what counts as secure is ``isLoopback`` alone.
    package var mayBeLocal: Bool {
        guard var name = host?[...] else { return false }
        if name.hasPrefix("[") { return Self.isLocal(six: name.dropFirst().dropLast()) }
        if name.hasSuffix(".") { name = name.dropLast() }
        return name == "localhost" || name.hasSuffix(".localhost") || Self.four(name).map(Self.isLocal) ?? false
    }

    private static func isLocal(_ address: UInt32) -> Bool {
        [0, 127].contains(address >> 24) || address >> 16 == 169 << 8 | 254
    }

    /// Also unspecified, IPv4 addresses that are mapped or compatible (RFC 4291 §2.5.5), and what is no address.
    private static func isLocal(six text: Substring) -> Bool {
        let ends = text.firstRange(of: "::").map { (text[..<$0.lowerBound], text[$0.upperBound...]) } ?? (text, "")
        guard let head = groups(ends.0), let tail = groups(ends.1), head.count + tail.count <= 8 else { return true }
        let all = head + [UInt32](repeating: 0, count: 8 - head.count - tail.count) + tail
        if all[0] & 0xFFC0 == 0xFE80 { return true }
        return all[..<5].allSatisfy { $0 == 0 } && [0, 0xFFFF].contains(all[5]) && isLocal(all[6] << 16 | all[7])
    }

    private static func groups(_ text: Substring) -> [UInt32]? {
        var groups: [UInt32] = []
        for part in text.split(separator: ":") {
            if part.contains(".") {
                guard let address = four(part) else { return nil }
                groups += [address >> 16, address & 0xFFFF]
            } else {
                guard let group = UInt16(part, radix: 16) else { return nil }
                groups.append(UInt32(group))
            }
        }
        return groups
    }

    /// One to four numbers, decimal, octal or hexadecimal, the last for the bytes that are left; nil for a name.
    private static func four(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        var address: UInt64 = 0
        for (index, part) in parts.enumerated() {
            let (digits, radix) = part.hasPrefix("0x") ? (part.dropFirst(2), 16) : (part, part.hasPrefix("0") ? 8 : 10)
            let bytes = index == parts.count - 1 ? 4 - index : 1
            guard let number = UInt64(digits, radix: radix), number >> (8 * UInt64(bytes)) == 0 else { return nil }
            address = address << (8 * UInt64(bytes)) | number
        }
        return UInt32(truncatingIfNeeded: address)
    }
}
