internal import Glibc

/// Signals as something to wait for beside the network: a handler writes each into a pipe.
struct SignalPipe: ~Copyable {
    /// Readable when a signal has come.
    let descriptor: Int32

    /// The writing end, for the handler to read. There is one for the whole life of the process.
    nonisolated(unsafe) private static var writingEnd: Int32 = -1

    /// Starts to listen for signals. Those that were ignored at the start stay ignored.
    ///
    /// - Throws: with status 11, when there is no pipe to be had.
    init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(.fileFailed, "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        Self.writingEnd = ends[1]
        for number in [SIGHUP, SIGINT, SIGTERM, SIGCHLD] {
            var old = sigaction()
            sigaction(number, nil, &old)
            let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == Self.ignored
            guard !isIgnored || number == SIGCHLD else { continue }
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.writingEnd, &byte, 1)
                errno = saved
            }
        }
        // A client that hangs up must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    deinit { close(descriptor) }

    /// The next signal; nil when there is none.
    borrowing func next() -> Int32? {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }

    /// Ends the process as the signal would have.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
