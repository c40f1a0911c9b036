internal import Glibc
internal import System

/// Sockets that listen on several addresses at one port.
struct ListeningSockets: ~Copyable {
    let port: Int
    private var descriptors: [Int32]

    /// Binds and listens; port 0 is one that is free on all of them. Another program's port is never shared
    /// (`SO_REUSEPORT` is not set). An address that this machine does not have is ignored if there are others.
    init(_ addresses: [LoopbackAddress], port: Int) throws(LoopbackError) {
        var attempts = 20
        while true {
            do throws(LoopbackError) {
                (self.port, descriptors) = try Self.open(addresses, port: port)
                return
            } catch {
                // A port that was free on the first address may not be on the second.
                guard case .portTaken = error, port == 0, attempts > 0 else { throw error }
                attempts -= 1
            }
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Passes the ownership of a socket to the caller; nil when none is left.
    mutating func take() -> Int32? { descriptors.popLast() }

    private static func open(
        _ addresses: [LoopbackAddress], port: Int
    ) throws(LoopbackError) -> (port: Int, descriptors: [Int32]) {
        var bound = port
        var descriptors: [Int32] = []
        var missing = LoopbackError.system("there is no address to listen on")
        for address in addresses {
            switch open(address, port: bound) {
            case .success(let (descriptor, number)):
                bound = number
                descriptors.append(descriptor)
            case .failure(.noSuchAddress(let text)): missing = .noSuchAddress(text)
            case .failure(let error):
                for descriptor in descriptors { close(descriptor) }
                throw error
            }
        }
        guard !descriptors.isEmpty else { throw missing }
        return (bound, descriptors)
    }

    private static func open(
        _ address: LoopbackAddress, port: Int
    ) -> Result<(descriptor: Int32, port: Int), LoopbackError> {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { return .failure(error(errno, address, port)) }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        if address.isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size) }
        guard address.withSocketAddress(port: port, { bind(descriptor, $0, $1) == 0 }), listen(descriptor, 64) == 0,
            let bound = SocketEnd(getsockname, descriptor)?.port
        else {
            defer { close(descriptor) }
            return .failure(error(errno, address, port))
        }
        return .success((descriptor, bound))
    }

    private static func error(_ code: Int32, _ address: LoopbackAddress, _ port: Int) -> LoopbackError {
        switch code {
        case EADDRINUSE: .portTaken(address: address.text, port: port)
        case EACCES: .portPrivileged(address: address.text, port: port)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .noSuchAddress(address.text)
        default: .system("cannot listen on port \(port) of \(address.text): \(Errno(code))")
        }
    }
}
