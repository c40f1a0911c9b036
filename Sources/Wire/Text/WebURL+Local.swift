internal import Glibc

extension WebURL {
    /// Whether the host may be this machine, or one that only it reaches, in any spelling that a resolver takes: names
    /// below `localhost` (RFC 6761 §6.3), the forms of inet_aton(3), 0.0.0.0/8, loopback and link-local addresses, also
    /// within IPv6. It is for refusals: what counts as secure is ``isLoopback`` alone.
    package var mayBeLocal: Bool {
        guard var name = host?[...] else { return false }
        if name.hasPrefix("[") { return Self.isLocal(six: String(name.dropFirst().dropLast())) }
        if name.hasSuffix(".") { name = name.dropLast() }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        var address = in_addr()
        return inet_aton(String(name), &address) != 0 && Self.isLocal(UInt32(bigEndian: address.s_addr))
    }

    private static func isLocal(_ address: UInt32) -> Bool {
        [0, 127].contains(address >> 24) || address >> 16 == 169 << 8 | 254
    }

    /// Whether an IPv6 address is local; so are IPv4 ones, mapped or compatible (RFC 4291 §2.5.5), and no address.
    private static func isLocal(six text: String) -> Bool {
        var groups = [UInt16](repeating: 0, count: 8)
        guard inet_pton(AF_INET6, text, &groups) == 1 else { return true }
        let all = groups.map { UInt32(UInt16(bigEndian: $0)) }
        if all[0] & 0xFFC0 == 0xFE80 { return true }
        return all[..<5].allSatisfy { $0 == 0 } && [0, 0xFFFF].contains(all[5]) && isLocal(all[6] << 16 | all[7])
    }
}
