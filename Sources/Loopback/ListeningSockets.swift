internal import Glibc
internal import System

/// Sockets that listen on several addresses at one port.
package struct ListeningSockets: ~Copyable {
    package let port: Int
    private var descriptors: [Int32]

    /// Binds and listens; port 0 is one that is free on all of them. Another program's port is never shared
    /// (`SO_REUSEPORT` is not set). An address that this machine does not have is ignored if there are others.
    package init(_ addresses: [LoopbackAddress], port: Int) throws(LoopbackError) {
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

    /// Listens on a socket file (unix(7)) that only this user may open. A file that a process left behind is replaced; of
    /// two that begin at once, one gets it.
    ///
    /// - Throws: `pathTaken` where somebody listens, or where there is another file.
    package init(file path: String) throws(LoopbackError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let guardian = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard guardian >= 0 else { throw .system("cannot listen on \(path): \(Errno.current)") }
        defer { close(guardian) }
        while flock(guardian, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system("cannot listen on \(path): \(Errno.current)") }
        }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .system("cannot listen on \(path): \(Errno.current)") }
        do throws(LoopbackError) {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
                throw .system("the path of a socket has at most 107 bytes: \(path)")
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let call = { (function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) in
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
            }
            let mask = umask(0o177)
            defer { umask(mask) }
            var bound = call(bind)
            if bound != 0, errno == EADDRINUSE {
                guard let file = try? FileStatus(ofLink: path), file.isSocket, call(connect) != 0, errno == ECONNREFUSED
                else { throw .pathTaken(path) }
                unlink(path)
                bound = call(bind)
            }
            guard bound == 0, listen(descriptor, 128) == 0 else {
                throw .system("cannot listen on \(path): \(Errno.current)")
            }
        } catch {
            close(descriptor)
            throw error
        }
        (port, descriptors) = (0, [descriptor])
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
