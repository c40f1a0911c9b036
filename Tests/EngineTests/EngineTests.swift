import Engine
import Errands
import Foundation
import HTTP
import System
import TestSupport
import Testing
import Wire

@Suite("The engine")
struct EngineTests {
    private let engine = Engine(
        options: { TransportOptions { _ in nil } }, open: { () throws(HTTPError) in try Transfers() })

    private func get(_ url: String) -> Errand<ServerRequest.Result> {
        .send(ServerRequest(message: HTTPRequest(method: "GET", url: url))) { result, _ in .done(result) }
    }

    private func shell(_ script: String, input: String = "", seconds: Int = 20, limit: Int = 1 << 20) -> ChildProgram {
        ChildProgram(
            ["sh", "-c", script], variables: ["PATH=/usr/bin:/bin"], input: Array(input.utf8), seconds: seconds,
            limit: limit)
    }

    private func end(_ program: ChildProgram) -> ChildProgram.End {
        engine.run(Errand<ChildProgram.End>.run(program) { .done($0) })
    }

    @Test("while one errand is run, others that were started go on: transfers, programs and pauses")
    func beside() throws {
        let gate = Responder.Gate()
        let responder = try Responder { $0.target == "/slow" ? .text("slow").after(gate) : .text("fast").opening(gate) }
        var ended: [String] = []
        engine.start(get(responder.url("/slow"))) { _ in ended.append("slow") }
        engine.start(Errand<Void>.run(shell("true")) { _ in .done(()) }) { ended.append("program") }
        let late: Errand<ServerRequest.Result> = .pause(until: .now + .milliseconds(100)) {
            get(responder.url("/fast"))
        }
        let response: ServerRequest.Result = engine.run(late)
        #expect(try response.get().head.status == 200)
        let limit = MonotonicTime.now + .seconds(10)
        while ended.count != 2, MonotonicTime.now.milliseconds(since: limit) == 0 { engine.turn(until: limit) }
        #expect(Set(ended) == ["slow", "program"])
    }

    @Test("nothing may wait inside a step")
    func insideStep() async {
        await #expect(processExitsWith: .failure) {
            let engine = Engine(
                options: { TransportOptions { _ in nil } }, open: { () throws(HTTPError) in try Transfers() })
            engine.run(
                Errand<Void>.pause(until: .now) {
                    engine.run(Errand<Void>.pause(until: .now) { .done(()) })
                    return .done(())
                })
        }
    }

    @Test("a request that cannot begin is a failure of the errand, in a later step")
    func notBegun() throws {
        let result: ServerRequest.Result = engine.run(get("gopher://x/"))
        guard case .failure(.invalidURL) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("of a request that wants the head alone, content without an end is not waited for")
    func head() throws {
        let responder = try Responder(.endless())
        var request = ServerRequest(message: HTTPRequest(method: "GET", url: responder.url()))
        request.endsAtHead = true
        let result: ServerRequest.Result = engine.run(
            Errand<ServerRequest.Result>.send(request) { result, _ in .done(result) })
        #expect(try result.get().body.isEmpty)
    }

    @Test("a request that may not begin any more is not sent, and one that may is")
    func late() throws {
        let responder = try Responder(.text("answer"))
        var request = ServerRequest(message: HTTPRequest(method: "POST", url: responder.url()))
        for mayBegin in [false, true] {
            request.mayBegin = { mayBegin }
            let result: ServerRequest.Result = engine.run(Errand.send(request) { result, _ in .done(result) })
            switch result {
            case .success: #expect(mayBegin)
            case .failure(let error):
                #expect(!error.requestSent)
                #expect(!mayBegin, "\(error)")
            }
            #expect(responder.requests.count == (mayBegin ? 1 : 0))
        }
    }

    @Test("a request has its own limits of time and content, and its own end of what is enough")
    func limits() throws {
        let gate = Responder.Gate()
        let silent = try Responder(.text("late").after(gate))
        var slow = ServerRequest(message: HTTPRequest(method: "GET", url: silent.url()))
        slow.maximumTime = 0.2
        #expect(throws: HTTPError.self) { try engine.run(Errand.send(slow) { result, _ in .done(result) }).get() }
        gate.open()
        let endless = try Responder { _ in .endless() }
        var request = ServerRequest(message: HTTPRequest(method: "GET", url: endless.url()))
        var enough = request
        request.maximumBody = 5
        #expect(throws: HTTPError.tooLarge(limit: 5)) {
            try engine.run(Errand.send(request) { result, _ in .done(result) }).get()
        }
        enough.isEnough = { $0.count >= 3 }
        let result: ServerRequest.Result = engine.run(Errand.send(enough) { result, _ in .done(result) })
        #expect(try result.get().body.count >= 3)
    }

    @Test("a program gets its input and gives its output and its status, whatever their sizes")
    func program() throws {
        let input = String(repeating: "0123456789", count: 40_000)
        guard case .ended(0, let output) = end(shell("cat", input: input)),
            case .ended(3, let words) = end(shell("echo no; exit 3")),
            // It does not read its input, and must not end this process.
            case .ended(0, _) = end(shell("exit 0", input: input))
        else {
            Issue.record("a program ended in another way")
            return
        }
        #expect(output == Array(input.utf8))
        #expect(words == Array("no\n".utf8))
    }

    @Test("a program that leaves a child with its output behind is over; one that closes its output is not")
    func leftBehind() throws {
        guard case .ended(0, let output) = end(shell("sleep 100 & echo done")) else {
            Issue.record("the child was waited for")
            return
        }
        #expect(output == Array("done\n".utf8))
        guard case .ended(4, _) = end(shell("exec 1>&-; sleep 0.2; exit 4")) else {
            Issue.record("the end of the output was taken for that of the program")
            return
        }
    }

    @Test("a program that is late, prints too much, or is not there is told apart")
    func badProgram() throws {
        guard case .late = end(shell("exec sleep 100", seconds: 1)),
            case .tooLong = end(shell("exec cat /dev/zero", limit: 1000)),
            case .notStarted(.noSuchFile) = end(
                ChildProgram(["/no/such/program"], variables: [], seconds: 1, limit: 1))
        else {
            Issue.record("a program ended in another way")
            return
        }
    }

    @Test("a program that is killed takes with it what it has started, and what that has started")
    func descendants() throws {
        let home = try TemporaryDirectory()
        let inner = "echo $$ > '\(home.path("inner"))'; exec sleep 100"
        let script = "sh -c 'sh -c \"$INNER\" & wait' & wait"
        let program = ChildProgram(
            ["sh", "-c", script], variables: ["PATH=/usr/bin:/bin", "INNER=\(inner)"], seconds: 1, limit: 1)
        guard case .late = end(program) else {
            Issue.record("the program ended in another way")
            return
        }
        let id = try home.read("inner").split(whereSeparator: \.isWhitespace).joined()
        let limit = MonotonicTime.now + .seconds(5)
        var state = "S"
        while state != "Z", state != "", MonotonicTime.now < limit {
            let status = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
            state = status.split(separator: ")").last.map { String($0.dropFirst().prefix(1)) } ?? ""
            usleep(1000)
        }
        #expect(["", "Z"].contains(state))
    }

    @Test("who waits for the end of a reader is not told that the pipe can be written to", arguments: [false, true])
    func twoWatches(hasTransfer: Bool) throws {
        let gate = Responder.Gate()
        let responder = try Responder(.text("late").after(gate))
        if hasTransfer { engine.start(get(responder.url())) { _ in } }
        let pipe = Pipe()
        let number = pipe.fileHandleForWriting.fileDescriptor
        var told: [String] = []
        engine.add(DescriptorWatch([Watched(number, .closed)]) { _ in told.append("closed") })
        engine.add(DescriptorWatch([Watched(number, .writable)]) { _ in told.append("writable") })
        engine.turn(until: .now + .seconds(5))
        #expect(told == ["writable"])
        try pipe.fileHandleForReading.close()
        engine.turn(until: .now + .seconds(5))
        #expect(told.contains("closed"))
        gate.open()
    }

    /// Says that it is due when a transfer has brought something.
    private final class Relay: Listener, ResponseReceiver, TransferOwner {
        var isDue = false
        var served: [String] = []
        var hasEnded = false

        var watched: [Watched] { [] }
        var due: MonotonicTime? { isDue ? .now : nil }

        func serve(_ ready: [Int32]) {
            served.append("served")
            isDue = false
        }

        func receive(head: HTTPResponseHead) -> Bool { true }

        func receive(content: UnsafeRawBufferPointer) -> Bool {
            isDue = true
            return true
        }

        func ended(_ id: TransferID, _ failure: HTTPError?) { hasEnded = true }
    }

    @Test("a listener that a receiver makes due is served before the transfer goes on")
    func dueByReceiver() throws {
        let relay = Relay()
        let gate = Responder.Gate()
        let responder = try Responder(.endless().opening(gate))
        engine.add(relay)
        let id = try engine.send(
            HTTPRequest(method: "GET", url: responder.url()), options: TransportOptions { _ in nil }, receiver: relay,
            owner: relay)
        while relay.served.isEmpty { engine.turn(until: .now + .seconds(10)) }
        engine.cancel(id)
        #expect(!relay.hasEnded)
    }
}
