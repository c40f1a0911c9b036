internal import CLibCurl
internal import Glibc
internal import Wire

package struct TransferID: Hashable, Sendable {
    /// Counted from 0.
    package let number: Int
}

/// One transfer: its easy handle, what the options of the handle point to, its callbacks and their results.
///
/// libcurl keeps pointers to it from `prepare` until the handle is reset.
final class Flight {
    let id: TransferID
    let handle: EasyHandle
    let trace: Trace?
    /// What the transfer sends and receives, for `-vv` and `--har`; nil without them.
    let recording: Recording?

    private let target: RequestTarget
    private let options: TransportOptions
    private let upload: (any ContentSource)?
    private let receiver: any ResponseReceiver
    private let mayRepeat: Bool
    /// Whether codings are asked for and undone. A range is one of the coded content (RFC 9110 §14.1.2).
    private let decodes: Bool
    private let serverHeaders: HeaderList
    private let proxyHeaders: HeaderList
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// The bundle of certificates that was set aside.
    private var bundle: String?
    private var headReader: ResponseHeadReader
    /// Why this program ended the transfer; nil if libcurl failed.
    private var ownFailure: HTTPError?
    /// How often libcurl was about to send the request.
    private var attempts = 0
    private var hasHead = false
    private var hasShownSent = false
    private var uploaded = 0
    /// Undoes the codings of the content; nil where it has none.
    private var decoder: ContentDecoder?
    /// The bytes of content that came, and those that were passed on.
    private var (received, inflated) = (0, 0)

    init(
        _ id: TransferID, _ request: HTTPRequest, to target: RequestTarget, upload: (any ContentSource)?,
        options: TransportOptions, receiver: any ResponseReceiver, trace: Trace?, recording: Recording?,
        handle: EasyHandle
    ) {
        (self.id, self.handle) = (id, handle)
        (self.trace, self.recording) = (trace, recording)
        (self.target, self.options, self.upload, self.receiver) = (target, options, upload, receiver)
        mayRepeat = request.mayBeRepeated
        headReader = ResponseHeadReader(of: request)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let isSigned = options.signature != nil
        decodes = options.compressed && request.headers.first("Range") == nil && !isSigned
        serverHeaders = HeaderList(
            toServer: decodes ? ContentDecoder.asking(request.headers) : request.headers, isSigned: isSigned)
        proxyHeaders = HeaderList(toProxy: request.headers)
    }

    deinit { errorBuffer.deallocate() }

    /// Sets the options and callbacks of the handle. With `setsBundleAside` the directory of authorities is tried first.
    func prepare(
        _ request: HTTPRequest, with certificate: CertificateFiles.Content?, setsBundleAside: Bool
    ) throws(HTTPError) {
        try handle.apply(options, to: target, with: certificate)
        try handle.apply(request, to: target, upload: upload)
        try handle.set(CURLOPT_HTTPHEADER, serverHeaders)
        try handle.set(CURLOPT_PROXYHEADER, proxyHeaders)
        try handle.set(CURLOPT_VERBOSE, trace == nil && recording == nil ? 0 : 1)
        try handle.set(errorBuffer: errorBuffer)
        try handle.set(Self.callbacks, context: Unmanaged.passUnretained(self).toOpaque())
        if setsBundleAside, target.url.scheme == "https", options.route.caCertificateFile == nil {
            bundle = try handle.setBundleAside()
        }
    }

    /// Sets the bundle of certificates for a second connection, once: the directory of authorities has not verified the
    /// server's certificate. Nothing was sent on the first connection. Returns whether it was set.
    func useBundle() -> Bool {
        guard let bundle else { return false }
        self.bundle = nil
        return (try? handle.set(CURLOPT_CAINFO, bundle)) != nil
    }

    /// Goes on with content that its receiver had no room for, or that its source did not have.
    func resume() { oap_curl_resume(handle.pointer) }

    /// The failure of the transfer with this result; nil if it has succeeded.
    func failure(_ code: CURLcode) -> HTTPError? {
        if let ownFailure { return ownFailure }
        guard code == CURLE_OK else { return transferFailure(code).error }
        if let coding = decoder?.unended {
            return .network(
                stage: .read, message: "the response of \(target.place) was cut off: its \(coding) coding has no end",
                requestSent: true)
        }
        if receiver.keepsContent, isBomb(uncounted: 0) { return .inflated(ratio: Self.maximumRatio) }
        return hasHead ? nil : .malformedResponse("the response of \(target.place) has no header")
    }

    private func transferFailure(_ code: CURLcode) -> TransferFailure {
        let meaning = String(cString: oap_curl_message(code))
        return TransferFailure(
            code: code, detail: options.withoutProxyUser(String(cString: errorBuffer), else: meaning),
            systemError: Int32(truncatingIfNeeded: handle.info(CURLINFO_OS_ERRNO)),
            proxyStatus: handle.info(CURLINFO_HTTP_CONNECTCODE),
            // Sent bytes include a tunnel's CONNECT, but the attempt begins after it.
            requestSent: attempts > 1 || attempts == 1 && handle.info(CURLINFO_REQUEST_SIZE) > 0,
            hasHead: hasHead,
            // libcurl begins another attempt only after a kept connection has failed.
            isConnectionKept: attempts > 1 || handle.info(CURLINFO_NUM_CONNECTS) == 0, target: target, options: options)
    }
}

extension Flight {
    private static var callbacks: oap_curl_callbacks {
        oap_curl_callbacks(
            header: { data, _, count, context in
                Flight.from(context).take(line: UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            body: { data, _, count, context in
                let flight = Flight.from(context)
                guard !flight.receiver.isPaused else { return Int(CURL_WRITEFUNC_PAUSE) }
                return flight.take(content: UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            read: { data, size, count, context in
                let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
                return Flight.from(context).fill(buffer) ?? Int(CURL_READFUNC_ABORT)
            },
            seek: { context, offset, origin in
                origin == SEEK_SET && Flight.from(context).seek(to: Int(offset))
                    ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
            },
            prerequest: { context, _, _, _, _ in
                Flight.from(context).beginAttempt() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            debug: { _, kind, data, count, context in
                Flight.from(context).note(kind, UnsafeRawBufferPointer(start: data, count: count))
                return 0
            })
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Flight {
        guard let context else { preconditionFailure("libcurl passes back the pointer that it was given") }
        return Unmanaged<Flight>.fromOpaque(context).takeUnretainedValue()
    }

    private func note(_ kind: curl_infotype, _ data: UnsafeRawBufferPointer) {
        if kind == CURLINFO_HEADER_IN, attempts > 0 { showSent() }
        trace?.note(kind, data)
        // Before the first attempt it is the head that asks a proxy for a tunnel.
        guard kind == CURLINFO_HEADER_OUT, attempts > 0 else { return }
        recording?.sentHead += data
        if upload == nil, data.suffix(4).elementsEqual("\r\n\r\n".utf8) { showSent() }
    }

    /// Shows the content of the request, once for each attempt.
    private func showSent() {
        guard let recording, !hasShownSent else { return }
        hasShownSent = true
        trace?.show(recording.sent, after: "}")
    }

    /// Refuses to send a request again that may not be repeated: the server may have acted on the first one.
    private func beginAttempt() -> Bool {
        attempts += 1
        // The head of an attempt that failed before is forgotten.
        trace?.beginHead()
        recording?.sentHead = []
        hasShownSent = false
        guard options.mayBegin?() != false else {
            return stop(.network(stage: .late, message: "it was too late to send the request", requestSent: false))
        }
        return attempts == 1 || mayRepeat
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        do throws(HTTPError) {
            guard let head = try headReader.read(line) else { return true }
            hasHead = true
            recording?.head = head
            decoder = try ContentDecoder.chain(for: head, isAsked: decodes)
            return receiver.receive(head: head) || stop(.aborted)
        } catch {
            return stop(error)
        }
    }

    private func take(content: UnsafeRawBufferPointer) -> Bool {
        // The receiver decides from the head what to do with the content.
        guard hasHead else { return stop(.malformedResponse("the response has content before its header")) }
        received += content.count
        guard let decoder else { return pass(content) }
        if decoder.decode(content, to: pass) { return true }
        return decoder.broken.map {
            stop(.malformedResponse("the response of \(target.place) cannot be read: it is no whole \($0) coding"))
        } ?? false
    }

    /// Passes content on that is decoded.
    private func pass(_ content: UnsafeRawBufferPointer) -> Bool {
        inflated += content.count
        if !options.answersSecret { recording?.received.append(content) }
        if receiver.keepsContent, isBomb(uncounted: EasyHandle.bufferSize) {
            return stop(.inflated(ratio: Self.maximumRatio))
        }
        return receiver.receive(content: content) || stop(.aborted)
    }

    /// Whether decompression exceeds the allowed ratio (a decompression bomb): buffered content uses memory that costs
    /// the server nothing. libcurl may have received `uncounted` bytes more than it says.
    private func isBomb(uncounted: Int) -> Bool {
        inflated > Self.harmlessSize && inflated / Self.maximumRatio > received + uncounted
    }

    /// The largest decompression ratio for buffered content. Repetitive JSON reaches 20 to 60, and DEFLATE at most
    /// 1032.
    private static let maximumRatio = 200
    /// The size in bytes below which the ratio is not checked: a filter needs up to 110 times as much memory.
    private static let harmlessSize = 1 << 20

    /// Reads the next bytes to send; nil when that fails.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let upload else { return 0 }
        let wanted = min(buffer.count, upload.size.map { $0 - uploaded } ?? buffer.count)
        guard wanted > 0 else { return 0 }
        guard !upload.isWaiting else { return Int(CURL_READFUNC_PAUSE) }
        let count: Int
        do throws(ContentError) {
            count = try upload.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: uploaded)
        } catch {
            _ = stop(.file(path: upload.name, message: error.reason))
            return nil
        }
        if count == 0, upload.size != nil {
            _ = stop(.file(path: upload.name, message: "became shorter while it was being sent"))
            return nil
        }
        recording?.sent.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        uploaded += count
        return count
    }

    private func seek(to offset: Int) -> Bool {
        guard let upload, upload.canRead(at: offset) else { return false }
        uploaded = offset
        return true
    }

    private func stop(_ error: HTTPError) -> Bool {
        ownFailure = error
        return false
    }
}
