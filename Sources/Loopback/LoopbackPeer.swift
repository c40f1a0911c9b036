internal import Glibc
internal import System
internal import Wire

/// The user at the other end of a connection, as far as the system reports it.
package enum LoopbackPeer: Equatable, Sendable {
    /// A process of this user.
    case user(UInt32)
    /// There is no peer: the other end is closed. The kernel reports such a socket as one of root.
    case gone
    /// Unknown: the other end is on another machine or in another network namespace, its user has no number in this
    /// user namespace, or `/proc` cannot be read.
    case unknown

    /// Finds the other end of a socket in the tables of all TCP sockets (proc_pid_net(5)).
    init(of socket: Int32) {
        if SocketEnd.isLocal(socket) {
            // Process, user and group of the client.
            var credentials: [UInt32] = [0, 0, 0]
            var size = socklen_t(12)
            let isKnown = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0
            self = isKnown ? .user(credentials[1]) : .unknown
            return
        }
        guard let own = SocketEnd(getsockname, socket), let other = SocketEnd(getpeername, socket) else {
            self = .gone  // getpeername(2): a connection that was broken off has no other end
            return
        }
        // A socket of IPv6 may be the other end of one of IPv4.
        for (table, name) in [("tcp", \SocketEnd.name), ("tcp6", \.name), ("tcp6", \.mappedName)] {
            let ends = " \(other[keyPath: name]) \(own[keyPath: name]) "
            guard let line = OpenFile.lines(of: "/proc/net/\(table)").first(where: { $0.contains(ends) }) else {
                continue
            }
            let fields = line.split(separator: " ")
            guard fields.count > 9, let user = UInt32(fields[7]) else { continue }
            self = fields[9] == "0" ? .gone : Self.isNumberless(user) ? .unknown : .user(user)
            return
        }
        self = Self.isEstablished(socket) ? .unknown : .gone
    }

    /// Whether a number is the overflow user ID of a user namespace such as a container's (user_namespaces(7)).
    private static func isNumberless(_ user: UInt32) -> Bool {
        guard OpenFile.lines(of: "/proc/sys/kernel/overflowuid").first == String(user) else { return false }
        return OpenFile.lines(of: "/proc/self/uid_map").first?.split(separator: " ") != ["0", "0", "4294967295"]
    }

    private static func isEstablished(_ socket: Int32) -> Bool {
        var state: UInt8 = 0
        var length: socklen_t = 1
        // The first byte of tcp_info (tcp(7)).
        return getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 && state == 1
    }
}

/// An end of a connection, or of a socket that listens.
struct SocketEnd {
    let port: Int
    /// Address and port in the format of the tables of sockets.
    let name: String
    /// Address and port with an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
    let mappedName: String

    init?(
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32, _ socket: Int32
    ) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let words: (family: Int32, port: UInt16, address: [String])? = withUnsafeMutableBytes(of: &storage) { raw in
            let base = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard ask(socket, base, &length) == 0 else { return nil }
            let family = Int32(raw.load(as: sa_family_t.self))
            let offsets = family == AF_INET6 ? [8, 12, 16, 20] : [4]
            return (
                family, UInt16(bigEndian: raw.load(fromByteOffset: LoopbackAddress.portOffset, as: UInt16.self)),
                offsets.map { Self.hexadecimal(raw.load(fromByteOffset: $0, as: UInt32.self), digits: 8) }
            )
        }
        guard let words else { return nil }
        port = Int(words.port)
        let end = words.address.joined() + ":" + Self.hexadecimal(UInt32(words.port), digits: 4)
        let prefix = "0000000000000000" + Self.hexadecimal(UInt32(0xFFFF).bigEndian, digits: 8)
        (name, mappedName) = (end, (words.family == AF_INET ? prefix : "") + end)
    }

    /// Whether a socket is one of files (unix(7)).
    static func isLocal(_ socket: Int32) -> Bool {
        var domain: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
