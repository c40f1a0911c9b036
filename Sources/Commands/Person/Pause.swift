internal import Glibc
internal import System

extension Session {
    /// Waits. If standard output is a pipe that receives the result and its reader goes away, the process ends by
    /// SIGPIPE.
    func pause(seconds: Int) {
        let end = MonotonicTime.now + .seconds(seconds)
        var watched = watchedOutput.map { pollfd(fd: $0, events: 0, revents: 0) }
        while case let left = end.milliseconds(since: .now), left > 0 {
            if poll(&watched, nfds_t(watched.count), Int32(clamping: left)) > 0 { Signals.dieOfBrokenPipe() }
        }
    }

    /// Standard output if it is a pipe and receives the result; when its reader is gone, the command can stop.
    var watchedOutput: [Int32] {
        guard form.file == nil, let status = try? FileStatus(.standardOutput), status.isPipe else { return [] }
        return [1]
    }
}
