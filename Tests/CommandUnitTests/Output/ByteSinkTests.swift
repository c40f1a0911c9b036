import Foundation
import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("The way to the reader of a result")
struct ByteSinkTests {
    private let pipe = Pipe()
    private let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private var sink: ByteSink { ByteSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "the pipe") }

    @Test("what is held is offered without waiting, and comes whole and in order, however slow the reader is")
    func offer() throws {
        let sink = sink
        sink.hold(.max)
        try sink.write(bytes)
        try sink.flushUnlessHeld()
        #expect(sink.backlog == bytes.count && sink.written == 0)
        var received: [UInt8] = []
        while sink.backlog > 0 {
            // It would wait for ever here if it wrote more than the pipe takes.
            try sink.offer()
            #expect(sink.written + sink.backlog == bytes.count)
            received += pipe.fileHandleForReading.availableData
        }
        #expect(sink.waiting == nil)
        try pipe.fileHandleForWriting.close()
        received += pipe.fileHandleForReading.readDataToEndOfFile()
        #expect(received == bytes)
    }

    @Test("a buffer that is full is written, and one that is not waits for the flush")
    func full() throws {
        let sink = sink
        try sink.write([1, 2])
        #expect(sink.written == 0)
        try sink.write([UInt8](repeating: 3, count: 65_534))
        #expect(sink.backlog == 0 && sink.written == 65_536)
        _ = try pipe.fileHandleForReading.read(upToCount: 65_536)
        try sink.write([4])
        try sink.flush()
        #expect(try pipe.fileHandleForReading.read(upToCount: 1) == Data([4]))
    }
}
