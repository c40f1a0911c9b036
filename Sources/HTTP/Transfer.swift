internal import CLibCurl
internal import Glibc
internal import Wire

/// One request in progress: the callbacks for libcurl, and their results.
///
/// libcurl keeps a pointer to it from `attach(to:)` until the handle is reset.
final class Transfer {
    /// Why this program ended the transfer; nil if libcurl failed.
    private(set) var ownFailure: HTTPError?
    /// How often libcurl was about to send the request.
    private(set) var attempts = 0
    /// Whether the head of the final response has arrived.
    private(set) var hasHead = false

    private let upload: (any ContentSource)?
    private let receiver: any ResponseReceiver
    private let trace: Trace?
    private let mayRepeat: Bool
    private var headReader: ResponseHeadReader
    private var uploaded = 0
    private var inflated = 0
    private var download: DownloadCounter?
    private let errorBuffer: UnsafeMutablePointer<CChar>

    /// A transfer of a request to a receiver. With `mayRepeat`, libcurl may send the request again when a reused
    /// connection turns out to be dead.
    init(url: String, upload: (any ContentSource)?, receiver: any ResponseReceiver, trace: Trace?, mayRepeat: Bool) {
        self.upload = upload
        self.receiver = receiver
        self.trace = trace
        self.mayRepeat = mayRepeat
        headReader = ResponseHeadReader(url: url)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { errorBuffer.deallocate() }

    /// libcurl's error message, possibly empty.
    var libraryMessage: String { String(cString: errorBuffer) }

    /// Sets the handle's callbacks to this object. The handle must be reset before this object is destroyed.
    func attach(to handle: borrowing EasyHandle) throws(HTTPError) {
        let callbacks = oap_curl_callbacks(
            header: { data, _, count, context in
                Transfer.from(context).take(line: UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            body: { data, _, count, context in
                Transfer.from(context).take(content: UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            read: { data, size, count, context in
                let buffer = UnsafeMutableRawBufferPointer(start: data, count: size * count)
                return Transfer.from(context).fill(buffer) ?? Int(CURL_READFUNC_ABORT)
            },
            seek: { context, offset, origin in
                origin == SEEK_SET && Transfer.from(context).seek(to: Int(offset))
                    ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
            },
            prerequest: { context, _, _, _, _ in
                Transfer.from(context).beginAttempt() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            debug: { _, kind, data, count, context in
                Transfer.from(context).trace?.note(kind, UnsafeRawBufferPointer(start: data, count: count))
                return 0
            })
        download = handle.downloadCounter
        try handle.set(callbacks, context: Unmanaged.passUnretained(self).toOpaque())
        try handle.set(errorBuffer: errorBuffer)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl passes back the pointer that it was given") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}

extension Transfer {
    /// Refuses to send a request again that may not be repeated: the server may have acted on the first one.
    private func beginAttempt() -> Bool {
        attempts += 1
        trace?.beginHead()
        return attempts == 1 || mayRepeat
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        switch headReader.read(line) {
        case .incomplete: return true
        case .complete(let head):
            hasHead = true
            return receiver.receive(head: head) || stop(.aborted)
        case .tooLarge(let limit): return stop(.tooLarge(limit: limit))
        }
    }

    private func take(content: UnsafeRawBufferPointer) -> Bool {
        // The receiver decides from the head what to do with the content.
        guard hasHead else { return stop(.malformedResponse("the answer has content before it has a head")) }
        inflated += content.count
        if receiver.keepsContent, isBomb { return stop(.inflated(ratio: Self.maximumRatio)) }
        return receiver.receive(content: content) || stop(.aborted)
    }

    /// Whether decompression exceeds the allowed ratio (a decompression bomb): buffered content uses memory that costs
    /// the server nothing.
    private var isBomb: Bool {
        guard inflated > Self.harmlessSize, let download else { return false }
        return inflated / Self.maximumRatio > download.bytes + EasyHandle.bufferSize
    }

    /// The largest decompression ratio for buffered content. Repetitive JSON reaches 20 to 60, and DEFLATE at most
    /// 1032.
    private static let maximumRatio = 200
    /// The size in bytes below which the ratio is not checked.
    private static let harmlessSize = 16 << 20

    /// Reads the next bytes to send; nil when that fails.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let upload else { return 0 }
        let wanted = min(buffer.count, upload.size.map { $0 - uploaded } ?? buffer.count)
        guard wanted > 0 else { return 0 }
        let count: Int
        do throws(ContentError) {
            count = try upload.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        } catch {
            _ = stop(.file(path: upload.name, message: error.reason))
            return nil
        }
        if count == 0, upload.size != nil {
            _ = stop(.file(path: upload.name, message: "became shorter while it was being sent"))
            return nil
        }
        uploaded += count
        return count
    }

    private func seek(to offset: Int) -> Bool {
        guard let upload, upload.seek(to: offset) else { return false }
        uploaded = offset
        return true
    }

    private func stop(_ error: HTTPError) -> Bool {
        ownFailure = error
        return false
    }
}
