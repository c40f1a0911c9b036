internal import CLibMicroHTTPD
internal import System

/// A connection whose requests are taken as they come.
extension Connection {
    /// Gives the request to a taker, before its content comes.
    ///
    /// - Returns: false if the library may not continue with the connection.
    func begin(_ taker: any LoopbackTaker, hasContent: Bool) -> Bool {
        self.taker = taker
        hasTakenEnd = false
        // The rest of such a request is of no use to anybody, and may be endless.
        guard hasContent, var response = taker.response else { return true }
        response.closes = true
        return answer(response)
    }

    var isTaken: Bool { taker != nil }

    func pass(_ bytes: UnsafeRawBufferPointer, to taker: any LoopbackTaker) -> Int {
        due = .now + limits.time
        if case .receiving = stage, taker.response == nil {
            let count = taker.take(bytes)
            if count < bytes.count, taker.response == nil { sleep() }
            return count
        }
        return bytes.count
    }

    /// Answers the complete request, or waits for the response.
    ///
    /// - Returns: false if the library may not continue with the connection.
    func goOn() -> Bool {
        guard let taker else { return false }
        if !hasTakenEnd {
            hasTakenEnd = true
            taker.takeEnd()
        }
        guard let response = taker.response else {
            sleep()
            return true
        }
        return answer(response)
    }

    private func sleep() {
        guard !isHungUp else { return abandon() }
        wakesTo = stage
        stage = .asleep
        oap_mhd_suspend(handle)
    }

    /// Goes on, in the next run of the daemon. Only while it is asleep.
    func wake() {
        stage = wakesTo
        due = .now + limits.time
        oap_mhd_resume(handle)
    }

    /// The client has closed its end, which the library does not see of a connection that is suspended.
    func hangUp() {
        isHungUp = true
        guard isAsleep else { return }
        abandon()
        wake()
    }

    private func abandon() {
        release()
        shutDown()
    }

    /// Lets go of the taker: the response was sent, or the client is gone.
    func release() {
        let last = taker
        taker = nil
        last?.close()
    }

    /// The content of a response that the taker gives.
    var taken: TakenContent {
        TakenContent(context: Unmanaged.passUnretained(self).toOpaque(), read: Self.fill)
    }

    private static let fill: MHD_ContentReaderCallback = { context, _, buffer, size in
        guard let context, let buffer else { return -2 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.fill(UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch taker?.fill(buffer) {
        case .bytes(let count)?: return count
        case .wait?:
            sleep()
            return 0
        case .end?: return -1  // MHD_CONTENT_READER_END_OF_STREAM, whose macro Swift does not see
        case .broken?, nil: return -2  // MHD_CONTENT_READER_END_WITH_ERROR
        }
    }
}
