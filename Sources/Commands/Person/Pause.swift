internal import Glibc
internal import System

/// Waits, unless the reader of the result goes away meanwhile.
enum Pause {
    /// Waits. If the reader of a watched pipe goes away, the process ends by SIGPIPE.
    ///
    /// - Parameter watched: the descriptors of the pipes.
    static func wait(until end: MonotonicTime, watching watched: [Int32] = []) {
        var watched = watched.map { pollfd(fd: $0, events: 0, revents: 0) }
        while case let left = end.milliseconds(since: .now), left > 0 {
            if poll(&watched, nfds_t(watched.count), Int32(clamping: left)) > 0 { Signals.dieOfBrokenPipe() }
        }
    }
}
