import TestSupport
import Testing
import Wire

@testable import Calls

@Suite("Retries of call")
struct RetryTests {
    private func request(_ method: String = "GET", _ path: String = "/x", key: Bool = false) -> APIRequest {
        APIRequest(
            HTTPRequest(
                method: method, url: "https://a.example\(path)",
                headers: key ? [HTTPField("Idempotency-Key", "\"k\"")] : [], body: method == "GET" ? nil : [1]))
    }

    /// The events of a script, with the method as the only request where none is given.
    private func events(_ script: CallScript, _ requests: [APIRequest], inParallel: Bool = false) throws -> [String] {
        var script = script
        for request in requests { _ = script.group.add(request) }
        try script.run(inParallel: inParallel)
        return script.events
    }

    private func policy(
        limit: Int = 5, all: Bool = false, delay: Double? = nil, time: Double = 300
    ) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.limit = limit
        policy.repetition = all ? .always : .unsent
        policy.delay = delay
        policy.maximumTime = time
        return policy
    }

    private let broken = HTTPError.network(stage: .read, message: "gone", requestSent: true)
    private let refused = HTTPError.network(stage: .connect, message: "refused", requestSent: false)
    private let untrusted = HTTPError.certificate(
        .time, message: "certificate of host a.example is not trusted: expired")

    @Test(
        "CR-01 CR-02 a status is tried again or not as the case says", arguments: try VectorGroup("retry_matrix").cases)
    func matrix(row: VectorCase) throws {
        let status = try #require(row["status"]?.integer)
        let method = try #require(row["method"]?.string)
        let script = try CallScript(isRenewable: false, retries: policy(limit: 1), ["/x": [.head(status), .head(200)]])
        let events = try events(script, [request(method)])
        let isRetried = row["retry"] == .bool(true)
        #expect(events.contains("retry 1 of 1 in 0.5") == isRetried, "\(events)")
        #expect(events.last?.hasPrefix("finish 0 \(isRetried ? 200 : status)") == true, "\(events)")
        let forced = try CallScript(
            isRenewable: false, retries: policy(limit: 1, all: true), ["/x": [.head(status), .head(200)]])
        let isTransient = [408, 429, 500, 502, 503, 504].contains(status)
        #expect(try self.events(forced, [request(method)]).contains("retry 1 of 1 in 0.5") == isTransient)
    }

    @Test("CR-05 the longest pause before a retry is that of the case", arguments: try VectorGroup("backoff").cases)
    func backoff(row: VectorCase) throws {
        let count = try #require(row["retry_count"]?.integer)
        let limit = row["retry_limit"]?.integer ?? RetryPolicy().limit
        let replies = [CallScript.Reply](repeating: .head(503), count: limit + 1)
        let longest = try events(
            CallScript(retries: policy(limit: limit), random: Longest(), ["/x": replies]), [request()])
        let shortest = try events(
            CallScript(retries: policy(limit: limit), random: Shortest(), ["/x": replies]), [request()])
        let pauses = longest.filter { $0.hasPrefix("retry") }
        guard row["retries"] == .bool(true) else {
            #expect(pauses.count == limit && longest.last == "finish 0 503")
            return
        }
        let pause = try #require(row["max_delay"].flatMap { Double($0.text) })
        #expect(pauses.dropFirst(count).first == "retry \(count + 1) of \(limit) in \(pause)", "\(longest)")
        #expect(shortest.contains("retry \(count + 1) of \(limit) in 0.0"), "\(shortest)")
    }

    @Test("CR-03 a failure of the transport is tried again if it may pass, whatever the method if nothing was sent")
    func failures() throws {
        for (method, error, isRetried) in [
            ("GET", broken, true), ("GET", refused, true), ("POST", refused, true), ("POST", broken, false),
            ("GET", untrusted, false), ("GET", .malformedResponse("no HTTP"), false),
            ("GET", .tooLarge(limit: 1), false),
            ("GET", .proxy(status: 503, message: "busy"), true), ("GET", .proxy(status: 407, message: "who"), false),
        ] {
            let script = try CallScript(retries: policy(), ["/x": [.lost(error), .head(200)]])
            let events = try events(script, [request(method)])
            #expect(events.contains("retry 1 of 5 in 0.5") == isRetried, "\(method) \(error): \(events)")
            #expect((events.last == "finish 0 200") == isRetried, "\(events)")
        }
    }

    @Test("a request without a proof is not sent again for a kept connection that had ended: libcurl has done that")
    func stale() throws {
        let error = HTTPError.network(stage: .stale, message: "gone", requestSent: true)
        let script = try CallScript(["/x": [.lost(error)]])
        #expect(try events(script, [request()]) == ["GET /x at-1", "finish 0 lost, repeatable"])
    }

    @Test("CR-01 an idempotency key lets a POST be repeated, and a lost response leaves nothing open")
    func key() throws {
        let script = try CallScript(retries: policy(limit: 1), ["/x": [.lost(broken), .lost(broken)]])
        #expect(
            try events(script, [request("POST", key: true)]) == [
                "POST /x at-1 content", "retry 1 of 1 in 0.5", "POST /x at-1 content", "finish 0 lost, repeatable",
            ])
    }

    @Test("a POST that was lost once stays open, though a later attempt is not even sent")
    func open() throws {
        let script = try CallScript(retries: policy(limit: 1, all: true), ["/x": [.lost(broken), .lost(refused)]])
        #expect(try events(script, [request("POST")]).last == "finish 0 lost")
        let unsent = try CallScript(retries: policy(limit: 1), ["/x": [.lost(refused), .lost(refused)]])
        #expect(try events(unsent, [request("POST")]).last == "finish 0 lost, repeatable")
    }

    @Test("a retry after a redirect repeats the hop that failed, never the POST before it")
    func resumesAtTheHop() throws {
        let script = try CallScript(
            retries: policy(), ["/x": [.head(303, [HTTPField("Location", "/y")])], "/y": [.head(503), .head(200)]])
        #expect(
            try events(script, [request("POST")]) == [
                "POST /x at-1 content", "GET /y at-1", "retry 1 of 5 in 0.5", "GET /y at-1", "finish 0 200",
            ])
    }

    @Test("CR-04 the pause is as long as the server asks, and longer only where the growing pause is")
    func asked() throws {
        func first(_ fields: [HTTPField], _ policy: RetryPolicy? = nil, status: Int = 429) throws -> String {
            let script = try CallScript(
                isRenewable: false, retries: policy ?? self.policy(), random: Shortest(),
                ["/x": [.head(status, fields), .head(200)]])
            return try events(script, [request()])[1]
        }
        #expect(try first([HTTPField("Retry-After", "7")]) == "retry 1 of 5 in 7.0")
        #expect(try first([HTTPField("Retry-After", "7")], policy(delay: 9)) == "retry 1 of 5 in 9.0")
        #expect(try first([HTTPField("Retry-After", "7")], policy(delay: 1)) == "retry 1 of 5 in 7.0")
        #expect(try first([HTTPField("Retry-After", "-7")]) == "retry 1 of 5 in 0.0")
        // One of the fields of the script's clock, 2023-11-14.
        #expect(try first([HTTPField("Retry-After", "Tue, 14 Nov 2023 22:13:40 GMT")]) == "retry 1 of 5 in 20.0")
        #expect(try first([HTTPField("Retry-After", "300")]) == "retry 1 of 5 in 300.0")
        for value in ["301", "31536000", "99999999999999999999"] {
            #expect(try first([HTTPField("Retry-After", value)]) == "finish 0 429", "\(value)")
        }
        #expect(
            try first([HTTPField("Retry-After", "31536000")], policy(time: .infinity)) == "retry 1 of 5 in 31536000.0")
        #expect(try first([HTTPField("Retry-After", "99999999999")], policy(time: .infinity)) == "finish 0 429")
        #expect(try first([HTTPField("Retry-After", "3")], status: 503) == "retry 1 of 5 in 3.0")
        #expect(try first([HTTPField("Retry-After", "3")], status: 403) == "retry 1 of 5 in 3.0")
        let used = [HTTPField("X-RateLimit-Remaining", "0"), HTTPField("X-RateLimit-Reset", "1700000030")]
        #expect(try first(used, status: 403) == "retry 1 of 5 in 30.0")
        #expect(try first(Array(used.dropFirst()), status: 403) == "finish 0 403")
    }

    @Test("all attempts together take no longer than they may")
    func maximumTime() throws {
        let script = try CallScript(retries: policy(time: 2), ["/x": [.head(503), .head(503), .head(503)]])
        #expect(
            try events(script, [request()]) == [
                "GET /x at-1", "retry 1 of 5 in 0.5", "GET /x at-1", "retry 2 of 5 in 1.0", "GET /x at-1",
                "finish 0 503",
            ])
    }

    @Test("a secondary limit without a field is waited for a minute, then twice as long; another 403 is the answer")
    func secondaryLimit() throws {
        let text = #"{"message":"You have exceeded a secondary rate limit."}"#
        let script = try CallScript(
            isRenewable: false, retries: policy(),
            ["/x": [.head(403, [], text), .head(429, [], text), .head(403, [], "no")]])
        var run = script
        _ = run.group.add(request())
        try run.run()
        #expect(
            run.events == [
                "GET /x at-1", "retry 1 of 5 in 60.0", "GET /x at-1", "retry 2 of 5 in 120.0", "GET /x at-1",
                "finish 0 403",
            ])
        #expect(run.dispositions == [.inspect, .inspect, .inspect])
        let last = try CallScript(retries: .none, ["/x": [.head(403, [], text)]])
        #expect(try events(last, [request()]) == ["GET /x at-1", "finish 0 403 rateLimited"])
    }

    @Test("a wait that the server asks for holds every request of the group back")
    func groupPause() throws {
        let script = try CallScript(
            retries: policy(), ["/x": [.head(429, [HTTPField("Retry-After", "5")]), .head(200)], "/y": [.head(200)]])
        #expect(
            try events(script, [request(), request("GET", "/y")]) == [
                "GET /x at-1", "retry 1 of 5 in 5.0", "GET /x at-1", "finish 0 200", "GET /y at-1", "finish 1 200",
            ])
    }

    @Test("of two waits that the server asks for at once the longer one holds the requests back")
    func longerPause() throws {
        let later = { (seconds: Int) in CallScript.Reply.head(429, [HTTPField("Retry-After", "\(seconds)")]) }
        let script = try CallScript(retries: policy(), ["/x": [later(5), .head(200)], "/y": [later(2), .head(200)]])
        #expect(
            try events(script, [request(), request("GET", "/y")], inParallel: true) == [
                "GET /x at-1", "GET /y at-1", "retry 1 of 5 in 5.0", "retry 1 of 5 in 2.0", "GET /x at-1",
                "GET /y at-1", "finish 0 200", "finish 1 200",
            ])
    }

    @Test("a secondary limit, of which the server gives no time, holds every request of the group back")
    func groupPauseOfSecondaryLimit() throws {
        let limit = CallScript.Reply.head(403, [], "You have exceeded a secondary rate limit.")
        let script = try CallScript(retries: policy(), ["/x": [limit, .head(200)], "/y": [.head(200)]])
        #expect(
            try events(script, [request(), request("GET", "/y")]) == [
                "GET /x at-1", "retry 1 of 5 in 60.0", "GET /x at-1", "finish 0 200", "GET /y at-1", "finish 1 200",
            ])
    }

    @Test("a secondary limit is found in the first four kilobytes of the content")
    func placeOfLimit() {
        let text = Array("SECONDARY rate limit".utf8)
        for (offset, isFound) in [(0, true), (600, true), (4096 - text.count, true), (4097 - text.count, false)] {
            let content = [UInt8](repeating: 0x20, count: offset) + text
            #expect(RetryPolicy.isSecondaryLimit(content) == isFound, "\(offset)")
        }
    }

    @Test("CR-07 the content of a retried response is dropped, and a response that has begun is final")
    func begun() throws {
        var script = try CallScript(retries: policy(), ["/x": [.cut(503), .cut(200)]])
        _ = script.group.add(request())
        try script.run()
        #expect(script.events.last == "finish 0 lost, repeatable")
        #expect(script.dispositions == [.discard, .deliver])
        // Whether it is a limit would stand in its content.
        let inspected = try CallScript(retries: policy(), ["/x": [.cut(429)]])
        #expect(try events(inspected, [self.request()]) == ["GET /x at-1", "finish 0 lost, repeatable"])
    }

    @Test("a response that breaks off is requested again if fields ask for its rest, in a new time of all attempts")
    func rest() throws {
        var attempts = 0
        let message = HTTPRequest(method: "GET", url: "https://a.example/x")
        let request = APIRequest(
            message,
            fields: {
                attempts += 1
                return [HTTPField("Range", "bytes=\(attempts)-")]
            })
        let script = try CallScript(
            retries: policy(limit: 2, delay: 9, time: 10), ["/x": [.cut(200), .cut(206), .cut(206)]])
        #expect(
            try events(script, [request]) == [
                "GET /x at-1", "retry 1 of 2 in 9.0", "GET /x at-1", "retry 2 of 2 in 9.0", "GET /x at-1",
                "finish 0 lost, repeatable",
            ])
        #expect(attempts == 3)
    }

    @Test("content that cannot be sent again is not sent again")
    func content() throws {
        let script = try CallScript(retries: policy(), ["/x": [.head(503)]])
        let put = APIRequest(
            HTTPRequest(method: "PUT", url: "https://a.example/x"), upload: KeptContent(isReplayable: false))
        #expect(try events(script, [put]) == ["PUT /x at-1 content", "finish 0 503"])
    }

    @Test("CR-06 a token whose time ends during a pause is renewed before the next attempt")
    func expired() throws {
        var script = try CallScript(
            tokens: ["at-2"], retries: policy(), ["/x": [.head(503), .head(200)]])
        _ = script.group.add(request())
        script.expiresAfterPause = true
        try script.run()
        #expect(
            script.events == [
                "GET /x at-1", "retry 1 of 5 in 0.5", "renew due", "GET /x at-2", "finish 0 200",
            ])
    }
}
