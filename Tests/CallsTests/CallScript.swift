import System
import Wire

@testable import Calls
@testable import OAuth

/// Drives a group without a server: each URL has its answers, and each renewal its token.
struct CallScript {
    enum Reply {
        case head(Int, [HTTPField] = [], String = "")
        /// A head, and then the connection breaks.
        case cut(Int, [HTTPField] = [])
        case lost(HTTPError)
    }

    var group: CallGroup
    var replies: [String: [Reply]]
    var tokens: [String?]
    /// `POST /x token`, `GET /y bare`, `renew refused at-1`, `finish 0 200`.
    var events: [String] = []
    var dispositions: [Disposition] = []
    /// Seconds since the start; a pause passes at once.
    var clock = 0.0
    /// Whether the token has come to its end after each pause.
    var expiresAfterPause = false
    private let start = MonotonicTime.now
    private let started = 1_700_000_000

    init(
        token: String? = "at-1", tokens: [String?] = [], isRenewable: Bool = true, retries: RetryPolicy = .none,
        random: any RandomNumberGenerator = Longest(), _ replies: [String: [Reply]]
    ) throws {
        self.replies = replies
        self.tokens = tokens
        group = CallGroup(
            token: try token.map { try AccessToken($0, of: Document([:])) }, isRenewable: isRenewable,
            redirects: .any, retries: retries, random: random)
    }

    private var now: Moment {
        Moment(time: start + .milliseconds(Int64((clock * 1000).rounded())), seconds: started + Int(clock))
    }

    /// Runs the group to its end; with `inParallel`, every request is sent before the first answer comes.
    mutating func run(inParallel: Bool = false) throws {
        var underWay: [(id: Int, url: String)] = []
        while true {
            switch group.next(at: now) {
            case .send(let id, let attempt):
                let (message, upload, isBare) = (attempt.signed, attempt.upload, attempt.isBare)
                let path = String(message.url.dropFirst("https://a.example".count))
                let token = message.headers.first("Authorization").map { String($0.dropFirst("Bearer ".count)) }
                let content = upload != nil || message.body != nil ? " content" : ""
                events.append("\(message.method) \(path) \(isBare ? "bare" : token ?? "none")\(content)")
                underWay.append((id, path))
                if !inParallel { answer(underWay.removeFirst()) }
            case .renew(let reason):
                switch reason {
                case .due: events.append("renew due")
                case .refused(let token): events.append("renew refused \(token.token)")
                }
                group.renewed(try tokens.removeFirst().map { try AccessToken($0, of: Document([:])) })
            case .retry(_, let retry): events.append("retry \(retry.number) of \(retry.limit) in \(retry.seconds)")
            case .finish(let id, let outcome): events.append("finish \(id) \(Self.summary(of: outcome))")
            case .wait(let end):
                if let end, underWay.isEmpty {
                    clock += Double(end.milliseconds(since: now.time)) / 1000
                    if expiresAfterPause { group.expire() }
                    continue
                }
                precondition(!underWay.isEmpty, "the group waits for nothing")
                answer(underWay.removeFirst())
            case .done: return
            }
        }
    }

    private mutating func answer(_ sent: (id: Int, url: String)) {
        guard var left = replies[sent.url], !left.isEmpty else { preconditionFailure("no reply for \(sent.url)") }
        let reply = left.removeFirst()
        replies[sent.url] = left
        switch reply {
        case .head(let status, let fields, let content):
            receive(status, fields, for: sent.id)
            group.ended(sent.id, held: Array(content.utf8), at: now)
        case .cut(let status, let fields):
            receive(status, fields, for: sent.id)
            group.failed(sent.id, .network(stage: .read, message: "cut off", requestSent: true), at: now)
        case .lost(let error): group.failed(sent.id, error, at: now)
        }
    }

    private mutating func receive(_ status: Int, _ fields: [HTTPField], for id: Int) {
        dispositions.append(group.receive(HTTPResponseHead(status: status, headers: fields), for: id, at: now))
    }

    private static func summary(of outcome: CallOutcome) -> String {
        switch outcome {
        case .answered(let head, let note): "\(head.status)" + (note.map { " \($0)" } ?? "")
        case .stopped(let error): error.kind.rawValue
        case .lost(_, let isOpen): isOpen ? "lost" : "lost, repeatable"
        case .notRenewed(let head): "not renewed" + (head.map { " \($0.status)" } ?? "")
        }
    }
}

/// Makes every random pause as long as it can be.
struct Longest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
}

/// Makes every random pause as short as it can be.
struct Shortest: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}

/// Makes the pauses that it is given.
struct Given: RandomNumberGenerator {
    var pauses: [UInt64]

    mutating func next() -> UInt64 { pauses.removeFirst() }
}

extension RetryPolicy {
    /// One attempt.
    static var none: RetryPolicy {
        var policy = RetryPolicy()
        policy.limit = 0
        return policy
    }
}
