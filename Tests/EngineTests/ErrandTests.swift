import Errands
import System
import Testing
import Wire

@Suite("Errands")
struct ErrandTests {
    private struct Refusal: Error, Equatable {
        let reason: String
    }

    /// Releases its flag when nothing names it any more.
    private final class Lock {
        private let release: () -> Void

        init(_ release: @escaping () -> Void) { self.release = release }

        deinit { release() }
    }

    private let get = ServerRequest(message: HTTPRequest(method: "GET", url: "https://api.example/"))
    private let sleep = ChildProgram(["sleep", "9"], variables: [], seconds: 10, limit: 10)

    @Test("an errand is driven without an engine: a given reply brings the next need")
    func script() throws {
        let errand: Attempt<Int, Refusal> = .pause(until: .now) {
            .send(get) { result, _ in
                .run(sleep) { _ in .done(.success((try? result.get().head.status) ?? 0)) }
            }
        }
        let doubled = errand.reading { (status) throws(Refusal) in 2 * status }
        guard case .pause(_, let go) = doubled, case .send(_, let take) = go(),
            case .run(_, let end) = take(.success(HTTPResponse(head: HTTPResponseHead(status: 204), body: [])), .now),
            case .done(let result) = end(.late)
        else {
            Issue.record("the needs came in another order")
            return
        }
        #expect(try result.get() == 408)
    }

    @Test("what a step throws is the failure of the errand, and no later step runs")
    func failure() throws {
        var steps: [Int] = []
        let errand: Attempt<Int, Refusal> = .pause(until: .now) { .done(.success(1)) }
        let chain = errand.onward { (value) throws(Refusal) -> Attempt<Int, Refusal> in
            steps.append(value)
            throw Refusal(reason: "no")
        }.reading { (value) throws(Refusal) in
            steps.append(value)
            return value
        }.mapFailure { Refusal(reason: $0.reason + "!") }
        guard case .pause(_, let go) = chain, case .done(let result) = go() else {
            Issue.record("the errand pauses, and is done then")
            return
        }
        #expect(throws: Refusal(reason: "no!")) { try result.get() }
        #expect(steps == [1])
    }

    @Test(
        "a lock lives until its errand is done, and no longer than an errand that is dropped", arguments: [false, true])
    func lifetime(isDropped: Bool) throws {
        var isFree = false
        func errand() -> Errand<Int> {
            let lock = Lock { isFree = true }
            return Errand.pause(until: .now) { .pause(until: .now) { .done(1) } }.keeping(lock)
        }
        var job: Job? = Job(errand()) { _ in }
        #expect(!isFree)
        job?.resume(.moment, at: .now)
        #expect(!isFree)
        if isDropped { job = nil } else { job?.resume(.moment, at: .now) }
        #expect(isFree)
        #expect(job?.isOver != false)
    }

    @Test("an errand that begins later does nothing while it is only a value")
    func later() {
        var steps = 0
        let errand = Errand<Int>.later {
            steps += 1
            return .done(1)
        }
        #expect(steps == 0)
        let job = Job(errand) { _ in }
        #expect(steps == 0)
        job.resume(.moment, at: .now)
        #expect(steps == 1)
    }
}
