internal import CLibMicroHTTPD
internal import Glibc
internal import System
internal import Wire

/// One connection, from its start to its end; the library keeps a pointer to it.
final class Connection {
    enum Stage {
        case receiving
        /// Delaying a response; nothing of it is sent.
        case delayed(LoopbackResponse)
        case answering
        /// Pausing generated content.
        case paused
        /// Suspended until its taker wakes it.
        case asleep
        /// Closing after the last response.
        case closing
    }

    var stage = Stage.receiving
    /// What an asleep connection does when it is woken.
    var wakesTo = Stage.receiving
    /// When a receiving connection is closed, or a delayed or paused one resumes.
    var due: MonotonicTime

    let handle: OpaquePointer
    let limits: LoopbackLimits
    private var target: [UInt8] = []
    private var body: [UInt8] = []
    private var bodySize = 0
    private var hasBegun = false
    /// Whether no request line has come so far.
    private(set) var isSilent = true
    private var closes = false
    /// Who takes the request as it comes; nil where the handler gets it whole.
    var taker: (any LoopbackTaker)?
    var hasTakenEnd = false
    /// Whether the client has closed its end.
    var isHungUp = false
    /// A socket that holds the request of a client that is gone; -1 for none.
    private var rescued: Int32 = -1

    init(_ handle: OpaquePointer, limits: LoopbackLimits) {
        (self.handle, self.limits) = (handle, limits)
        due = .now + limits.time
    }

    deinit { if rescued >= 0 { Glibc.close(rescued) } }

    var isAnswering: Bool { if case .receiving = stage { false } else { true } }

    var isWaiting: Bool {
        switch stage {
        case .delayed, .paused: true
        case .receiving, .answering, .asleep, .closing: false
        }
    }

    var isAsleep: Bool { if case .asleep = stage { true } else { false } }

    var socket: Int32 { oap_mhd_socket(handle) }
}

extension Connection {
    /// Saves the request of a client that has broken the connection off.
    func rescue() {
        guard !isAnswering, rescued < 0 else { return }
        rescued = oap_mhd_rescue(handle)
    }

    /// A request line has arrived.
    func begin(target: [UInt8]) {
        self.target = target
        isSilent = false
        body = []
        bodySize = 0
        hasBegun = false
    }

    /// Takes a piece of the content, or a part of it; bytes beyond the limit are only counted.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let taker { return pass(bytes, to: taker) }
        bodySize += bytes.count
        if bodySize <= limits.bodyBytes { body.append(contentsOf: bytes) } else { body = [] }
        return bytes.count
    }

    /// Whether this is the library's first call for the request, before any content.
    func isFirstCall() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// The status for a complete request that the server refuses without the handler; nil for any other.
    var refusal: Int? {
        if oap_mhd_header_size(handle) > limits.headerBytes { return 431 }
        if bodySize > limits.bodyBytes { return 413 }
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return path.allSatisfy { $0 < 0x7F } && target.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? nil : 400
    }

    /// The complete request.
    func request(method: String) -> LoopbackRequest {
        LoopbackRequest(
            method: method, target: WebURL.encoding(target), headers: headers(), body: body,
            socket: oap_mhd_socket(handle), certificate: LoopbackClientCertificate(of: handle))
    }

    /// The path of the request, or as much of it as a message needs.
    var path: String { String(decoding: target.prefix { $0 != UInt8(ascii: "?") }.prefix(200), as: UTF8.self) }

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
    /// Answers, at once or after the delay; false if the library may not continue with the connection.
    func answer(_ response: LoopbackResponse) -> Bool {
        guard response.delay > .zero || response.heldAs != nil else { return send(response) }
        stage = .delayed(response)
        due = .now + (response.heldAs != nil ? .seconds(86_400) : response.delay)
        oap_mhd_suspend(handle)
        return true
    }

    /// Answers, after a response that was held back.
    func answerHeld(with response: LoopbackResponse) {
        stage = .delayed(response)
        due = .now + response.delay
        if response.delay == .zero { proceed() }
    }

    /// Pauses; the library asks for content again afterwards.
    private func pause(_ span: Duration) {
        stage = .paused
        due = .now + span
        oap_mhd_suspend(handle)
    }

    func proceed() {
        switch stage {
        case .delayed(let response): if !send(response) { shutDown() }
        case .paused: stage = .answering
        case .receiving, .answering, .asleep, .closing: return
        }
        oap_mhd_resume(handle)
    }

    /// The response was sent, or the request was aborted.
    func end() {
        release()
        guard !closes else {
            stage = .closing
            return
        }
        stage = .receiving
        due = .now + limits.time
    }

    /// Makes the library see end of file, so that it closes the connection.
    func shutDown() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Drains unread input: closing over it sends RST and may lose the response (RFC 9112 §9.6). Waits up to 50 ms for
    /// a client that is still sending.
    func drain() {
        let socket = socket
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

    private func send(_ response: LoopbackResponse) -> Bool {
        stage = .answering
        closes = response.closes || response.isLast
        guard
            let made = MadeResponse(
                response, closes: closes, taken: taken, pause: { self.pause($0) }, reset: { self.breakOff() })
        else {
            breakOff()
            return false
        }
        return oap_mhd_queue(handle, made.status, made.pointer) == .YES
    }

    /// Resets the connection: dissolving the association of a socket sends RST at once (connect(2), tcp(7)).
    private func breakOff() {
        closes = true
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        connect(oap_mhd_socket(handle), &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
