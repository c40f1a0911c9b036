import Errands
import JOSE
import System
import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("Requests whose proofs need nonces")
struct NonceTests {
    /// Which nonces the API takes, each once.
    enum Taken: CaseIterable {
        /// All that it gave out.
        case any
        /// The one that it gave out last.
        case newest
        case none
    }

    /// An API that gives a nonce in each answer. It answers at once, but its answers may come in another order.
    struct API {
        let taken: Taken
        /// The answers that come before: a status of a failure, for example.
        var first: [HTTPResponseHead] = []
        var nonces: [String] = []
        var count = 0
        var proofs: [JSONObject] = []

        mutating func answer(_ message: HTTPRequest) throws -> HTTPResponseHead {
            let text = try #require(message.headers.first("DPoP"))
            let proof = try #require(JSON(parsing: JSONWebSignature(parsing: text).payload).object)
            proofs.append(proof)
            if !first.isEmpty { return first.removeFirst() }
            let nonce = proof["nonce"]?.string ?? ""
            let good =
                switch taken {
                case .any: nonces
                case .newest: Array(nonces.suffix(1))
                case .none: [] as [String]
                }
            let isGood = good.contains(nonce)
            nonces.removeAll { $0 == nonce }
            count += 1
            nonces.append("n\(count)")
            return NonceTests.head(isGood ? 200 : 401, nonce: "n\(count)")
        }
    }

    private static func head(_ status: Int, nonce: String?, _ more: [HTTPField] = []) -> HTTPResponseHead {
        let wish = HTTPField("WWW-Authenticate", #"DPoP error="use_dpop_nonce""#)
        let fields = (nonce.map { [HTTPField("DPoP-Nonce", $0)] } ?? []) + (status == 401 ? [wish] : []) + more
        return HTTPResponseHead(status: status, headers: fields, url: "https://a.example/x")
    }

    /// These stand for no answer: the connection broke, or it was a kept one that had ended.
    private static let lost = HTTPResponseHead(status: 0)
    private static let stale = HTTPResponseHead(status: 1)

    private static func request(_ method: String = "GET", upload: KeptContent? = nil) -> APIRequest {
        APIRequest(HTTPRequest(method: method, url: "https://a.example/x"), upload: upload)
    }

    private static func token() throws -> AccessToken {
        try AccessToken("at", of: Document(["token_type": "DPoP"]), binding: DPoPBinding(key: DPoPBinding.newKey()))
    }

    /// Sends requests, some of them in parallel, of which the answers come in the order that `next` chooses.
    ///
    /// - Returns: the status of each.
    private func run(
        _ count: Int, parallel: Int, at api: inout API, retries: RetryPolicy = .none,
        of request: APIRequest = request(), next: (Int) -> Int = { _ in 0 }
    ) throws -> [String] {
        var group = CallGroup(token: try Self.token(), isRenewable: false, redirects: .any, retries: retries)
        var (underWay, left, outcomes): ([(Int, HTTPResponseHead)], Int, [String]) = ([], count, [])
        let start = MonotonicTime.now
        var passed = 0.0
        while true {
            while left > 0, group.size < parallel {
                _ = group.add(request)
                left -= 1
            }
            let now = Moment(time: start + .milliseconds(Int64(passed * 1000)), seconds: 1_700_000_000 + Int(passed))
            switch group.next(at: now) {
            case .send(let id, let attempt): underWay.append((id, try api.answer(attempt.signed)))
            case .finish(_, .answered(let head, _)): outcomes.append("\(head.status)")
            case .finish: outcomes.append("lost")
            case .wait(let end?) where underWay.isEmpty: passed += Double(end.milliseconds(since: now.time)) / 1000
            case .wait:
                try #require(!underWay.isEmpty, "the group waits for nothing")
                let (id, head) = underWay.remove(at: next(underWay.count))
                if head.status <= Self.stale.status {
                    let stage = head.status == Self.stale.status ? HTTPError.Stage.stale : .read
                    group.failed(id, .network(stage: stage, message: "cut off", requestSent: true), at: now)
                    continue
                }
                _ = group.receive(head, for: id, at: now)
                group.ended(id, at: now)
            case .done: return outcomes
            case .retry, .renew: continue
            }
        }
    }

    @Test(
        "DPoP case 12: where a nonce is good once, each of many requests succeeds, in whichever order the answers come",
        arguments: [Taken.any, .newest])
    func once(taken: Taken) throws {
        for order in [{ _ in 0 }, { $0 - 1 }, { Int.random(in: 0..<$0) }] as [(Int) -> Int] {
            var api = API(taken: taken)
            let outcomes = try run(60, parallel: 8, at: &api, next: order)
            #expect(outcomes == Array(repeating: "200", count: 60))
            #expect(api.proofs.count <= 4 * 60)
            #expect(Set(api.proofs.compactMap { $0["jti"]?.string }).count == api.proofs.count)
        }
    }

    @Test("DPoP case 4: an API that wants another nonce each time is asked twice; beside other requests, four times")
    func restless() throws {
        var api = API(taken: .none)
        #expect(try run(1, parallel: 1, at: &api) == ["401"] && api.proofs.count == 2)
        var busy = API(taken: .none)
        #expect(try run(20, parallel: 8, at: &busy) == Array(repeating: "401", count: 20))
        #expect(busy.proofs.count <= 80)
    }

    @Test("a request whose nonce another one may have used up is sent again alone, be it the one that was sent last")
    func company() throws {
        let answers = [Self.head(200, nonce: nil), Self.head(401, nonce: "n1"), Self.head(401, nonce: "n2")]
        var api = API(taken: .any, first: answers + [Self.head(200, nonce: nil)])
        var order = [1, 0, 0, 0]
        #expect(try run(2, parallel: 2, at: &api) { _ in order.removeFirst() } == ["200", "200"])
        #expect(api.proofs.map { $0["nonce"]?.string } == [nil, nil, "n1", "n2"])
    }

    @Test("a request that was beside another one before its retry is sent twice then, as any that is alone")
    func companyBefore() throws {
        let answers = [Self.head(503, nonce: nil), Self.head(200, nonce: nil)]
        var api = API(taken: .none, first: answers)
        var policy = RetryPolicy()
        policy.delay = 0
        var order = [1, 0, 0, 0, 0, 0]
        let outcomes = try run(2, parallel: 2, at: &api, retries: policy) { _ in order.removeFirst() }
        #expect(outcomes == ["200", "401"])
        #expect(api.proofs.map { $0["nonce"]?.string } == [nil, nil, nil, "n1"])
    }

    @Test("another nonce is tried again after a lost connection")
    func afterLoss() throws {
        var api = API(taken: .any, first: [Self.head(401, nonce: "n0"), Self.lost])
        var policy = RetryPolicy()
        policy.delay = 0
        #expect(try run(1, parallel: 1, at: &api, retries: policy) == ["200"])
        #expect(api.proofs.map { $0["nonce"]?.string } == [nil, "n0", "n0", "n1"])
    }

    @Test("where a kept connection had ended, a request that may be repeated is sent with a new proof, once")
    func staleConnection() throws {
        let fixed = Self.request("PUT", upload: KeptContent(isReplayable: false))
        for (request, ends, outcome, attempts) in [
            (Self.request(), 1, "200", 2), (Self.request(), 2, "lost", 2),
            (Self.request("PUT", upload: KeptContent()), 1, "200", 2), (fixed, 1, "lost", 1),
            (Self.request("POST"), 1, "lost", 1),
        ] {
            let answers = Array(repeating: Self.stale, count: ends) + [Self.head(200, nonce: nil)]
            var api = API(taken: .any, first: answers)
            let outcomes = try run(1, parallel: 1, at: &api, of: request)
            let name = "\(request.message.method), \(ends) times"
            #expect(outcomes == [outcome], "\(name)")
            #expect(Set(api.proofs.compactMap { $0["jti"]?.string }).count == attempts, "\(name)")
        }
    }

    @Test("DPoP case 9: the proof of a retry is made after the pause, and its nonce may have ended meanwhile")
    func afterPause() throws {
        let busy = Self.head(503, nonce: nil, [HTTPField("Retry-After", "60")])
        var api = API(taken: .any, first: [Self.head(401, nonce: "n0"), busy])
        var policy = RetryPolicy()
        policy.delay = 0
        #expect(try run(1, parallel: 1, at: &api, retries: policy) == ["200"])
        #expect(api.proofs.map { $0["nonce"]?.string } == [nil, "n0", "n0", "n1"])
        #expect(api.proofs.map { ($0["iat"]?.integer ?? 0) - 1_700_000_000 } == [0, 0, 60, 60])
    }

    @Test("DPoP case 9: the proof of a retry of a request to userinfo is made after the pause", arguments: [503, 401])
    func collectedAfterPause(status: Int) throws {
        var made: [Int] = []
        var seconds = 1_700_000_000
        let message = HTTPRequest(method: "GET", url: "https://a.example/x")
        let token = try Self.token()
        let call = CollectedCall(
            ServerRequest(message: message, repetition: .always), with: token, retries: .lasting,
            renew: { _ in
                // It waited for a lock.
                .pause(until: .now) {
                    seconds += 60
                    return .done(token)
                }
            }, clock: { seconds })
        let refused = HTTPField("WWW-Authenticate", #"DPoP error="invalid_token""#)
        let head = HTTPResponseHead(
            status: status, headers: status == 503 ? [HTTPField("Retry-After", "60")] : [refused], url: message.url)
        var errand = call.errand(at: Moment(time: .now, seconds: seconds))
        while made.count < 2 {
            switch errand {
            case .send(let request, let go):
                let text = try #require(request.message.headers.first("DPoP"))
                let claims = try JSON(parsing: JSONWebSignature(parsing: text).payload).object
                made.append(try #require(claims?["iat"]?.integer))
                errand = go(.success(HTTPResponse(head: head, body: [])), Moment(time: .now, seconds: seconds))
            case .pause(_, let go):
                if status == 503 { seconds += 60 }
                errand = go()
            case .done, .run: preconditionFailure("the request is sent again")
            }
        }
        #expect(made == [1_700_000_000, 1_700_000_060])
    }
}
