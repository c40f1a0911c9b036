import Foundation
import Synchronization

/// A scripted HTTP/1.1 server on a free loopback port. It answers from a queue of replies or by a function, keeps what
/// it was sent to the byte, and ends with its last reference. Make one for each test.
package final class Responder: Sendable {
    /// The port on 127.0.0.1.
    package let port: Int
    private let state: ResponderState

    /// Answers the first request with the first reply and so on, over all connections; then with 500.
    package convenience init(_ replies: Reply...) throws {
        let queue = Mutex(replies[...])
        try self.init { _ in
            queue.withLock { $0.popFirst() } ?? .text("no reply is left", status: 500)
        }
    }

    /// Answers each request as the function says; it is called on the thread of the connection.
    ///
    /// - Parameter port: 0 for a free one; else one that was another's.
    package init(port: Int = 0, answer: @escaping @Sendable (Request) -> Reply) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw ResponderFailure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        var isOn: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: Int? =
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            } ? Int(UInt16(bigEndian: address.sin_port)) : nil
        guard let port else {
            let failure = ResponderFailure(call: "bind", code: errno)
            close(listener)
            throw failure
        }
        self.port = port
        state = ResponderState(listener: listener, answer: answer)
        let state = state
        Thread.detachNewThread { state.acceptConnections() }
    }

    deinit { stop() }

    /// `http://127.0.0.1:PORT`, with a path behind it.
    package func url(_ path: String = "") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests that have arrived whole, in order.
    package var requests: [Request] { state.record.withLock { $0.requests } }

    /// How many connections were made.
    package var connectionCount: Int { state.record.withLock { $0.connectionCount } }

    /// Closes the port and all connections. A test need not call it.
    package func stop() { state.stop() }
}

/// A system call failed while a responder was made.
package struct ResponderFailure: Error {
    /// The name of the call.
    package var call: String
    /// Its errno.
    package var code: Int32
}

/// What the threads of a responder share.
private final class ResponderState: Sendable {
    struct Record {
        var requests: [Responder.Request] = []
        var connectionCount = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    let record = Mutex(Record())
    private let listener: Int32
    private let answer: @Sendable (Responder.Request) -> Responder.Reply

    init(listener: Int32, answer: @escaping @Sendable (Responder.Request) -> Responder.Reply) {
        self.listener = listener
        self.answer = answer
    }

    func acceptConnections() {
        while true {
            let socket = accept(listener, nil, nil)
            if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            // A reply is written in steps; without this each but the first would wait 40 ms for an acknowledgement.
            var isOn: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
            let number: Int? = record.withLock { record in
                guard socket >= 0, !record.isStopped else { return nil }
                record.open.insert(socket)
                record.connectionCount += 1
                return record.connectionCount
            }
            guard let number else {
                if socket >= 0 { close(socket) }
                close(listener)
                return
            }
            Thread.detachNewThread { self.serve(socket, number: number) }
        }
    }

    func stop() {
        // Once: the numbers may be other descriptors' by the second time.
        record.withLock { record in
            guard !record.isStopped else { return }
            record.isStopped = true
            for socket in record.open { shutdown(socket, Int32(SHUT_RDWR)) }
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    private func serve(_ socket: Int32, number: Int) {
        var connection = ResponderConnection(socket: socket, number: number)
        while let request = connection.readRequest() {
            record.withLock { $0.requests.append(request) }
            guard connection.write(answer(request), to: request) else { break }
        }
        record.withLock { record in
            record.open.remove(socket)
            close(socket)
        }
    }
}
