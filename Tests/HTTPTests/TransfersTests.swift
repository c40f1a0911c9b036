import Errands
import Foundation
@testable import HTTP
import Redaction
import System
import TestSupport
import Testing
import Wire

@Suite("Transfers")
struct TransfersTests {
    private let transfers: Transfers
    private let options = TransportOptions()

    init() throws { transfers = try Transfers() }

    /// A transfer that was started, and what it receives.
    private struct Started {
        let id: TransferID
        let buffer: ResponseBuffer
    }

    private func get(_ url: String, _ options: TransportOptions? = nil, in transfers: Transfers? = nil) throws
        -> Started
    {
        let buffer = ResponseBuffer(limit: 1 << 20)
        let request = HTTPRequest(method: "GET", url: url)
        let id = try (transfers ?? self.transfers).start(request, options: options ?? self.options, receiver: buffer)
        return Started(id: id, buffer: buffer)
    }

    /// Polls until so many transfers have ended; their failures.
    private func end(_ count: Int) throws -> [TransferID: HTTPError?] {
        var ended: [TransferID: HTTPError?] = [:]
        while ended.count < count {
            let some = transfers.poll()
            try #require(!some.isEmpty, "nothing is left to wait for")
            for (id, failure) in some { ended.updateValue(failure, forKey: id) }
        }
        return ended
    }

    private func text(_ started: Started) throws -> String {
        String(decoding: try started.buffer.result(after: nil).get().body, as: UTF8.self)
    }

    @Test("each of twenty transfers at once gets its own response")
    func parallel() throws {
        let responder = try Responder { .text("you asked for \($0.target)") }
        let started = try (0..<20).map { try get(responder.url("/\($0)")) }
        let failures = try end(20)
        #expect(failures.values.allSatisfy { $0 == nil })
        #expect(try started.map(text) == (0..<20).map { "you asked for /\($0)" })
    }

    @Test("twenty transfers, no more than four at once, share four connections")
    func sharedConnections() throws {
        let responder = try Responder { .text($0.target) }
        var started = try (0..<4).map { try get(responder.url("/\($0)")) }
        var ended = 0
        while ended < 20 {
            for (_, failure) in transfers.poll() {
                #expect(failure == nil)
                ended += 1
                if started.count < 20 { started.append(try get(responder.url("/\(started.count)"))) }
            }
        }
        #expect(try started.map(text) == (0..<20).map { "/\($0)" })
        #expect(responder.connectionCount <= 4)
    }

    @Test("a connection that one transfer leaves is used by the next, and closed for none")
    func keptConnection() throws {
        let responder = try Responder { _ in .text("ok") }
        for _ in 0..<5 {
            _ = try get(responder.url())
            _ = try end(1)
        }
        #expect(responder.connectionCount == 1)
    }

    @Test("one file is sent by two transfers at once, whole by each")
    func sharedFile() throws {
        let content = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
        let folder = try TemporaryDirectory()
        let path = folder.path("content")
        try Data(content).write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let upload = FileUpload(descriptor: file.fileDescriptor, name: "content")
        let responder = try Responder { _ in .text("ok") }
        for _ in 0..<2 {
            _ = try transfers.start(
                HTTPRequest(method: "PUT", url: responder.url()), upload: upload, options: options,
                receiver: ResponseBuffer(limit: 100))
        }
        _ = try end(2)
        #expect(responder.requests.map { $0.body == content } == [true, true])
    }

    @Test("transfers that fail, or exceed their own time limit, do not disturb another")
    func failures() throws {
        let gate = Responder.Gate()
        let late = Responder.Gate()
        defer { late.open() }
        let responder = try Responder { request in
            switch request.target {
            case "/broken": .close
            case "/late": .text("late").after(late)
            default: .text("good").after(gate)
            }
        }
        var limited = options
        limited.maximumTime = 0.3
        let good = try get(responder.url("/good"))
        let broken = try get(responder.url("/broken"))
        let slow = try get(responder.url("/late"), limited)
        let failures = try end(2)
        guard case .network(.read, _, true)?? = failures[broken.id],
            case .network(.timeout, _, true)?? = failures[slow.id]
        else {
            Issue.record("\(failures)")
            return
        }
        gate.open()
        #expect(try end(1) == [good.id: nil])
        #expect(try text(good) == "good")
    }

    @Test("a receiver that wants no more ends its own transfer alone")
    func abort() throws {
        let gate = Responder.Gate()
        let responder = try Responder { $0.target == "/endless" ? .endless() : .text("good").after(gate) }
        let good = try get(responder.url("/good"))
        let endless = try get(responder.url("/endless"))
        guard case .aborted?? = try end(1)[endless.id] else {
            Issue.record("not ended")
            return
        }
        #expect(throws: HTTPError.tooLarge(limit: 1 << 20)) { try endless.buffer.result(after: .aborted).get() }
        gate.open()
        #expect(try end(1) == [good.id: nil])
    }

    @Test("a transfer may begin while another runs, and gets its response first")
    func lateStart() throws {
        let gate = Responder.Gate()
        let responder = try Responder { $0.target == "/first" ? .text("first").after(gate) : .text("second") }
        let first = try get(responder.url("/first"))
        #expect(transfers.poll(until: .now).isEmpty)
        let second = try get(responder.url("/second"))
        #expect(try end(1) == [second.id: nil])
        gate.open()
        #expect(try end(1) == [first.id: nil])
    }

    @Test("each of four first connections falls back to the bundle once, and the next one begins with it")
    func bundle() throws {
        let peer = try TLSPeer()
        for _ in 0..<4 { _ = try get(peer.url()) }
        for failure in try end(4).values {
            guard case .certificate(.authority, _)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        _ = try get(peer.url())
        _ = try end(1)
        let trusting = try get(peer.url(), peer.trusting)
        _ = try end(1)
        // Two for each of the four, without a directory of authorities one; one for the fifth, and this one.
        let count = try EasyHandle().setBundleAside() != nil ? 10 : 6
        #expect(try text(trusting).contains("\"connections\": \(count)"))
    }

    @Test("a wait for transfers ends at its end, and when the reader of a watched pipe is gone")
    func ends() throws {
        let gate = Responder.Gate()
        let responder = try Responder(.text("late").after(gate))
        #expect(transfers.isEmpty)
        let transfer = try get(responder.url())
        let pipe = Pipe()
        let watched = [Watched(pipe.fileHandleForWriting.fileDescriptor, .closed)]
        let (start, end) = (ContinuousClock.now, MonotonicTime.now + .milliseconds(50))
        var (ended, ready) = transfers.carryOn { (end, watched) }
        #expect(ended.isEmpty)
        #expect(ready.isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        try pipe.fileHandleForReading.close()
        (ended, ready) = transfers.carryOn { (nil, watched) }
        #expect(ended.isEmpty)
        #expect(ready == watched)
        gate.open()
        #expect(try self.end(1) == [transfer.id: nil])
    }

    @Test("a transfer that has not ended is closed with its engine")
    func abandoned() throws {
        final class Head: ResponseReceiver {
            var isThere = false
            func receive(head: HTTPResponseHead) -> Bool {
                isThere = true
                return true
            }
            func receive(content: UnsafeRawBufferPointer) -> Bool { true }
        }
        let closed = Responder.Gate()
        let responder = try Responder(.endless().opening(closed))
        let head = Head()
        do {
            let transfers = try Transfers()
            let request = HTTPRequest(method: "GET", url: responder.url())
            _ = try transfers.start(request, options: options, receiver: head)
            while !head.isThere { _ = transfers.poll(until: .now + .milliseconds(10)) }
        }
        #expect(closed.wait())
    }

    @Test("a receiver that starts a transfer is refused")
    func recursion() throws {
        final class Starter: ResponseReceiver {
            let transfers: Transfers
            let url: String
            var error: HTTPError?
            init(_ transfers: Transfers, _ url: String) { (self.transfers, self.url) = (transfers, url) }
            func receive(head: HTTPResponseHead) -> Bool {
                let request = HTTPRequest(method: "GET", url: url)
                error = #expect(throws: HTTPError.self) {
                    try transfers.start(request, options: TransportOptions(), receiver: self)
                }
                return true
            }
            func receive(content: UnsafeRawBufferPointer) -> Bool { true }
        }
        let responder = try Responder(.text("1"), .text("2"))
        let starter = Starter(transfers, responder.url())
        _ = try transfers.start(
            HTTPRequest(method: "GET", url: responder.url()), options: options, receiver: starter)
        _ = try end(1)
        guard case .library = starter.error else {
            Issue.record("\(String(describing: starter.error))")
            return
        }
        #expect(responder.requests.count == 1)
    }

    @Test("the lines of -v begin with the number of their transfer from the second one at the same time on")
    func trace() throws {
        let gate = Responder.Gate()
        let responder = try Responder { $0.target == "/1" ? .text("1").after(gate) : .text("2").opening(gate) }
        var lines: [String] = []
        let transfers = try Transfers(trace: Trace(redactor: Redactor()) { lines.append($0) })
        _ = try get(responder.url("/0"), in: transfers)
        _ = transfers.poll()
        #expect(lines.contains("> GET /0 HTTP/1.1") && !lines.contains { $0.hasPrefix("[") })
        lines = []
        for path in ["/1", "/2"] { _ = try get(responder.url(path), in: transfers) }
        for _ in 0..<2 { _ = transfers.poll() }
        #expect(lines.contains("[1] > GET /1 HTTP/1.1") && lines.contains("[2] > GET /2 HTTP/1.1"))
        #expect(lines.allSatisfy { $0.hasPrefix("[1] ") || $0.hasPrefix("[2] ") })
    }
}
