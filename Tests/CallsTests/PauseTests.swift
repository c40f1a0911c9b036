import System
import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("Pauses of several requests")
struct PauseTests {
    private func events(_ script: CallScript, _ paths: [String]) throws -> [String] {
        var script = script
        for path in paths {
            _ = script.group.add(APIRequest(HTTPRequest(method: "GET", url: "https://a.example\(path)")))
        }
        try script.run(inParallel: true)
        return script.events
    }

    @Test("each pause ends by itself: a request whose pause is shorter does not wait for a later one")
    func own() throws {
        let script = try CallScript(
            retries: RetryPolicy(), random: Given(pauses: [.max >> 3, .max]),
            ["/x": [.head(503), .head(200)], "/y": [.head(503), .head(200)]])
        let events = try events(script, ["/x", "/y"])
        #expect(events.suffix(4) == ["GET /x at-1", "finish 0 200", "GET /y at-1", "finish 1 200"])
    }

    @Test("what a server asks of all requests holds those to its origin back, and not one that has left it")
    func elsewhere() throws {
        let later = CallScript.Reply.head(429, [HTTPField("Retry-After", "60")])
        let script = try CallScript(
            retries: RetryPolicy(),
            [
                "/x": [.head(302, [HTTPField("Location", "https://a.example:444/y")])],
                ":444/y": [.head(503), .head(200)], "/z": [later, .head(200)],
                "/v": [.head(302, [HTTPField("Location", "/w")])], "/w": [.head(200)],
            ])
        let events = try events(script, ["/x", "/z", "/v"])
        #expect(
            events.suffix(6) == [
                "GET :444/y bare", "finish 0 200 withoutToken", "GET /z at-1", "GET /w at-1", "finish 1 200",
                "finish 2 200",
            ])
    }

    @Test("a pause is never shorter than it says, and one that the caller sets counts for every failure")
    func length() throws {
        var policy = RetryPolicy()
        policy.delay = 0.0001
        let now = MonotonicTime.now
        var (retries, budget) = (Retries(policy: policy, random: Longest()), RetryBudget())
        for isSecondary in [false, true] {
            let pause = retries.pause(&budget, wanted: nil, isSecondary: isSecondary, at: now)
            #expect(pause?.seconds == 0.0001)
            #expect(pause?.end == now + .milliseconds(1))
        }
        #expect(budget.count == 2)
    }
}
