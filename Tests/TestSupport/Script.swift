import Errands
import System
import Wire

/// Plays everybody that an errand needs: servers, programs, and a clock that jumps to the end of each pause. So a renewal
/// that takes minutes is a test of a millisecond. Used from one thread.
package final class Script: @unchecked Sendable {
    /// Later than what is now in truth, so that an ``Errand/later(_:)`` is due at once.
    private let start = MonotonicTime.now + .seconds(3600)
    /// Since the beginning, in milliseconds.
    package private(set) var passed = 0
    /// The time at the beginning, in seconds since 1970.
    package let beginning: Int
    /// What a server answers; the request has been noted.
    package var answer: (ServerRequest) -> ServerRequest.Result = { _ in
        .failure(.network(stage: .connect, message: "there is no server", requestSent: false))
    }
    /// How a program ends.
    package var end: (ChildProgram) -> ChildProgram.End = { _ in .ended(status: 127, output: []) }
    /// Is done before each pause ends, at its end: what others do meanwhile.
    package var meanwhile: () -> Void = {}
    package private(set) var requests: [HTTPRequest] = []
    package private(set) var programs: [[String]] = []
    /// How long each request takes, in milliseconds.
    package var latency = 0

    package init(beginning: Int = 1_800_000_000) { self.beginning = beginning }

    package var now: MonotonicTime { start + .milliseconds(passed) }
    /// Milliseconds since 1970.
    package var milliseconds: Int { beginning * 1000 + passed }
    package var seconds: Int { milliseconds / 1000 }

    package func pass(seconds: Double) { passed += Int(seconds * 1000) }
    package func pass(to moment: MonotonicTime) { passed += Int(moment.milliseconds(since: now)) }

    /// The clocks of a machine that was started at another time.
    ///
    /// - Parameter rate: how fast they go, in thousandths.
    package func clock(ahead: Int = 0, rate: Int = 1000) -> MachineClock {
        MachineClock(
            boot: { 1_000_000 + ahead + self.passed * rate / 1000 }, start: { "started \(ahead)" }, now: { self.now })
    }

    /// Carries an errand out to its end.
    package func run<Value>(_ errand: Errand<Value>) -> Value {
        var errand = errand
        while true {
            if case .done(let value) = errand { return value }
            errand = step(errand)
        }
    }

    /// Carries out what an errand needs next; one that is done stays so. Several processes take turns so.
    package func step<Value>(_ errand: Errand<Value>) -> Errand<Value> {
        switch errand {
        case .done: return errand
        case .pause(let end, let go):
            pass(to: end)
            meanwhile()
            return go()
        case .run(let program, let go):
            programs.append(program.words)
            return go(end(program))
        case .send(let request, let go):
            guard request.mayBegin?() ?? true else {
                let late = HTTPError.network(stage: .late, message: "it is too late", requestSent: false)
                return go(.failure(late), Moment(time: now, seconds: seconds))
            }
            requests.append(request.message)
            passed += latency
            let result = answer(request)
            return go(result, Moment(time: now, seconds: seconds))
        }
    }
}

extension Script {
    /// An answer of JSON.
    package static func json(_ text: String, status: Int = 200, headers: [HTTPField] = []) -> ServerRequest.Result {
        let head = HTTPResponseHead(
            statusLine: "HTTP/1.1 \(status) Status", status: status,
            headers: [HTTPField("Content-Type", "application/json")] + headers)
        return .success(HTTPResponse(head: head, body: Array(text.utf8)))
    }
}
