internal import Glibc

extension Session {
    /// Waits. Where the result goes to a pipe whose reader has gone meanwhile, the process ends as at a closed output.
    func pause(seconds: Int) {
        let end = Self.monotonicNanoseconds + Int64(seconds) * 1_000_000_000
        var watched = watchedOutput.map { pollfd(fd: $0, events: 0, revents: 0) }
        while case let left = end - Self.monotonicNanoseconds, left > 0 {
            let milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
            if poll(&watched, nfds_t(watched.count), milliseconds) > 0 { Signals.dieOfBrokenPipe() }
        }
    }

    /// Standard output, where the result goes there and it is a pipe: whose reader has gone needs no result any more.
    var watchedOutput: [Int32] {
        var status = stat()
        guard form.file == nil, fstat(1, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return [] }
        return [1]
    }

    /// A clock that never goes back.
    private static var monotonicNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
