import Errands
import System
import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("A request whose response is collected whole")
struct CollectedCallTests {
    private static let start = MonotonicTime.now

    private func moment(_ seconds: Double = 0) -> Moment {
        Moment(time: Self.start + .milliseconds(Int64(seconds * 1000)), seconds: 1_700_000_000 + Int(seconds))
    }

    /// Carries a call out with these results, each of which comes at once.
    ///
    /// - Parameter delay: the seconds until the first.
    /// - Returns: its end, and the credentials of the requests; nil for the end if it wants another result.
    private func run(
        _ call: CollectedCall, _ results: [Result<HTTPResponse, HTTPError>], after delay: Double = 0
    ) -> (end: ServerRequest.Result?, sent: [String?]) {
        var (results, seconds, sent) = (results[...], delay, [String?]())
        var errand = call.errand(at: moment())
        while true {
            switch errand {
            case .done(let end): return (end, sent)
            case .send(let request, let go):
                guard let result = results.popFirst() else { return (nil, sent) }
                sent.append(request.message.headers.first("Authorization"))
                errand = go(result, moment(seconds))
            case .pause(let end, let go):
                seconds = Double(end.milliseconds(since: Self.start)) / 1000
                errand = go()
            case .run: preconditionFailure("no program is run")
            }
        }
    }

    /// The pauses in seconds after these results.
    private func pauses(
        _ method: String, repetition: Repetition = .unsent, _ results: [Result<HTTPResponse, HTTPError>],
        after delay: Double = 0
    ) -> [Double] {
        var pauses: [Double] = []
        let message = HTTPRequest(method: method, url: "https://as.example/token")
        let request = ServerRequest(message: message, repetition: repetition)
        _ = run(CollectedCall(request, random: Longest()) { pauses.append($0.seconds) }, results, after: delay)
        return pauses
    }

    private func status(_ status: Int, _ field: HTTPField? = nil) -> Result<HTTPResponse, HTTPError> {
        let head = HTTPResponseHead(
            status: status, headers: [field].compactMap(\.self), url: "https://as.example/token")
        return .success(HTTPResponse(head: head, body: []))
    }

    private let refused = Result<HTTPResponse, HTTPError>.failure(
        .network(stage: .connect, message: "refused", requestSent: false))
    private let broken = Result<HTTPResponse, HTTPError>.failure(
        .network(stage: .read, message: "gone", requestSent: true))

    @Test("R-12 a token request is sent again twice after a failed connection, and never once bytes were sent")
    func token() {
        #expect(pauses("POST", [refused, refused, refused]) == [0.5, 1])
        #expect(pauses("POST", [refused, broken]) == [0.5])
        for result in [broken, status(503), status(429), status(503, HTTPField("Retry-After", "1")), status(200)] {
            #expect(pauses("POST", [result]) == [])
        }
    }

    @Test("a request that may be put off is sent again after 429 and 503, and never once the outcome is unknown")
    func deferred() {
        for result in [refused, status(429), status(503)] {
            #expect(pauses("POST", repetition: .deferred, [result, result, result]) == [0.5, 1])
        }
        for result in [broken, status(408), status(500), status(502), status(504)] {
            #expect(pauses("POST", repetition: .deferred, [result]) == [])
        }
        let hasty = CollectedCall(
            ServerRequest(message: HTTPRequest(method: "POST", url: "https://as.example/token"), repetition: .always),
            retries: .hasty)
        #expect(run(hasty, [status(503)]).sent.count == 1)
    }

    @Test("a request is made anew for each further attempt, after what came of the last one, until there is none")
    func remade() throws {
        var seen: [Int?] = []
        let request = ServerRequest(
            message: HTTPRequest(method: "POST", url: "https://as.example/token"), repetition: .always)
        let call = CollectedCall(
            request, random: Longest(),
            remake: { last in
                seen.append((try? last.get())?.head.status)
                guard seen.count < 2 else { return .done(nil) }
                let field = HTTPField("Authorization", "Basic \(seen.count)")
                return .done(HTTPRequest(method: "POST", url: "https://as.example/token", headers: [field]))
            })
        let ended = run(call, [refused, status(503), status(200)])
        #expect(ended.sent == [nil, "Basic 1"] && seen == [nil, 503])
        #expect(try ended.end?.get().head.status == 503)
    }

    @Test("a request that may be repeated is sent again after a broken connection and a status that may pass")
    func repeatable() {
        for (method, repetition) in [("GET", Repetition.unsent), ("POST", .always)] {
            for result in [refused, broken, status(408), status(429), status(500), status(503)] {
                #expect(pauses(method, repetition: repetition, [result, result, result]) == [0.5, 1])
            }
            for result in [
                status(200), status(302, HTTPField("Location", "/x")), status(401), status(403), status(404),
            ] {
                #expect(pauses(method, repetition: repetition, [result]) == [])
            }
        }
    }

    @Test("a pause that the server asks for is kept up to ten seconds after the first attempt")
    func bounds() {
        #expect(pauses("GET", [status(503, HTTPField("Retry-After", "4")), status(503)]) == [4, 1])
        #expect(pauses("GET", [status(429, HTTPField("Retry-After", "11"))]) == [])
        #expect(pauses("GET", [broken], after: 9.6) == [])
        #expect(pauses("GET", [.failure(.tooLarge(limit: 1))]) == [])
    }

    /// A call with the token `at-0`, and these tokens to renew it with; nil for a renewal that fails.
    private func call(renewing tokens: [String?]?) throws -> CollectedCall {
        let token = { (text: String) throws in try AccessToken(text, of: Document([:])) }
        var left = try tokens?.map { try $0.map(token) }
        let request = ServerRequest(message: HTTPRequest(method: "GET", url: "https://as.example/userinfo"))
        return CollectedCall(
            request, with: try token("at-0"), random: Longest(),
            renew: tokens == nil ? nil : { _ in .done(left?.removeFirst()) })
    }

    @Test("a token that is refused is renewed once, and the request is sent with the new one")
    func renewal() throws {
        let good = run(try call(renewing: ["at-1"]), [status(401), status(503), status(200)])
        #expect(good.sent == ["Bearer at-0", "Bearer at-1", "Bearer at-1"])
        #expect(try good.end?.get().head.status == 200)
        let again = run(try call(renewing: ["at-1", "at-2"]), [status(401), status(401)])
        #expect(again.sent == ["Bearer at-0", "Bearer at-1"])
        #expect(try again.end?.get().head.status == 401)
        for tokens in [[nil], nil] as [[String?]?] {
            let refused = run(try call(renewing: tokens), [status(401)])
            #expect(refused.sent == ["Bearer at-0"])
            #expect(try refused.end?.get().head.status == 401)
        }
    }

    @Test("a new token whose request gets no response is no refusal: the failure is the end")
    func lost() throws {
        let end = run(try call(renewing: ["at-1"]), [status(401), broken, broken, broken]).end
        #expect(throws: HTTPError.self) { try end?.get() }
    }
}
