import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Early refresh")
struct RefreshDecisionTests {
    @Test(
        "R-08, R-10 refresh_decision: a token is renewed early, or not, as the case says",
        arguments: try VectorGroup("refresh_decision").cases(elsewhere: [
            "RefreshDecisionTests": ["excessive", "excessive-window-over"]
        ]))
    func vectors(vector: VectorCase) throws {
        let expiresAt = vector["expires_at"]?.integer
        let lifetime = vector["issued"]?.integer.flatMap { issued in expiresAt.map { $0 - issued } }
        let now = try #require(vector["now"]?.integer)
        // Without a refresh token that is due, the command asks for a new login.
        let expected = vector["outcome"]?.string == "reauth_required" || vector["refresh"] == .bool(true)
        #expect((vector["outcome"] ?? vector["refresh"]) != nil)
        let minimum = vector["min_ttl"]?.integer
        #expect(RefreshDecision(expiresAt: expiresAt, lifetime: lifetime).isDue(now: now, minimum: minimum) == expected)
        var members = JSONObject()
        members["expires_at"] = vector["expires_at"]
        members["expires_in"] = lifetime.map { .integer($0) }
        #expect(try RefreshDecision(of: Document(members)).isDue(now: now, minimum: minimum) == expected)
    }

    @Test(
        "R-09 refresh_decision: one process tries five renewals of a token in 30 seconds, and then waits",
        arguments: try VectorGroup("refresh_decision").cases(only: ["excessive", "excessive-window-over"]))
    func window(vector: VectorCase) throws {
        var window = RenewalWindow()
        for time in try #require(vector["refreshes_at"]?.array) { window.note(at: try #require(time.integer)) }
        let now = try #require(vector["now"]?.integer)
        #expect((window.wait(at: now) == 0) == (vector["outcome"]?.string != "excessive_refresh"))
        #expect(RenewalWindow().wait(at: now) == 0)
    }

    @Test("R-09 the sixth renewal may come when the first of the last five is more than 30 seconds ago")
    func edgeOfWindow() {
        var window = RenewalWindow()
        for time in 0..<5 { window.note(at: time) }
        #expect([4, 29, 30, 31, 32].map { window.wait(at: $0) } == [27, 2, 1, 0, 0])
    }

    @Test("R-08 without a lifetime a minute has to be left, whatever is asked for else")
    func unknownLifetime() {
        let decision = RefreshDecision(expiresAt: 1000, lifetime: nil)
        #expect(!decision.isDue(now: 939))
        #expect(decision.isDue(now: 940))
        #expect(!decision.isDue(now: 999, minimum: 0))
        #expect(decision.isDue(now: 1000, minimum: 0))
        #expect(!RefreshDecision(expiresAt: nil, lifetime: 60).isDue(now: 1_000_000, minimum: 3600))
    }

    @Test("R-10 a clock may stand a little before the time of issue")
    func clock() {
        let decision = RefreshDecision(expiresAt: 8600, lifetime: 3600)
        #expect(!decision.isDue(now: 4700))
        #expect(decision.isDue(now: 4699))
    }

    @Test("times that are no numbers are the document's fault", arguments: ["expires_at", "expires_in"])
    func noNumbers(name: String) throws {
        for value in [JSON.string("soon"), .number("1e400"), .bool(true)] {
            let error = #expect(throws: OAuthError.self) { try RefreshDecision(of: Document([name: value])) }
            #expect(error?.member == name)
        }
        _ = try RefreshDecision(of: Document([name: .null]))
        _ = try RefreshDecision(of: Document([name: .string("5")]))
    }
}
