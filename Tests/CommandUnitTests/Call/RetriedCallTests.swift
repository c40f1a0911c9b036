import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Calls that are tried again", .inProcess)
struct RetriedCallTests {
    private let quick = ["--retry-delay", "0.01"]

    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    @Test("a failure that may pass is tried again, and said once for each retry")
    func transient() throws {
        let responder = try Responder(.reset, .text("no", status: 503), .text("yes"))
        let result = try call(quick, responder).expect(status: 0).expect(output: "yes")
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.count == 2, "\(result)")
        #expect(lines.first?.hasSuffix("; trying again in 0.1 s (1 of 5)") == true, "\(result)")
        #expect(
            lines.last?.hasPrefix("oap: call: http://127.0.0.1:") == true
                && lines.last?.hasSuffix("/api/x answered 503; trying again in 0.1 s (2 of 5)") == true, "\(result)")
        #expect(responder.requests.count == 3)
    }

    @Test("the last failure is the result, and --retry says how many there may be")
    func exhausted() throws {
        let responder = try Responder { _ in .text("no", status: 503) }
        try call(quick + ["--retry", "2"], responder).expect(status: 6).expect(output: "")
        #expect(responder.requests.count == 3)
        try call(quick + ["--retry", "0"], responder).expect(status: 6)
        #expect(responder.requests.count == 4)
    }

    @Test("a POST is tried again with a key, the same at each attempt, or where the user says so")
    func post() throws {
        for options in [["--idempotency-key"], ["--idempotency-key=a b"], ["-H", "Idempotency-Key: k"]] {
            let responder = try Responder(.text("no", status: 500), .text("yes"))
            try call(quick + ["-d", "a=1"] + options, responder).expect(status: 0).expect(output: "yes")
            let keys = responder.requests.compactMap { $0.headers.first("Idempotency-Key") }
            #expect(keys.count == 2 && Set(keys).count == 1, "\(keys)")
            #expect(responder.requests.map(\.bodyText) == ["a=1", "a=1"])
            switch options[0] {
            case "--idempotency-key": #expect(keys[0].utf8.count == 24 && keys[0].hasPrefix("\""), "\(keys)")
            case "-H": #expect(keys[0] == "k")
            default: #expect(keys[0] == #""a b""#)
            }
        }
        let forced = try Responder(.text("no", status: 500), .text("yes"))
        try call(quick + ["-d", "a=1", "--retry-all-methods"], forced).expect(status: 0).expect(output: "yes")
        let plain = try Responder(.text("no", status: 500), .text("yes"))
        try call(quick + ["-d", "a=1"], plain).expect(status: 12)
        #expect(plain.requests.count == 1)
    }

    @Test("a POST that is not tried again is said to be none, with the options that change it")
    func unrepeated() throws {
        let hint = "oap sends a POST again only with --idempotency-key or --retry-all-methods"
        let busy = try Responder { _ in .text("no", status: 503, headers: ["Retry-After: 1"]) }
        let post = quick + ["-X", "POST", "--retry", "3"]
        try call(post, busy).expect(status: 12)
            .expect(errorLine: "oap: hint: the server asks to wait 1 second; \(hint)")
        #expect(busy.requests.count == 1)
        let limited = try Responder { _ in .text("no", status: 429) }
        try call(post, limited).expect(status: 6).expect(errorLine: "oap: hint: \(hint)")
        let broken = try Responder { _ in .reset }
        try call(post, broken).expect(status: 12).expect(
            errorLine:
                "oap: hint: the server may have carried out the request; check that before you repeat it; \(hint)")
        for (options, status) in [(["--retry-all-methods"], 12), (["--idempotency-key"], 6)] {
            let result = try call(quick + ["-X", "POST", "--retry", "1"] + options, busy).expect(status: status)
            result.expect(errorLine: "oap: hint: the server asks to wait 1 second")
        }
        let wrong = try Responder { _ in .text("no", status: 400) }
        #expect(!(try call(post, wrong).expect(status: 7)).errorText.contains("--idempotency-key"))
    }

    @Test("a POST that would not be tried again with any method is not told of the options for that")
    func hopeless() throws {
        let post = ["-X", "POST"]
        for status in [501, 505] {
            let responder = try Responder { _ in .text("no", status: status) }
            #expect(!(try call(post, responder).expect(status: 12)).errorText.contains("--idempotency-key"))
        }
        let busy = try Responder { _ in .text("no", status: 503, headers: ["Retry-After: 9"]) }
        let broken = try Responder { _ in .reset }
        for (options, responder) in [
            (["--retry", "0"], busy), (["--retry-max-time", "8"], busy), (["--retry", "0"], broken),
        ] {
            let result = try call(post + options, responder).expect(status: 12)
            #expect(result.errorText.contains("hint: the server "), "\(result)")
            #expect(!result.errorText.contains("--idempotency-key"), "\(result)")
        }
    }

    @Test("a failure of the server that does not pass is said not to be tried again", arguments: [501, 505, 511])
    func lasting(status: Int) throws {
        let responder = try Responder { _ in .text("no", status: status) }
        let hint = "oap does not send a request again after a status of \(status)"
        try call(["--retry", "3"], responder).expect(status: 6).expect(errorLine: "oap: hint: \(hint)")
        #expect(responder.requests.count == 1)
        #expect(!(try call(["--retry", "0"], responder).expect(status: 6)).errorText.contains(hint))
    }

    @Test(
        "each other failure of a server is tried again, and its exit status says so too",
        arguments: [408, 429, 500, 502, 503, 504, 507, 509, 520, 522, 530, 599])
    func passing(status: Int) throws {
        let responder = try Responder { _ in .text("no", status: status) }
        try call(["--retry", "2", "--retry-delay", "0"], responder).expect(status: 6)
        #expect(responder.requests.count == 3)
    }

    @Test("a longer wait than all attempts may take ends the call at once, with the time")
    func tooLong() throws {
        let responder = try Responder { _ in .text("", status: 429, headers: ["Retry-After: 301"]) }
        try call([], responder).expect(status: 6).expect(errorLine: "oap: hint: the server asks to wait 301 seconds")
        let limit = ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(Int(Date().timeIntervalSince1970) + 3600)"]
        let limited = try Responder { _ in .text("quota", status: 403, headers: limit) }
        let result = try call([], limited).expect(status: 6)
        #expect(result.errorText.contains("oap: hint: the server asks to wait 3"), "\(result)")
        #expect(responder.requests.count == 1 && limited.requests.count == 1)
    }

    @Test("a 403 that is no rate limit is delivered whole, whatever its size and where it goes")
    func inspected() throws {
        for body in ["no", String(repeating: "x", count: 3 << 20)] {
            let responder = try Responder { _ in .text(body, status: 403) }
            try call(["--error-body", "stdout"], responder).expect(status: 7).expect(output: body)
            let included = try call(["-i"], responder).expect(status: 7)
            #expect(included.text.hasPrefix("HTTP/1.1 403 ") && included.text.hasSuffix("\r\n\r\n" + body))
            #expect(responder.requests.count == 2)
        }
        let json = try Responder { _ in .json(#"{"a":"b"}"#, status: 403) }
        try call(["--error-body", "stdout", "-rq", ".a"], json).expect(status: 7).expect(output: "b\n")
        try call([], json).expect(status: 7).expect(output: "")
    }

    @Test("a secondary rate limit of GitHub is waited for, and is exit 6 where it may not be")
    func secondary() throws {
        let body = #"{"message":"You have exceeded a secondary rate limit. Please wait."}"#
        let responder = try Responder(.json(body, status: 403), .text("yes"))
        let result = try call(quick, responder).expect(status: 0).expect(output: "yes")
        #expect(result.errorText.contains("answered 403, a rate limit; trying again in 0.1 s (1 of 5)"), "\(result)")
        let short = try Responder { _ in .json(body, status: 403) }
        try call(["--retry-max-time", "59"], short).expect(status: 6)
        #expect(short.requests.count == 1)
    }
}
