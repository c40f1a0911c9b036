internal import Glibc

/// A socket that listens on one address and port.
struct ListeningSocket: ~Copyable {
    /// The port it listens on.
    let port: Int
    private var descriptor: Int32

    /// Binds and listens. Another program's port is never shared (`SO_REUSEPORT` is not set).
    ///
    /// - Parameter port: 0 for a free one.
    init(_ address: LoopbackAddress, port: Int) throws(LoopbackError) {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw Self.error(errno, address, port) }
        let bound: UInt16? = Self.bind(descriptor, address, port: port)
        guard let bound else {
            let code = errno
            close(descriptor)
            throw Self.error(code, address, port)
        }
        self.descriptor = descriptor
        self.port = Int(bound)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Hands the socket over to somebody who will close it.
    consuming func take() -> Int32 {
        let taken = descriptor
        descriptor = -1
        return taken
    }

    private static func bind(_ descriptor: Int32, _ address: LoopbackAddress, port: Int) -> UInt16? {
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size) }
        let isBound = address.withSocketAddress(port: port) { Glibc.bind(descriptor, $0, $1) == 0 }
        guard isBound, listen(descriptor, 64) == 0 else { return nil }
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &bound) { raw in
            guard let base = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, base, &length) == 0
            else { return nil }
            return UInt16(bigEndian: raw.load(fromByteOffset: 2, as: UInt16.self))
        }
    }

    private static func error(_ code: Int32, _ address: LoopbackAddress, _ port: Int) -> LoopbackError {
        switch code {
        case EADDRINUSE: .portTaken(address: address.text, port: port)
        case EACCES: .portPrivileged(address: address.text, port: port)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .noSuchAddress(address.text)
        default: .system("cannot listen on port \(port) of \(address.text): \(String(cString: strerror(code)))")
        }
    }
}
