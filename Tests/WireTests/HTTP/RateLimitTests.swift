import Testing
import Wire

@Suite("Rate limits")
struct RateLimitTests {
    @Test(
        "the wait after a response is that of its fields",
        arguments: [
            (429, ["Retry-After: 5"], 5), (200, ["Retry-After: 5"], 5), (429, [], nil),
            (429, ["Retry-After: soon"], nil),
            (429, ["Retry-After: soon", "X-RateLimit-Reset: 1000000030"], 30),
            (429, ["X-RateLimit-Reset: 1000000030"], 30), (429, ["X-RateLimit-Reset: 30"], 30),
            (429, ["X-Rate-Limit-Reset: 999999999"], 999_999_999), (429, ["X-RateLimit-Reset: 1000000000"], 0),
            (429, ["Date: Sun, 09 Sep 2001 01:46:50 GMT", "X-RateLimit-Reset: 1000000030"], 20),
            (429, ["Date: Sun, 09 Sep 2001 01:46:50 GMT", "X-RateLimit-Reset: 1000000000"], 0),
            (429, ["Date: Sun, 09 Sep 2001 01:46:50 GMT", "Retry-After: Sun, 09 Sep 2001 01:47:00 GMT"], 10),
            (429, ["Date: Mon, 01 Jan 1601 00:00:00 GMT", "X-RateLimit-Reset: 99999999999999999999"], .max),
            (403, ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1000000030"], 30),
            (403, ["X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 1000000030"], nil),
            (403, ["X-RateLimit-Reset: 1000000030"], nil), (500, ["X-RateLimit-Reset: 1000000030"], nil),
            (429, ["RateLimit-Remaining: 0", "RateLimit-Reset: 30"], 30),
            (403, [#"RateLimit: "default";r=0;t=30"#], 30), (403, [#"RateLimit: "default";r=1;t=30"#], nil),
            (429, [#"RateLimit: "day";r=9;t=30, "hour";r=0;t=7"#], 7),
            (429, ["RateLimit: limit=10, remaining=0, reset=4"], 4),
            (403, ["RateLimit: limit=10, remaining=0, reset=4"], 4), (429, ["RateLimit: ;;==,t=x"], nil),
            (429, ["X-RateLimit-Reset: 99999999999999999999"], .max - 1_000_000_000),
        ] as [(Int, [String], Int?)])
    func wait(status: Int, fields: [String], seconds: Int?) {
        let fields = fields.map { line in
            let mark = line.firstIndex(of: ":") ?? line.endIndex
            return HTTPField(String(line[..<mark]), String(line[mark...].dropFirst(2)))
        }
        #expect(RateLimit.wait(after: HTTPResponseHead(status: status, headers: fields), now: 1_000_000_000) == seconds)
    }
}
