internal import Glibc

/// A numeric address to listen on.
package struct LoopbackAddress: Sendable, Equatable {
    /// The address in its usual form, IPv6 without brackets: `127.0.0.1`, `::1`.
    package let text: String
    private let bytes: [UInt8]

    package static let ipv4 = LoopbackAddress(text: "127.0.0.1", bytes: [127, 0, 0, 1])
    package static let ipv6 = LoopbackAddress(text: "::1", bytes: [UInt8](repeating: 0, count: 15) + [1])

    /// An address of this machine alone: one of 127.0.0.0/8 in four decimal numbers, or `::1`. Nil for anything else.
    package init?(loopback text: String) {
        self.init(anywhere: text)
        guard isLoopback else { return nil }
    }

    /// Any numeric address, which other machines may be able to reach. Nil for other text.
    package init?(anywhere text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(text: text, bytes: Array(bytes.prefix(4)))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(text: text, bytes: bytes)
        } else {
            return nil
        }
    }

    private init(text: String, bytes: [UInt8]) { (self.text, self.bytes) = (text, bytes) }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { isIPv6 ? bytes == Self.ipv6.bytes : bytes[0] == 127 }

    /// Whether the address stands for every address of the machine: `0.0.0.0` or `::`.
    package var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The address as a URL has it, IPv6 in brackets.
    package var authority: String { isIPv6 ? "[\(text)]" : text }

    package var isIPv6: Bool { bytes.count == 16 }

    /// The offset of the port in a socket address of either family, in network order.
    static let portOffset = 2

    /// Calls the body with the address and a port as a `sockaddr`.
    func withSocketAddress<Result>(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { raw in
            raw.storeBytes(of: sa_family_t(isIPv6 ? AF_INET6 : AF_INET), as: sa_family_t.self)
            raw.storeBytes(
                of: UInt16(truncatingIfNeeded: port).bigEndian, toByteOffset: Self.portOffset, as: UInt16.self)
            let (offset, size) =
                isIPv6
                ? (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), MemoryLayout<sockaddr_in6>.size)
                : (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), MemoryLayout<sockaddr_in>.size)
            guard let offset, let base = raw.baseAddress else {
                preconditionFailure("a socket address has no field for the address")
            }
            raw[offset...].copyBytes(from: bytes)
            return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
        }
    }
}
