import Foundation
import HTTP
import Redaction
import TestSupport
import Testing
import Wire

/// Notes what arrives, in order, and stops when it is told to.
private final class Notes: ResponseReceiver {
    var events: [String] = []
    var size = 0
    var stopsAtHead = false
    var stopsAtContent = false
    var onHead: () -> Void = {}

    func receive(head: HTTPResponseHead) -> Bool {
        events.append("head \(head.status)")
        onHead()
        return !stopsAtHead
    }

    func receive(content: UnsafeRawBufferPointer) -> Bool {
        if events.last != "content" { events.append("content") }
        size += content.count
        return !stopsAtContent
    }
}

@Suite("Streams")
struct StreamTests {
    private let notes = Notes()
    private let client: HTTPClient

    init() throws { client = try HTTPClient(options: TransportOptions()) }

    private func file(of size: Int, _ body: (FileUpload, FileHandle) throws -> Void) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(String(repeating: "z", count: size), to: "content.bin")
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try body(FileUpload(descriptor: handle.fileDescriptor, name: "content.bin"), handle)
    }

    @Test("the head is there before the first byte of content is sent")
    func headFirst() throws {
        let gate = Responder.Gate()
        notes.onHead = { gate.open() }
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n").then(.raw("abc").after(gate)))
        try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        #expect(notes.events == ["head 200", "content"])
        #expect(notes.size == 3)
    }

    @Test("content is handed over as it arrives")
    func asItArrives() throws {
        let gate = Responder.Gate()
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").then(.raw("cd").after(gate)))
        final class Opener: ResponseReceiver {
            var pieces: [String] = []
            let gate: Responder.Gate
            init(gate: Responder.Gate) { self.gate = gate }
            func receive(head: HTTPResponseHead) -> Bool { true }
            func receive(content: UnsafeRawBufferPointer) -> Bool {
                pieces.append(String(decoding: content, as: UTF8.self))
                gate.open()
                return true
            }
        }
        let opener = Opener(gate: gate)
        try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: opener)
        #expect(opener.pieces == ["ab", "cd"])
    }

    @Test("a response without content still has its head")
    func emptyContent() throws {
        let responder = try Responder(.content([], status: 204))
        try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        #expect(notes.events == ["head 204"])
    }

    @Test("a receiver that wants no more ends an endless answer", arguments: [true, false])
    func abort(atHead: Bool) throws {
        notes.stopsAtHead = atHead
        notes.stopsAtContent = true
        let responder = try Responder(.endless())
        let error = #expect(throws: HTTPError.self) {
            try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        }
        #expect(error == .aborted)
        #expect(notes.events == (atHead ? ["head 200"] : ["head 200", "content"]))
    }

    @Test("a file is sent with its length, from where it stands", arguments: ["PUT", "POST", "QUERY"])
    func upload(method: String) throws {
        let responder = try Responder(.text("ok"))
        try file(of: 200_000) { _, handle in
            try handle.seek(toOffset: 50_000)
            let upload = FileUpload(descriptor: handle.fileDescriptor, name: "content.bin")
            #expect(upload.size == 150_000 && upload.isReplayable)
            try client.stream(
                HTTPRequest(method: method, url: responder.url()), upload: upload, receiver: notes)
        }
        let request = try #require(responder.requests.first)
        #expect(request.method == method)
        #expect(request.headers.values(of: "Content-Length") == ["150000"])
        #expect(request.headers.first("Expect") == nil && request.headers.first("Content-Type") == nil)
        #expect(request.bodySize == 150_000 && request.body.allSatisfy { $0 == UInt8(ascii: "z") })
    }

    @Test("a large file is sent without waiting for 100 Continue")
    func largeUpload() throws {
        let responder = try Responder(.text("ok"))
        try file(of: 3 << 20) { upload, _ in
            try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
        }
        #expect(responder.requests.first?.bodySize == 3 << 20)
    }

    @Test("an empty file is content of no length")
    func emptyUpload() throws {
        let responder = try Responder(.text("ok"))
        try file(of: 0) { upload, _ in
            try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
        }
        #expect(responder.requests.first?.headers.values(of: "Content-Length") == ["0"])
    }

    @Test("a pipe is sent in chunks")
    func pipeUpload() throws {
        let responder = try Responder(.text("ok"))
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("hello".utf8))
        try pipe.fileHandleForWriting.close()
        let upload = FileUpload(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input")
        #expect(upload.size == nil)
        try client.stream(HTTPRequest(method: "POST", url: responder.url()), upload: upload, receiver: notes)
        let request = try #require(responder.requests.first)
        #expect(request.headers.values(of: "Transfer-Encoding") == ["chunked"])
        #expect(request.bodyText == "hello")
    }

    @Test("a pipe is kept up to a limit and sent again, and a larger one is not", arguments: [0, 1])
    func replayedPipe(excess: Int) throws {
        let responder = try Responder(.text("ok"))
        let pipe = Pipe()
        let content = Data((0..<5000 + excess).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try pipe.fileHandleForWriting.write(contentsOf: content)
        try pipe.fileHandleForWriting.close()
        let upload = FileUpload(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input", keeping: 5000)
        let request = HTTPRequest(method: "POST", url: responder.url())
        #expect(upload.isReplayable)
        try client.stream(request, upload: upload, receiver: notes)
        #expect(upload.isReplayable == (excess == 0))
        guard excess == 0 else {
            #expect(throws: HTTPError.self) { try client.stream(request, upload: upload, receiver: notes) }
            #expect(responder.requests.count == 1)
            return
        }
        try client.stream(request, upload: upload, receiver: notes)
        #expect(responder.requests.map { Data($0.body) == content } == [true, true])
    }

    @Test("a pipe that does not block is waited for")
    func nonBlockingUpload() throws {
        let responder = try Responder(.text("ok"))
        let other = try Responder(.text("meanwhile"))
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        // Content is asked for long before another request has its answer. libcurl 8 sends the head with it.
        let trace = Trace(redactor: Redactor()) { line in
            guard line.hasPrefix("* Connected to ") || line.hasPrefix("* Established connection to ") else { return }
            Thread.detachNewThread {
                let request = HTTPRequest(method: "GET", url: other.url())
                _ = try? HTTPClient(options: TransportOptions()).send(request, maximumBody: 100)
                try? pipe.fileHandleForWriting.write(contentsOf: Data("hello".utf8))
                try? pipe.fileHandleForWriting.close()
            }
        }
        try HTTPClient(options: TransportOptions(), trace: trace).stream(
            HTTPRequest(method: "POST", url: responder.url()),
            upload: FileUpload(descriptor: descriptor, name: "standard input"), receiver: notes)
        #expect(responder.requests.first?.bodyText == "hello")
    }

    @Test("the first line alone begins a head: a field may look like one")
    func fieldLikeStatusLine() throws {
        let responder = try Responder(.raw("HTTP/1.1 401 No\r\nHTTP/x: y\r\nContent-Length: 4\r\n\r\nbody"))
        try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        #expect(notes.events == ["head 401", "content"])
    }

    @Test("content is never handed over before a head")
    func contentWithoutHead() throws {
        let responder = try Responder(.raw("HTTP/1.1 101 Switching Protocols\r\n\r\nbody").then(.close))
        let error = #expect(throws: HTTPError.self) {
            try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(notes.events == [])
    }

    @Test("a file that cannot be read is an error of that file")
    func unreadableUpload() throws {
        let responder = try Responder(.text("ok"))
        let directory = open("/", O_RDONLY)
        defer { close(directory) }
        let error = #expect(throws: HTTPError.self) {
            try client.stream(
                HTTPRequest(method: "POST", url: responder.url()),
                upload: FileUpload(descriptor: directory, name: "some/path"), receiver: notes)
        }
        #expect(error == .file(path: "some/path", message: "is a directory"))
    }

    @Test("a file that shrinks while it is sent is an error, and does not hang")
    func shrinkingUpload() throws {
        let responder = try Responder(.text("ok"))
        try file(of: 1000) { upload, handle in
            try handle.truncate(atOffset: 10)
            try handle.seek(toOffset: 0)
            let error = #expect(throws: HTTPError.self) {
                try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
            }
            #expect(error == .file(path: "content.bin", message: "became shorter while it was being sent"))
        }
    }

    @Test("a file that grows while it is sent is sent as long as it was")
    func growingUpload() throws {
        let responder = try Responder(.text("ok"))
        try file(of: 1000) { upload, handle in
            try handle.truncate(atOffset: 5000)
            try handle.seek(toOffset: 0)
            try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
        }
        #expect(responder.requests.first?.bodySize == 1000)
    }

    @Test("a pipe that was not kept is not sent again from its middle when the kept connection turns out to be dead")
    func unrepeatablePipe() throws {
        let responder = try Responder(.text("1"), .close, .text("3"))
        _ = try client.send(HTTPRequest(method: "GET", url: responder.url()), maximumBody: 100)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: UInt8(ascii: "a"), count: 5000))
        try pipe.fileHandleForWriting.close()
        let upload = FileUpload(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input", keeping: 4999)
        #expect(throws: HTTPError.self) {
            try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
        }
        #expect(responder.requests.map(\.bodySize) == [0, 5000])
    }

    @Test("a file is read again when the kept connection turns out to be dead")
    func replayedUpload() throws {
        let responder = try Responder(.text("1"), .close, .text("3"))
        _ = try client.send(HTTPRequest(method: "GET", url: responder.url()), maximumBody: 100)
        try file(of: 150_000) { _, handle in
            try handle.write(contentsOf: Data(repeating: UInt8(ascii: "a"), count: 50_000))
            let upload = FileUpload(descriptor: handle.fileDescriptor, name: "content.bin")
            try client.stream(HTTPRequest(method: "PUT", url: responder.url()), upload: upload, receiver: notes)
        }
        #expect(responder.requests.map(\.bodySize) == [0, 100_000, 100_000])
        #expect(responder.requests.last?.body.allSatisfy { $0 == UInt8(ascii: "z") } == true)
    }

    @Test("a receiver that writes to a closed pipe gets EPIPE and no signal, and signals come again afterwards")
    func brokenPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let signals = BrokenPipeSignals()
        notes.onHead = { #expect(write(descriptor, "x", 1) == -1 && errno == EPIPE) }
        let responder = try Responder(.text("ok"))
        try client.stream(HTTPRequest(method: "GET", url: responder.url()), receiver: notes)
        #expect(signals.count == 0)
        #expect(write(descriptor, "x", 1) == -1)
        #expect(signals.count == 1)
    }
}
