internal import Calling
internal import Calls
internal import HTTP
internal import Loopback
internal import Shell
internal import System
internal import Wire

/// The API that an exchange is with.
protocol ProxyExchangeOwner: AnyObject {
    /// Whether there is something to do in the next turn.
    var isDue: Bool { get set }
    /// How many bytes of the content of all requests are kept, so that these can be sent again.
    var keptCount: Int { get set }

    func redacted(_ text: String) -> String
    /// Takes note of a limit, which holds for all requests.
    func note(_ head: HTTPResponseHead)
    /// Finds the token in an answer; nil where there is none to find.
    func leak() -> ProxyLeak?
    /// Where a redirect leads for the client: behind the proxy, if it stays inside.
    func location(_ text: String, for head: ProxyExchange.Head) -> String
    /// The client is gone, or has its whole answer.
    func close(_ exchange: ProxyExchange)
}

/// The requests that share a driver, and with it a token.
final class ProxyLane {
    let driver: CallDriver
    var exchanges: [CallGroup.ID: ProxyExchange] = [:]

    init(_ driver: CallDriver) { self.driver = driver }
}

/// One request of a client, from its head to the end of its answer: takes its content, gives it to the API, receives what the
/// API answers, and gives that to the client. Each side waits while the other has no room.
final class ProxyExchange {
    /// The most bytes of content that are kept, so that a request can be sent again with a new token; more is passed on as it
    /// comes.
    static let kept = 1 << 20
    /// The most bytes that are kept of all requests.
    static let keptByAll = 32 << 20
    /// The most bytes that wait for one side.
    static let room = 128 << 10

    /// What a rule and the log see of it.
    struct Head {
        let method: String
        /// Where the API has it.
        let url: WebURL
        let headers: [HTTPField]
        /// What the client has before the path of the API, for redirects.
        let prefix: String
        /// The length that the client says; nil for chunks.
        let length: Int?
        let hasContent: Bool
    }

    let head: Head
    let start = MonotonicTime.now
    private unowned let upstream: any ProxyExchangeOwner
    private let waker: LoopbackWaker
    /// Where the request is; nil before it is sent.
    var place: (lane: ProxyLane, id: CallGroup.ID)?

    /// The content of the request that was not passed on.
    private var sent = ByteQueue()
    private var sentCount = 0
    private var isComplete = false
    /// Whether the content is passed on as it comes.
    private(set) var isStreaming: Bool
    /// Whether the content, or its first bytes, are there, so that the request can be sent.
    private(set) var isReady = false

    private(set) var response: LoopbackResponse? {
        get {
            isAsked = isAsked || made != nil
            return made
        }
        set { made = newValue }
    }
    private var made: LoopbackResponse?
    /// Whether somebody knows that there is a response.
    private var isAsked = false
    /// A response that is held until its content is whole, since the token may be in it.
    private var held: LoopbackResponse?
    private(set) var status: Int?
    /// The content of the answer that was not passed on.
    private var received = ByteQueue()
    private(set) var receivedCount = 0
    private var isDelivering = false
    private enum End { case open, whole, broken }
    private var end = End.open
    private var keptCount = 0
    private var isWaitingForRoom = false
    private var leak: ProxyLeak?
    private var disposition: ((HTTPResponseHead) -> Disposition)?

    init(_ head: Head, of upstream: any ProxyExchangeOwner, _ waker: LoopbackWaker) {
        (self.head, self.upstream, self.waker) = (head, upstream, waker)
        isStreaming = head.hasContent && head.length.map { $0 > Self.kept } ?? false
        isReady = !head.hasContent || isStreaming
    }

    /// The request as it is sent, whose content is there or comes.
    var request: APIRequest {
        let body = isStreaming || !head.hasContent ? nil : sent.takeAll()
        return APIRequest(
            HTTPRequest(method: head.method, url: head.url.withoutFragment, headers: head.headers, body: body),
            upload: isStreaming ? self : nil)
    }

    /// Answers by itself, or breaks off an answer that has begun.
    func fail(_ problem: ProxyProblem) {
        end = made == nil ? .whole : .broken
        if made == nil {
            received = ByteQueue()
            status = problem.status
            response = problem.response(upstream.redacted)
        }
        waker.wake()
    }

    /// Whether the client has the whole answer, though the driver does not know its end yet.
    var isDelivered: Bool {
        guard isDelivering, end == .open, case .taken(let length?)? = made?.body else { return false }
        return receivedCount >= length
    }

    /// The API's answer is whole.
    func finish() {
        if end == .open {
            leak?.rest().withUnsafeBytes { received.append($0) }
            end = .whole
            made = made ?? held
            // Head and content leave together, where the server has not asked for them yet.
            if !isAsked, head.method != "HEAD", case .taken? = made?.body {
                made?.body = .bytes(received.takeAll())
            }
        }
        waker.wake()
    }
}

extension ProxyExchange: LoopbackTaker {
    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let limit = isStreaming ? Self.room : min(Self.kept, sent.count + Self.keptByAll - upstream.keptCount)
        let count = max(min(bytes.count, limit - sent.count), 0)
        sent.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        if !isStreaming {
            keptCount += count
            upstream.keptCount += count
        }
        if !isStreaming, count < bytes.count {
            // Too much to be kept: it is passed on as it comes from here on.
            isStreaming = true
            isReady = true
            upstream.isDue = true
        }
        resumeUpload()
        return count
    }

    func takeEnd() {
        isComplete = true
        isReady = true
        upstream.isDue = true
        resumeUpload()
    }

    private func resumeUpload() { if isStreaming, let place { place.lane.driver.resume(place.id) } }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> LoopbackFill {
        let count = received.move(to: buffer)
        if isWaitingForRoom, received.count < Self.room / 2, let place {
            isWaitingForRoom = false
            place.lane.driver.resume(place.id)
        }
        if count > 0 { return .bytes(count) }
        return switch end {
        case .open: .wait
        case .whole: .end
        case .broken: .broken
        }
    }

    func close() {
        upstream.keptCount -= keptCount
        upstream.close(self)
    }
}

extension ProxyExchange: ContentSource {
    var name: String { "the content of the request" }
    var size: Int? { head.length }
    var isReplayable: Bool { false }
    var isWaiting: Bool { sent.count == 0 && !isComplete }
    func canRead(at offset: Int) -> Bool { offset == sentCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ContentError) -> Int {
        let count = sent.move(to: buffer)
        sentCount += count
        if count > 0 { waker.wake() }
        return count
    }
}

extension ProxyExchange: CallReceiving {
    /// Takes what the driver says about the heads of the next attempt.
    func receiver(_ disposition: @escaping (HTTPResponseHead) -> Disposition) -> ProxyExchange {
        self.disposition = disposition
        return self
    }

    var content: [UInt8] { [] }

    var isPaused: Bool {
        if received.count >= Self.room { isWaitingForRoom = true }
        return received.count >= Self.room
    }

    func receive(head: HTTPResponseHead) -> Bool {
        upstream.note(head)
        status = head.status
        switch disposition?(head) {
        case .deliver?, .inspect?: deliver(head)
        case .hold?, .discard?, nil: isDelivering = false
        }
        return true
    }

    private func deliver(_ answer: HTTPResponseHead) {
        leak = upstream.leak()
        if leak?.isIn(fields: answer.headers) == true { return refuseLeak() }
        if !ProxyLeak.isText(answer) { leak = nil }
        isDelivering = true
        status = answer.status
        let length = answer.headers.first("Content-Length").flatMap { Int($0) }
        let isEmpty = answer.status == 204 || answer.status == 304 || answer.status < 200
        var headers = ProxyHead.response(answer.headers)
        for index in headers.indices where headers[index].name.equalsIgnoringASCIICase("Location") {
            headers[index].value = upstream.location(headers[index].value, for: head)
        }
        let response = LoopbackResponse(
            status: answer.status, headers: headers, body: isEmpty ? .bytes([]) : .taken(length: length))
        if leak != nil, !isEmpty, let length, length <= Self.room, self.head.method != "HEAD" {
            held = response
        } else {
            self.response = response
            waker.wake()
        }
    }

    func receive(content: UnsafeRawBufferPointer) -> Bool {
        guard isDelivering, end == .open else { return true }
        receivedCount += content.count
        guard leak != nil else {
            received.append(content)
            waker.wake()
            return true
        }
        guard let bytes = leak?.pass(content) else {
            refuseLeak()
            return true
        }
        bytes.withUnsafeBytes { received.append($0) }
        waker.wake()
        return true
    }

    private func refuseLeak() {
        received = ByteQueue()
        isDelivering = false
        fail(ProxyProblem(status: 502, message: "the answer of the API has the token in it, and is not passed on"))
    }
}
