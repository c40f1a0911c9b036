import TestSupport
import Testing
import Wire

@testable import OAuth

@Suite("Polling for a device's token")
struct DevicePollingTests {
    @Test(
        "DV-01 to DV-10 device_poll: the waits and the outcome of polling are those of the case",
        arguments: try VectorGroup("device_poll").cases(elsewhere: ["BoundGrantTests": ["dpop-nonce-in-poll"]]))
    func vectors(vector: VectorCase) throws {
        let authorization = try #require(vector["authz"]?.object)
        var answer = authorization
        if vector["responses"] != nil {
            answer = ["device_code": .string("d"), "user_code": .string("u")]
            answer["verification_uri"] = .string("https://as.example/device")
            for member in authorization.members { answer[member.name] = member.value }
        }
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let read = {
            try DeviceAuthorizationResponse(EndpointResponse(head: head, body: JSON.object(answer).bytes))
        }
        guard vector["responses"] != nil || vector["expect_member"] != nil else {
            vector.expectFailure(of: read)
            return
        }
        let device = try read()
        vector.expectWarnings(device.warnings)
        let flow = device.flow(of: [:], start: 0)
        for member in vector["expect_member"]?.object?.members ?? [] { #expect(flow[member.name] == member.value) }
        guard let responses = vector["responses"]?.array else { return }
        var scenario = try Scenario(flow)
        switch try scenario.run(responses) {
        case nil: #expect(vector["outcome"]?.string == "ok")
        case let error?:
            #expect(vector["outcome"]?.string == "error")
            vector.expectFailure { throw error }
        }
        #expect(scenario.waits == vector["waits"]?.array?.map(\.integer))
        #expect(scenario.polls == responses.count, "every answer of the case is asked for")
    }

    /// A device, a clock that goes on while it waits and not otherwise, and a server that has its answers ready.
    private struct Scenario {
        var polling: DevicePolling
        var now = 0
        var waits: [Int?] = []
        var polls = 0

        init(_ flow: JSONObject) throws { polling = try DevicePolling(of: Document(flow), now: 0) }

        /// Polls until a token or an error comes; past the last answer there is only waiting.
        mutating func run(_ responses: [JSON]) throws -> OAuthError? {
            do {
                for response in responses + [.null] {
                    let wait = try polling.wait(now: now)
                    waits.append(wait)
                    now += wait
                    try polling.checkEnd(now: now)
                    polls += 1
                    if response.string == "timeout" {
                        polling.loseAnswer(wasSent: true)
                    } else if let error = try refusal(response) {
                        try polling.goOn(after: error, now: now)
                    } else {
                        return nil
                    }
                }
                Issue.record("the case has too few answers")
                return nil
            } catch let error as OAuthError {
                return error
            }
        }

        private func refusal(_ response: JSON) throws -> OAuthError? {
            let members = response.object ?? [:]
            var headers = [HTTPField("Content-Type", "application/json")]
            if let seconds = members["retry_after"]?.string { headers.append(HTTPField("Retry-After", seconds)) }
            let body: JSON
            switch response {
            case .string("ok"): body = .object(["access_token": .string("a"), "token_type": .string("Bearer")])
            case .string(let code): body = .object(["error": .string(code)])
            default: body = members["error"] == nil ? members["body"] ?? .object([:]) : response
            }
            let status = members["status"]?.integer ?? (response.string == "ok" ? 200 : 400)
            let answer = EndpointResponse(head: HTTPResponseHead(status: status, headers: headers), body: body.bytes)
            do {
                _ = try TokenResponse(answer, expecting: .init(grant: .deviceCode, scope: Scope([])))
                return nil
            } catch {
                return error
            }
        }
    }

    private func polling(_ interval: JSON? = .integer(5), expiresAt: Int = 1000, now: Int = 0) throws -> DevicePolling {
        try DevicePolling(of: Document(["interval": interval, "expires_at": .integer(expiresAt)].compacted), now: now)
    }

    private func oauth(_ code: String, status: Int = 400, _ change: (inout OAuthError) -> Void = { _ in }) -> OAuthError
    {
        var error = OAuthError(.oauth, "no", status: status)
        error.code = code
        change(&error)
        return error
    }

    private func http(_ status: Int, retryAfter: Int? = nil) -> OAuthError {
        var error = OAuthError(.httpStatus, "no", status: status)
        error.retryAfter = retryAfter
        return error
    }

    @Test(
        "DV-03 the interval is a whole number of seconds, rounded up and at least one; what is none is 5",
        arguments: [
            ("0", 1, false), ("0.2", 1, false), ("1", 1, false), ("2.5", 3, false), ("\"7\"", 7, false),
            ("\"2.5\"", 3, false), ("null", 5, false), ("-1", 5, true), ("-0.5", 1, false), ("\"\"", 5, true),
            ("\"soon\"", 5, true), ("true", 5, true), ("[]", 5, true), ("1e400", 5, true),
            ("1e10", 2_147_483_647, false),
        ])
    func interval(text: String, seconds: Int, isOdd: Bool) throws {
        let polling = try polling(JSON(parsing: text))
        #expect(polling.interval == seconds)
        #expect(polling.warnings == (isOdd ? [.intervalInvalid] : []))
    }

    @Test("DV-04 slow_down lengthens every later wait, by five seconds or to what the server says if that is more")
    func slowDown() throws {
        var polling = try polling(.integer(1))
        try polling.goOn(after: oauth("slow_down"), now: 1)
        #expect(try polling.wait(now: 1) == 6)
        try polling.goOn(after: oauth("authorization_pending"), now: 7)
        #expect(try polling.wait(now: 7) == 6)
        try polling.goOn(after: oauth("slow_down") { $0.interval = 3 }, now: 13)
        #expect(try polling.wait(now: 13) == 11)
        try polling.goOn(after: oauth("slow_down") { $0.interval = 40 }, now: 24)
        #expect(polling.interval == 40)
        try polling.goOn(after: oauth("slow_down") { $0.interval = .max }, now: 64)
        #expect(throws: OAuthError.self) { try polling.wait(now: 64) }
    }

    @Test(
        "DV-08 a server that is overloaded is asked again when it says, and not sooner than at the interval",
        arguments: [(503, 60, 60), (503, 2, 5), (500, nil, 5), (429, 7, 7), (408, nil, 5), (599, nil, 5)])
    func overloaded(status: Int, retryAfter: Int?, wait: Int) throws {
        var polling = try polling()
        try polling.goOn(after: http(status, retryAfter: retryAfter), now: 5)
        #expect(try polling.wait(now: 5) == wait)
        try polling.goOn(after: oauth("authorization_pending"), now: 5 + wait)
        #expect(try polling.wait(now: 5 + wait) == 5, "Retry-After holds once")
    }

    @Test("DV-05 anything else that the server says ends it", arguments: [400, 401, 403, 404, 302])
    func refused(status: Int) throws {
        var polling = try polling()
        #expect(throws: http(status)) { try polling.goOn(after: http(status), now: 5) }
        for code in ["access_denied", "invalid_client", "invalid_grant", "unsupported_grant_type"] {
            let error = oauth(code, status: status)
            #expect(throws: error) { try polling.goOn(after: error, now: 5) }
        }
        let unreadable = OAuthError(.invalidResponse, "?")
        #expect(throws: unreadable) { try polling.goOn(after: unreadable, now: 5) }
    }

    @Test(
        "DV-08 a busy or broken server ends nothing, whatever its answer says",
        arguments: [
            (429, "too_many_requests"), (503, "temporarily_unavailable"), (500, "server_error"), (408, "timeout"),
            (502, "access_denied"), (500, "invalid_grant"), (503, "expired_token"), (599, "invalid_client"),
            (400, "temporarily_unavailable"), (400, "server_error"), (400, "TOO_MANY_REQUESTS"),
            (400, "rate_limit_exceeded"),
        ])
    func transient(status: Int, code: String) throws {
        var polling = try polling()
        try polling.goOn(after: oauth(code, status: status) { $0.retryAfter = 7 }, now: 5)
        #expect(try polling.wait(now: 5) == 7)
        #expect(polling.hasFailed)
        // What asks for another attempt has carried nothing out.
        #expect(polling.hasLostAnswer == (![400, 429].contains(status) && code != "temporarily_unavailable"))
        try polling.goOn(after: oauth("AUTHORIZATION_PENDING"), now: 12)
        #expect(try polling.wait(now: 12) == 5 && !polling.hasFailed)
    }

    @Test("DV-08 while the server stays busy or broken, the pauses double up to a minute, and are short again after it")
    func backOff() throws {
        var polling = try polling(.integer(5))
        var waits: [Int] = []
        for status in [503, 500, 429, 503, 599, 503] {
            try polling.goOn(after: http(status), now: 5)
            waits.append(try polling.wait(now: 5))
        }
        #expect(waits == [5, 10, 20, 40, 60, 60])
        try polling.goOn(after: oauth("slow_down"), now: 5)
        #expect(try polling.wait(now: 5) == 10)
        try polling.goOn(after: http(503, retryAfter: 90), now: 5)
        #expect(try polling.wait(now: 5) == 90)
        var slow = try self.polling(.integer(100))
        try slow.goOn(after: http(503), now: 5)
        #expect(try slow.wait(now: 5) == 100, "never sooner than at the interval")
    }

    @Test("DV-06 an answer that is lost doubles the interval for good, and never beyond all bounds")
    func lost() throws {
        var polling = try polling(.integer(3))
        polling.loseAnswer(wasSent: false)
        #expect(polling.interval == 6 && !polling.hasLostAnswer)
        try polling.goOn(after: oauth("slow_down"), now: 6)
        #expect(polling.interval == 11)
        for _ in 0..<100 { polling.loseAnswer(wasSent: true) }
        #expect(polling.interval == 2_147_483_647 && polling.hasLostAnswer)
    }

    @Test("DV-06 whether a token may have been lost is forgotten when the server says that there is none yet")
    func forgets() throws {
        var polling = try polling()
        for answer in ["authorization_pending", "slow_down"] {
            polling.loseAnswer(wasSent: true)
            polling.loseAnswer(wasSent: false)
            #expect(polling.hasLostAnswer)
            try polling.goOn(after: oauth(answer), now: 5)
            #expect(!polling.hasLostAnswer)
        }
        try polling.goOn(after: http(429), now: 5)
        #expect(!polling.hasLostAnswer, "nothing was carried out")
        try polling.goOn(after: http(502), now: 5)
        #expect(polling.hasLostAnswer, "what stands behind the gateway may have answered")
    }

    @Test("DV-07 no poll is made at the end of the code's life or after it")
    func end() throws {
        let polling = try polling(expiresAt: 100)
        #expect(try polling.wait(now: 94) == 5)
        for now in [95, 100, 101] {
            let error = #expect(throws: OAuthError.self) { try polling.wait(now: now) }
            #expect(error?.kind == .deviceExpired && error?.code == "expired_token")
        }
        try polling.checkEnd(now: 99)
        let slept = #expect(throws: OAuthError.self) { try polling.checkEnd(now: 100) }
        #expect(slept?.kind == .deviceExpired && slept?.code == "expired_token")
    }

    @Test("DV-05, DV-10 a code that is over is expired_token, whoever says it and however")
    func expired() throws {
        var polling = try polling(expiresAt: 100)
        for (code, now) in [("expired_token", 5), ("invalid_grant", 100)] {
            let error = #expect(throws: OAuthError.self) {
                try polling.goOn(after: oauth(code) { $0.codeDescription = "over" }, now: now)
            }
            #expect(error?.kind == .deviceExpired && error?.code == "expired_token")
            #expect(error?.codeDescription == "over" && error?.status == 400)
        }
        let early = #expect(throws: OAuthError.self) { try polling.goOn(after: oauth("invalid_grant"), now: 99) }
        #expect(early?.kind == .oauth)
    }

    @Test("DV-07 the end is expires_at, else expires_in from now, and must be known")
    func lifetime() throws {
        let relative = try DevicePolling(of: Document(["expires_in": .string("60")]), now: 1000)
        #expect(try relative.wait(now: 1054) == 5)
        #expect(throws: OAuthError.self) { try relative.wait(now: 1055) }
        let missing = #expect(throws: OAuthError.self) {
            try DevicePolling(of: Document(["expires_at": .null]), now: 0)
        }
        #expect(missing?.kind == .metadataMissing && missing?.member == "expires_at")
        let wrong = #expect(throws: OAuthError.self) {
            try DevicePolling(of: Document(["expires_at": .string("soon"), "expires_in": .integer(5)]), now: 0)
        }
        #expect(wrong?.kind == .usage && wrong?.member == "expires_at")
    }
}

extension [String: JSON?] {
    fileprivate var compacted: JSONObject { reduce(into: [:]) { $0[$1.key] = $1.value } }
}
