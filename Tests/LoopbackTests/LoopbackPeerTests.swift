import Foundation
import Loopback
import Synchronization
import TestSupport
import Testing

@Suite("The other end of a connection")
struct LoopbackPeerTests {
    @Test("the peer of a connection is a process of this user, over IPv4 and IPv6", arguments: [false, true])
    func user(isIPv6: Bool) throws {
        let server = try ServedLoopback(addresses: [isIPv6 ? .ipv6 : .ipv4]) { .text("\($0.peer)") }
        let answer = try RawConnection.exchange(
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port, isIPv6: isIPv6)
        #expect(answer.hasSuffix("user(\(geteuid()))"))
    }

    @Test(
        "the peer of a connection is gone once it is closed, or broken off over an answer that it has not read",
        arguments: [false, true])
    func gone(isBrokenOff: Bool) throws {
        let (arrived, closed, asked) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let peer = Mutex<LoopbackPeer?>(nil)
        let server = try ServedLoopback { request in
            guard request.path == "/last" else { return .text("unread") }
            arrived.signal()
            closed.wait()
            peer.withLock { $0 = request.peer }
            asked.signal()
            return .text("")
        }
        var connection: RawConnection? = try RawConnection(port: server.port)
        if isBrokenOff { try connection?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        try connection?.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
        arrived.wait()
        connection = nil
        closed.signal()
        asked.wait()
        #expect(peer.withLock { $0 } == .gone)
    }
}
