import System
import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("The call machine")
struct CallGroupTests {
    private let refused: CallScript.Reply = .head(
        401, [HTTPField("WWW-Authenticate", #"Bearer error="invalid_token""#)])

    private func get(_ path: String = "/x") -> APIRequest {
        APIRequest(HTTPRequest(method: "GET", url: "https://a.example\(path)"))
    }

    private func post(upload: KeptContent? = nil) -> APIRequest {
        APIRequest(
            HTTPRequest(method: "POST", url: "https://a.example/x", body: upload == nil ? [1] : nil), upload: upload)
    }

    private func redirect(_ status: Int, _ location: String) -> CallScript.Reply {
        .head(status, [HTTPField("Location", location)])
    }

    /// The events of a script with these requests.
    private func events(
        _ script: CallScript, of requests: [APIRequest], inParallel: Bool = false
    ) throws -> [String] {
        var script = script
        for request in requests { _ = script.group.add(request) }
        try script.run(inParallel: inParallel)
        return script.events
    }

    @Test("one request is sent with the token, and its response is the answer")
    func plain() throws {
        #expect(
            try events(CallScript(["/x": [.head(200)]]), of: [get()]) == ["GET /x at-1", "finish 0 200"])
    }

    @Test("a refused request is sent again with the new token, and with its content")
    func renewal() throws {
        let script = try CallScript(tokens: ["at-2"], ["/x": [refused, .head(200)]])
        #expect(
            try events(script, of: [post()]) == [
                "POST /x at-1 content", "renew refused at-1", "POST /x at-2 content", "finish 0 200",
            ])
    }

    @Test("a renewal after a redirect sends the refused request again, never the POST before the redirect")
    func resumesAtTheHop() throws {
        let script = try CallScript(
            tokens: ["at-2"], ["/x": [redirect(303, "/y")], "/y": [refused, .head(200)]])
        #expect(
            try events(script, of: [post()]) == [
                "POST /x at-1 content", "GET /y at-1", "renew refused at-1", "GET /y at-2", "finish 0 200",
            ])
    }

    @Test("a second refusal of the same request is the answer")
    func refusedTwice() throws {
        let script = try CallScript(tokens: ["at-2"], ["/x": [refused, refused]])
        #expect(
            try events(script, of: [get()]) == [
                "GET /x at-1", "renew refused at-1", "GET /x at-2", "finish 0 401 refusedAgain",
            ])
    }

    @Test("a token that is due is renewed before anything is sent, and once more where the API refuses the new one")
    func dueAndRefused() throws {
        let script = try CallScript(token: nil, tokens: ["at-2", "at-3"], ["/x": [refused, .head(200)]])
        #expect(
            try events(script, of: [get()]) == [
                "renew due", "GET /x at-2", "renew refused at-2", "GET /x at-3", "finish 0 200",
            ])
    }

    @Test("a renewal that fails leaves the refusal as the reason, and nothing is sent after it")
    func failedRenewal() throws {
        let refusal = try CallScript(tokens: [nil], ["/x": [refused], "/y": []])
        #expect(
            try events(refusal, of: [get()]) == ["GET /x at-1", "renew refused at-1", "finish 0 not renewed 401"])
        let due = try CallScript(token: nil, tokens: [nil], [:])
        #expect(
            try events(due, of: [get("/x"), get("/y")]) == [
                "renew due", "finish 0 not renewed", "finish 1 not renewed",
            ])
    }

    @Test("a 401 is the answer where nothing renews, where it names another reason, and where another origin sends it")
    func otherRefusals() throws {
        #expect(
            try events(CallScript(isRenewable: false, ["/x": [refused]]), of: [get()]) == [
                "GET /x at-1", "finish 0 401",
            ])
        let scope = CallScript.Reply.head(401, [HTTPField("WWW-Authenticate", #"Bearer error="insufficient_scope""#)])
        #expect(try events(CallScript(["/x": [scope]]), of: [get()]) == ["GET /x at-1", "finish 0 401"])
        let elsewhere = try CallScript(
            ["/x": [redirect(302, "https://a.example:444/y")], ":444/y": [refused]])
        #expect(try events(elsewhere, of: [get()]) == ["GET /x at-1", "GET :444/y bare", "finish 0 401 withoutToken"])
    }

    @Test("content that cannot be sent again makes the refusal the answer, and says why")
    func unreplayable() throws {
        let script = try CallScript(["/x": [refused]])
        #expect(
            try events(script, of: [post(upload: KeptContent(isReplayable: false))]) == [
                "POST /x at-1 content", "finish 0 401 contentNotReplayable",
            ])
    }

    @Test("a refusal that comes while the token is being renewed waits for the new one, or fails with the renewal")
    func refusedDuringRenewal() throws {
        for isRenewed in [true, false] { try refuseDuringRenewal(isRenewed: isRenewed) }
    }

    private func refuseDuringRenewal(isRenewed: Bool) throws {
        func token(_ text: String) throws -> AccessToken { try AccessToken(text, of: Document([:])) }
        var group = CallGroup(
            token: try token("at-1"), isRenewable: true, redirects: .any, retries: .none)
        let challenge = [HTTPField("WWW-Authenticate", #"Bearer error="invalid_token""#)]
        let now = Moment.now
        for path in ["/x", "/y"] {
            let id = group.add(get(path))
            guard case .send(id, _) = group.next(at: now) else { throw CancellationError() }
        }
        for id in 0...1 {
            #expect(group.receive(HTTPResponseHead(status: 401, headers: challenge), for: id, at: now) == .hold)
            if id == 1, !isRenewed { group.renewed(nil) }
            group.ended(id, at: now)
            if id == 0, case .renew = group.next(at: now) { continue }
            guard id == 1 else { throw CancellationError() }
        }
        guard isRenewed else {
            for id in 0...1 {
                guard case .finish(id, .notRenewed(_?)) = group.next(at: now) else { throw CancellationError() }
            }
            return
        }
        guard case .wait(nil) = group.next(at: now) else { throw CancellationError() }
        group.renewed(try token("at-2"))
        for id in 0...1 {
            guard case .send(id, let attempt) = group.next(at: now) else { throw CancellationError() }
            #expect(attempt.message.headers.first("Authorization") == "Bearer at-2")
        }
    }

    @Test("nothing is kept of requests that are done, and the numbers of the others stay")
    func finishedRequests() throws {
        var script = try CallScript(["/x": Array(repeating: .head(200), count: 1000)])
        for number in 0..<500 {
            #expect(script.group.add(get()) == 2 * number)
            #expect(script.group.add(get()) == 2 * number + 1)
            try script.run(inParallel: true)
            #expect(script.group.size == 0)
        }
        #expect(script.events.suffix(2) == ["finish 998 200", "finish 999 200"])
    }

    @Test("requests that are refused together share one renewal")
    func sharedRenewal() throws {
        let script = try CallScript(
            tokens: ["at-2"], ["/x": [refused, .head(200)], "/y": [refused, .head(200)]])
        #expect(
            try events(script, of: [get("/x"), get("/y")], inParallel: true) == [
                "GET /x at-1", "GET /y at-1", "renew refused at-1", "GET /x at-2", "GET /y at-2", "finish 0 200",
                "finish 1 200",
            ])
    }

    @Test("an API that refuses every token costs one renewal, not one for each request")
    func hopelessTokens() throws {
        let script = try CallScript(tokens: ["at-2"], ["/x": [refused, refused], "/y": [refused]])
        #expect(
            try events(script, of: [get("/x"), get("/y")]) == [
                "GET /x at-1", "renew refused at-1", "GET /x at-2", "finish 0 401 refusedAgain", "GET /y at-2",
                "finish 1 401",
            ])
    }

    @Test("a request that was refused with the new token is sent no third time, though the token has served another")
    func refusedAgainBesideSuccess() throws {
        let script = try CallScript(
            tokens: ["at-2", "at-3"], ["/x": [refused, .head(200)], "/y": [refused, refused, .head(200)]])
        #expect(
            try events(script, of: [get("/x"), get("/y")], inParallel: true) == [
                "GET /x at-1", "GET /y at-1", "renew refused at-1", "GET /x at-2", "GET /y at-2", "finish 0 200",
                "finish 1 401 refusedAgain",
            ])
    }

    @Test("neither another origin nor a late answer to the old token shows that the new token is good")
    func unproven() throws {
        let elsewhere = try CallScript(
            tokens: ["at-2", "at-3"],
            [
                "/x": [refused, redirect(302, "https://a.example:444/")], ":444/": [.head(200)],
                "/y": [refused, .head(200)],
            ])
        #expect(
            try events(elsewhere, of: [get("/x"), get("/y")]).suffix(3) == [
                "finish 0 200 withoutToken", "GET /y at-2", "finish 1 401",
            ])
        var late = try CallScript(
            tokens: ["at-2", "at-3"], ["/x": [refused, refused], "/y": [.head(200)], "/z": [refused, .head(200)]])
        for path in ["/x", "/y"] { _ = late.group.add(get(path)) }
        try late.run(inParallel: true)
        _ = late.group.add(get("/z"))
        try late.run()
        #expect(
            late.events.suffix(4) == ["finish 1 200", "finish 0 401 refusedAgain", "GET /z at-2", "finish 2 401"])
    }

    @Test("nothing is sent with the refused token while it is being renewed, and nothing is renewed after a failure")
    func duringRenewal() throws {
        func token(_ text: String) throws -> AccessToken { try AccessToken(text, of: Document([:])) }
        for isRenewed in [true, false] {
            var group = CallGroup(
                token: try token("at-1"), isRenewable: true, redirects: .any, retries: .none)
            let head = HTTPResponseHead(
                status: 401, headers: [HTTPField("WWW-Authenticate", #"Bearer error="invalid_token""#)])
            let now = Moment.now
            for path in ["/x", "/y"] {
                let id = group.add(get(path))
                guard case .send(id, _) = group.next(at: now) else { throw CancellationError() }
            }
            #expect(group.receive(head, for: 0, at: now) == .hold)
            group.ended(0, at: now)
            guard case .renew = group.next(at: now) else { throw CancellationError() }
            let id = group.add(get("/z"))
            guard case .wait(nil) = group.next(at: now) else {
                Issue.record("sent during the renewal")
                return
            }
            group.renewed(isRenewed ? try token("at-2") : nil)
            guard isRenewed else {
                // It was sent before the failure, and its refusal is an answer like any other.
                #expect(group.receive(head, for: 1, at: now) == .deliver)
                continue
            }
            for expected in [0, id] {
                guard case .send(expected, let attempt) = group.next(at: now) else { throw CancellationError() }
                #expect(attempt.message.headers.first("Authorization") == "Bearer at-2")
            }
        }
    }

    @Test("a lost answer is repeatable only where every request that was sent may be repeated")
    func lost() throws {
        let error = HTTPError.network(stage: .read, message: "gone", requestSent: true)
        #expect(
            try events(CallScript(["/x": [.lost(error)]]), of: [get()]) == ["GET /x at-1", "finish 0 lost, repeatable"])
        let hop = try CallScript(["/x": [redirect(303, "/y")], "/y": [.lost(error)]])
        #expect(
            try events(hop, of: [post()]) == ["POST /x at-1 content", "GET /y at-1", "finish 0 lost"])
    }

    @Test("a redirect or a refusal whose content is cut off is still one; an answer that is cut off is lost")
    func cutOff() throws {
        let fields = [HTTPField("Location", "/y")]
        let script = try CallScript(["/x": [.cut(302, fields)], "/y": [.cut(200)]])
        #expect(
            try events(script, of: [get()]) == ["GET /x at-1", "GET /y at-1", "finish 0 lost, repeatable"])
    }

    @Test("the content of a redirect is discarded, that of a refusal held, and that of the answer delivered")
    func dispositions() throws {
        var script = try CallScript(
            tokens: ["at-2"], ["/x": [redirect(302, "/y")], "/y": [refused, .head(404)]])
        _ = script.group.add(get())
        try script.run()
        #expect(script.dispositions == [.discard, .hold, .deliver])
    }

    @Test("a redirect that is not followed ends the call without another request")
    func stopped() throws {
        let script = try CallScript(["/x": [redirect(302, "http://a.example/")]])
        #expect(try events(script, of: [get()]) == ["GET /x at-1", "finish 0 insecure_transport"])
    }
}
