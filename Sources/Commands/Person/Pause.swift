internal import Glibc
internal import System

extension Session {
    /// Waits. Where the result goes to a pipe whose reader has gone meanwhile, the process ends as at a closed output.
    func pause(seconds: Int) {
        let end = MonotonicTime.now + .seconds(seconds)
        var watched = watchedOutput.map { pollfd(fd: $0, events: 0, revents: 0) }
        while case let left = end.milliseconds(since: .now), left > 0 {
            if poll(&watched, nfds_t(watched.count), Int32(clamping: left)) > 0 { Signals.dieOfBrokenPipe() }
        }
    }

    /// Standard output, where the result goes there and it is a pipe: whose reader has gone needs no result any more.
    var watchedOutput: [Int32] {
        guard form.file == nil, let status = try? FileStatus(.standardOutput), status.isPipe else { return [] }
        return [1]
    }
}
