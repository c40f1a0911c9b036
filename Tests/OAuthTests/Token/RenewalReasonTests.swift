import Testing
import Wire

@testable import OAuth

@Suite("Whether a kept token is renewed")
struct RenewalReasonTests {
    /// A token `a` that was issued for an hour at 0, with a refresh token.
    private let kept: JSONObject = [
        "access_token": .string("a"), "expires_at": .integer(3600), "expires_in": .integer(3600),
        "refresh_token": .string("r"),
    ]

    private func isDue(
        _ change: JSONObject = [:], minimum: Int? = nil, seen: String? = "a", at now: Int
    ) throws -> Bool {
        var kept = kept
        for member in change.members { kept[member.name] = member.value.isNull ? nil : member.value }
        return try RenewalReason.due(minimum: minimum, seen: seen).applies(to: kept, now: now)
    }

    @Test("a token is due when no more seconds are left than the minimum, by default 60")
    func minimum() throws {
        #expect(try !isDue(at: 3539))
        #expect(try isDue(at: 3540))
        #expect(try !isDue(minimum: 10, at: 3589))
        #expect(try isDue(minimum: 10, at: 3590))
    }

    @Test("a token that another process has stored meanwhile is used until it expires, whatever the minimum")
    func newer() throws {
        #expect(try !isDue(minimum: 7200, seen: "b", at: 3599))
        #expect(try isDue(minimum: 7200, seen: "b", at: 3600))
        #expect(try isDue(minimum: 7200, seen: nil, at: 1))
    }

    @Test("a token that nothing can renew is used to its last second")
    func unrenewable() throws {
        #expect(try !isDue(["refresh_token": .null], at: 3599))
        #expect(try isDue(["refresh_token": .null], at: 3600))
        // A refresh token whose end is known renews nothing after it.
        #expect(try !isDue(["refresh_token_expires_at": .integer(3000)], at: 3599))
    }

    @Test("a token that an API refused is due at once, and one without an end never")
    func refusedBefore() throws {
        #expect(try isDue(["refused_at": .integer(1)], at: 2))
        #expect(try !isDue(["expires_at": .null], at: 1_000_000))
    }

    @Test("a refusal concerns only the token that was refused")
    func refused() throws {
        #expect(try RenewalReason.refused("a").applies(to: kept, now: 1))
        #expect(try !RenewalReason.refused("b").applies(to: kept, now: 1))
        #expect(try RenewalReason.refused("b").applies(to: [:], now: 1))
        #expect(try RenewalReason.asked.applies(to: kept, now: 1))
    }

    @Test("times that are no whole numbers are an error")
    func badTime() {
        let error = #expect(throws: OAuthError.self) { try isDue(["expires_at": .string("soon")], at: 1) }
        #expect(error?.kind == .usage && error?.member == "expires_at")
    }
}
