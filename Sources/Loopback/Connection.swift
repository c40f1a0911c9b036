internal import CLibMicroHTTPD
internal import Glibc
internal import System
internal import Wire

/// One connection, from its start to its end; the library keeps a pointer to it.
final class Connection {
    /// Where a connection stands.
    enum Stage {
        /// A request is awaited or on its way.
        case receiving
        /// An answer waits for its time; nothing of it is sent.
        case delayed(LoopbackResponse)
        /// An answer is being sent.
        case answering
        /// Generated content makes a pause.
        case paused
        /// The answer was the connection's last: it is about to close.
        case closing
    }

    /// Where it stands.
    private(set) var stage = Stage.receiving
    /// When it is given up while it receives, or goes on where it is delayed or paused.
    private(set) var due: MonotonicTime
    /// Whether its answer ends the run.
    private(set) var isLast = false

    private let handle: OpaquePointer
    private let limits: LoopbackLimits
    private var target: [UInt8] = []
    private var body: [UInt8] = []
    private var bodySize = 0
    private var hasBegun = false
    private var closes = false

    init(_ handle: OpaquePointer, limits: LoopbackLimits) {
        self.handle = handle
        self.limits = limits
        due = .now + limits.time
    }

    /// Whether an answer is under way.
    var isAnswering: Bool { if case .receiving = stage { false } else { true } }

    /// Whether it is waiting for a moment that was set.
    var isWaiting: Bool {
        switch stage {
        case .delayed, .paused: true
        case .receiving, .answering, .closing: false
        }
    }
}

extension Connection {
    /// A request line has come.
    func begin(target: [UInt8]) {
        self.target = target
        body = []
        bodySize = 0
        hasBegun = false
    }

    /// Takes a piece of the content; what is beyond the limit is counted only.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        bodySize += bytes.count
        if bodySize <= limits.bodyBytes { body.append(contentsOf: bytes) } else { body = [] }
    }

    /// Whether this is the library's first call for the request, before any content.
    func isFirstCall() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// The request, now that all of it is there; or what to answer where it breaks a limit.
    func request(method: String) -> Result<LoopbackRequest, Refusal> {
        guard oap_mhd_header_size(handle) <= limits.headerBytes else { return .failure(Refusal(status: 431)) }
        guard bodySize <= limits.bodyBytes else { return .failure(Refusal(status: 413)) }
        guard target.allSatisfy({ (0x21...0x7E).contains($0) }) else { return .failure(Refusal(status: 400)) }
        return .success(
            LoopbackRequest(
                method: method, target: String(decoding: target, as: UTF8.self), headers: headers(), body: body,
                socket: oap_mhd_socket(handle)))
    }

    /// A request that the server refuses by itself.
    struct Refusal: Error {
        /// The status code of the answer.
        let status: Int
    }

    private func headers() -> [HTTPField] {
        var fields: [HTTPField] = []
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = oap_mhd_headers(
                handle,
                { context, _, name, nameSize, value, valueSize in
                    let fields = context?.assumingMemoryBound(to: [HTTPField].self)
                    fields?.pointee.append(
                        HTTPField(Connection.text(name, nameSize), Connection.text(value, valueSize)))
                    return .YES
                }, pointer)
        }
        return fields
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

extension Connection {
    /// Answers, now or when it is time.
    ///
    /// - Returns: whether the library may go on with the connection.
    func answer(_ response: LoopbackResponse) -> Bool {
        guard response.delay > .zero else { return send(response) }
        stage = .delayed(response)
        due = .now + response.delay
        oap_mhd_suspend(handle)
        return true
    }

    /// Does nothing for a time; the library asks for content again then.
    private func pause(_ span: Duration) {
        stage = .paused
        due = .now + span
        oap_mhd_suspend(handle)
    }

    /// Ends the waiting.
    func proceed() {
        switch stage {
        case .delayed(let response): if !send(response) { shutDown() }
        case .paused: stage = .answering
        case .receiving, .answering, .closing: return
        }
        oap_mhd_resume(handle)
    }

    /// The answer was sent, or the request came to nothing.
    func end() {
        guard !closes else {
            stage = .closing
            return
        }
        stage = .receiving
        due = .now + limits.time
    }

    /// Makes the library see the end of the connection, which it then closes.
    func shutDown() { shutdown(oap_mhd_socket(handle), Int32(SHUT_RDWR)) }

    /// Takes away what nobody will read: a socket that is closed over unread bytes breaks the connection off, and the
    /// answer may be lost with it (RFC 9112 §9.6). A client that has sent too much may still be at it: it gets a moment.
    func drain() {
        let socket = oap_mhd_socket(handle)
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var isSending = false
        for _ in 0..<64 {
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                isSending = true
                continue
            }
            guard count < 0, errno == EAGAIN, isSending else { return }
            var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, 50) > 0 else { return }
        }
    }

    /// Hands an answer to the library.
    private func send(_ response: LoopbackResponse) -> Bool {
        stage = .answering
        isLast = response.isLast
        closes = response.closes || response.isLast
        guard let made = MadeResponse(response, closes: closes, pause: { self.pause($0) }) else {
            breakOff()
            return false
        }
        return oap_mhd_queue(handle, made.status, made.pointer) == .YES
    }

    /// Breaks the connection off: dissolving the association of a socket sends RST at once (connect(2), tcp(7)).
    private func breakOff() {
        closes = true
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        connect(oap_mhd_socket(handle), &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
