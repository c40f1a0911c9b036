import Foundation

/// A TCP connection to a port of this machine over which a test says what it likes, byte for byte.
package final class RawConnection {
    /// A system call failed: its name and errno (`ECONNRESET` where the other side broke the connection off).
    package struct Failure: Error, Equatable {
        /// The name of the call.
        package var call: String
        /// Its errno.
        package var code: Int32

        /// Makes a failure.
        package init(call: String, code: Int32) {
            self.call = call
            self.code = code
        }
    }

    private let descriptor: FileDescriptor

    /// Connects to 127.0.0.1, or to ::1.
    ///
    /// - Throws: ``Failure``.
    package init(port: Int, isIPv6: Bool = false) throws {
        let family = isIPv6 ? AF_INET6 : AF_INET
        descriptor = try FileDescriptor(socket(family, Int32(SOCK_STREAM.rawValue), 0))
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var storage = sockaddr_storage()
        let connected = withUnsafeMutableBytes(of: &storage) { raw in
            raw.storeBytes(of: sa_family_t(family), as: sa_family_t.self)
            raw.storeBytes(of: UInt16(port).bigEndian, toByteOffset: 2, as: UInt16.self)
            if isIPv6 {
                raw[23] = 1
            } else {
                raw.storeBytes(of: UInt32(0x7F00_0001).bigEndian, toByteOffset: 4, as: UInt32.self)
            }
            guard let address = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return connect(descriptor.number, address, socklen_t(isIPv6 ? 28 : 16)) == 0
        }
        guard connected else { throw Failure(call: "connect", code: errno) }
    }

    /// Sends a text.
    ///
    /// - Throws: ``Failure``.
    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// What comes until the other side closes.
    ///
    /// - Throws: ``Failure`` when it breaks off, or nothing comes for 30 seconds.
    package func readToEnd() throws -> String {
        var bytes: [UInt8] = []
        while let piece = try read() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What comes until the text is among it.
    ///
    /// - Throws: ``Failure`` as `readToEnd`; with code 0 when the other side closes first.
    package func read(until end: String) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(end) { return text }
            guard let piece = try read() else { throw Failure(call: "recv", code: 0) }
            bytes += piece
        }
    }

    /// Whether the other side has broken the connection off (RST), which `readToEnd` does not tell where it came to an
    /// end before.
    package var isBroken: Bool {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &size)
        return code != 0
    }

    private func read() throws -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor.number, &piece, piece.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        return count == 0 ? nil : Array(piece.prefix(count))
    }

    /// Connects, sends a text, and gives back all that comes.
    ///
    /// - Throws: ``Failure``.
    package static func exchange(_ text: String, port: Int, isIPv6: Bool = false) throws -> String {
        let connection = try RawConnection(port: port, isIPv6: isIPv6)
        try connection.send(text)
        return try connection.readToEnd()
    }
}
