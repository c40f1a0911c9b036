internal import Glibc
internal import System

/// Signals as a descriptor to wait for: a handler writes each signal to a pipe.
struct SignalPipe: ~Copyable {
    private let pipe: Pipe

    /// The writing end, for the handler to read. There is one for the life of the process.
    nonisolated(unsafe) private static var writingEnd: Int32 = -1

    /// Installs the handlers. Signals that were ignored at the start stay ignored.
    init() throws(Failure) {
        pipe = try Failure.system("cannot make a pipe", try Pipe(blocks: false))
        Self.writingEnd = pipe.writing?.number ?? -1
        for number in [SIGHUP, SIGINT, SIGTERM, SIGCHLD] {
            var old = sigaction()
            sigaction(number, nil, &old)
            let handler = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
            guard handler != unsafeBitCast(SIG_IGN, to: Int.self) || number == SIGCHLD else { continue }
            signal(number) { number in
                let saved = errno
                // In a handler nothing may allocate, or wait (signal-safety(7)).
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.writingEnd, &byte, 1)
                errno = saved
            }
        }
        // A client that hangs up must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Readable when a signal has come.
    var descriptor: Int32 { pipe.reading?.number ?? -1 }

    borrowing func next() -> Int32? {
        guard let reading = pipe.reading, reading.isReadable else { return nil }
        return (try? reading.read(upTo: 1))?.first.map { Int32($0) }
    }

    /// Ends the process as the signal would have.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
