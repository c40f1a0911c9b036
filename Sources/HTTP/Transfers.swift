internal import CLibCurl
package import Errands
package import System
package import Wire

/// Transfers that run at the same time, on one thread; connections are reused (libcurl's multi interface).
///
/// TLS 1.2 or newer with all checks, and `https` only, except on loopback. libcurl's automatic features are off: no
/// redirects, cookies, netrc, HSTS or Alt-Svc.
package final class Transfers {
    /// A transfer that has ended, and its failure, or nil for a complete response.
    package typealias Ended = (id: TransferID, failure: HTTPError?)

    private let trace: Trace?
    private let archive: HTTPArchive?
    private let learn: (HTTPResponse) -> Void
    private let multi: UnsafeMutableRawPointer
    /// The transfers that have not ended, by the pointers of their handles.
    private var flights: [UnsafeMutableRawPointer: Flight] = [:]
    /// Handles for further transfers; they remember TLS sessions.
    private var idle: [EasyHandle] = []
    private var count = 0
    /// The files of certificates and keys that can be read.
    private var checkedFiles: [String] = []
    private var certificates = CertificateFiles()
    /// Whether several transfers have run at the same time: only then does `-v` show their numbers.
    private var isParallel = false
    /// Whether the system's directory of authorities failed to verify a certificate before.
    private var needsBundle = false

    /// Loads libcurl if necessary. `learn` is called with a response before its content is shown or kept, to find the
    /// secrets in it.
    package init(
        trace: Trace? = nil, archive: HTTPArchive? = nil, learn: @escaping (HTTPResponse) -> Void = { _ in }
    ) throws(HTTPError) {
        if let reason = HTTPLibrary.loadFailure { throw .library(reason) }
        guard let multi = oap_curl_multi_open() else { throw .library("no handle") }
        self.multi = multi
        (self.trace, self.archive, self.learn) = (trace, archive, learn)
    }

    deinit {
        // Closing a TLS connection writes to its socket, which the server may have closed.
        withBrokenPipeBlocked {
            for flight in flights.values { remove(flight) }
            oap_curl_multi_close(multi)
        }
    }

    /// Starts a transfer, whose content may be an upload; `carryOn` carries it on. The time limits of the options begin now.
    /// May not be called by a receiver.
    package func start(
        _ request: HTTPRequest, upload: (any ContentSource)? = nil, options: TransportOptions,
        withCertificate: Bool = true, receiver: any ResponseReceiver
    ) throws(HTTPError) -> TransferID {
        let target = try RequestTarget(request.url, reachesMetadata: options.reachesMetadata)
        if let reason = request.syntaxFault(hasUpload: upload != nil) { throw .invalidRequest(reason) }
        let isSecure = target.url.scheme == "https"
        if isSecure { try options.checkFile(&checkedFiles) }
        let certificate = isSecure && withCertificate ? try certificates.read(of: options) : nil
        // An earlier request may have read it.
        guard upload?.canRead(at: 0) != false else {
            throw .file(path: upload?.name ?? "", message: "was read from a pipe, and cannot be sent again")
        }
        let handle = if let used = idle.popLast() { used } else { try EasyHandle() }
        let flight = Flight(
            TransferID(number: count), request, to: target, upload: upload, options: options, receiver: receiver,
            trace: trace?.part(count),
            recording: archive != nil || trace?.showsContent == true ? Recording(request) : nil, handle: handle)
        try flight.prepare(request, with: certificate, setsBundleAside: !needsBundle)
        try add(flight)
        count += 1
        if flights.count > 1 { isParallel = true }
        if isParallel { for flight in flights.values { flight.trace?.showsNumber = true } }
        return flight.id
    }

    package var isEmpty: Bool { flights.isEmpty }

    /// Carries the transfers on until one has ended, a watched descriptor is ready, or the time has come; at least one is
    /// under way. `wait` says what else is waited for; it is asked after each step, since a receiver may have changed it.
    /// Signal handlers run meanwhile. SIGPIPE is blocked on this thread.
    package func carryOn(
        _ wait: () -> (until: MonotonicTime?, watched: [Watched])
    ) -> (ended: [Ended], ready: [Watched]) {
        withBrokenPipeBlocked {
            while true {
                let code = oap_curl_multi_perform(multi)
                let ended = code == CURLM_OK ? takeEnded() : failAll(code)
                guard ended.isEmpty else { return (ended, []) }
                let (end, watched) = wait()
                let left = end?.milliseconds(since: .now) ?? Int64(Int32.max)
                var others = watched.map {
                    curl_waitfd(fd: $0.descriptor, events: $0.events(CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT), revents: 0)
                }
                let waited = oap_curl_multi_wait(multi, &others, UInt32(others.count), Int32(clamping: left))
                guard waited == CURLM_OK else { return (failAll(waited), []) }
                let ready = zip(others, watched).filter { $0.0.revents != 0 }.map(\.1)
                if left == 0 || !ready.isEmpty { return ([], ready) }
            }
        }
    }

    /// Ends a transfer of which nothing is wanted any more. Its receiver is not called again.
    package func cancel(_ id: TransferID) {
        guard let flight = flights.values.first(where: { $0.id == id }) else { return }
        withBrokenPipeBlocked { land(flight, .aborted, isReusable: false) }
    }

    /// Goes on with a transfer that its receiver or the source of its content has paused. Its receiver may be called before
    /// this returns.
    package func resume(_ id: TransferID) {
        guard let flight = flights.values.first(where: { $0.id == id }) else { return }
        withBrokenPipeBlocked { flight.resume() }
    }

    private func add(_ flight: Flight) throws(HTTPError) {
        let code = oap_curl_multi_add(multi, flight.handle.pointer)
        guard code == CURLM_OK else { throw .library(Self.message(code)) }
        flights[flight.handle.pointer] = flight
    }

    /// Takes a transfer out, after which libcurl has no pointers to it.
    private func remove(_ flight: Flight) {
        oap_curl_multi_remove(multi, flight.handle.pointer)
        flight.handle.reset()
    }

    private func takeEnded() -> [Ended] {
        var ended: [Ended] = []
        var code = CURLE_OK
        while let pointer = oap_curl_multi_finished(multi, &code) {
            guard let flight = flights[pointer] else { preconditionFailure("a transfer ends after it has started") }
            if code == CURLE_PEER_FAILED_VERIFICATION, flight.useBundle() {
                needsBundle = true
                oap_curl_multi_remove(multi, pointer)
                if oap_curl_multi_add(multi, pointer) == CURLM_OK { continue }
            }
            let failure = flight.failure(code)
            ended.append((flight.id, failure))
            land(flight, failure, isReusable: code == CURLE_OK)
        }
        return ended
    }

    /// Ends every transfer: libcurl itself has failed, for example for want of memory.
    private func failAll(_ code: CURLMcode) -> [Ended] {
        let failure = HTTPError.network(stage: .read, message: Self.message(code), requestSent: true)
        return flights.values.map {
            land($0, failure, isReusable: false)
            return ($0.id, failure)
        }
    }

    /// Takes a transfer out. After a failure its handle may keep a buffer whose size cannot be set any more.
    private func land(_ flight: Flight, _ failure: HTTPError?, isReusable: Bool) {
        if let recording = flight.recording {
            recording.end(failure, flight.handle)
            recording.response.map(learn)
            flight.trace?.show(recording.received, after: "{")
            archive?.add(recording)
        }
        remove(flight)
        flights[flight.handle.pointer] = nil
        if isReusable { idle.append(flight.handle) }
    }

    private static func message(_ code: CURLMcode) -> String { String(cString: oap_curl_multi_message(code)) }
}
