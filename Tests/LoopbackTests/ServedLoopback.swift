import Errands
import Foundation
import Loopback
import System
import Testing

/// A server that runs on a thread of its own until it is stopped, or it has answered for the last time.
final class ServedLoopback: Sendable {
    let port: Int
    private let stopping: Foundation.Pipe
    private let ended: DispatchSemaphore

    /// Starts a server.
    ///
    /// - Throws: ``LoopbackError`` when it cannot listen.
    init(
        addresses: [LoopbackAddress] = [.ipv4], limits: LoopbackLimits = LoopbackLimits(),
        unheard: @escaping @Sendable () -> Void = {},
        answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) throws {
        let stopping = Foundation.Pipe()
        let ended = DispatchSemaphore(value: 0)
        let started = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        Thread.detachNewThread {
            defer { ended.signal() }
            do {
                let server = try LoopbackServer(addresses: addresses, limits: limits, unheard: unheard, answer: answer)
                outcome.result = .success(server.port)
                started.signal()
                _ = server.run(watching: stopping.fileHandleForReading.fileDescriptor)
                server.stop()
            } catch {
                outcome.result = .failure(error)
                started.signal()
            }
        }
        started.wait()
        port = try #require(outcome.result).get()
        self.stopping = stopping
        self.ended = ended
    }

    /// Waits until the server has ended by itself.
    func waitForEnd() {
        ended.wait()
        ended.signal()
    }

    /// Ends the server and waits for that.
    func stop() {
        try? stopping.fileHandleForWriting.close()
        waitForEnd()
    }

    deinit { stop() }

    /// One answer, or none yet; written before `started` is signalled and read after it.
    private final class Outcome: @unchecked Sendable {
        var result: Result<Int, any Error>?
    }
}

extension LoopbackResponse {
    /// A text.
    static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
        LoopbackResponse(status: status, body: .bytes(Array(text.utf8)))
    }
}

extension LoopbackServer {
    /// Serves until it is finished, the time is over, or a descriptor becomes readable. Returns whether it is finished.
    func run(for limit: Duration? = nil, watching descriptor: Int32? = nil) -> Bool {
        let end = limit.map { MonotonicTime.now + $0 }
        while true {
            serve([])
            if isFinished { return true }
            let now = MonotonicTime.now
            if let end, end <= now { return false }
            let wait = [end, due].compactMap { $0?.milliseconds(since: now) }.min() ?? -1
            var events = ([descriptor].compactMap(\.self) + watched.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&events, nfds_t(events.count), Int32(clamping: wait))
            if count > 0, descriptor != nil, events[0].revents != 0 { return false }
        }
    }
}
