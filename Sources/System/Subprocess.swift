internal import CProcess
internal import Glibc

/// A child process. It stays a zombie until its status is read.
package struct Subprocess: Sendable {
    package let id: Int32

    /// The exit status of the process, or 128 plus the number of the signal that ended it; nil while it runs
    /// (waitpid(2)). It can be read once.
    package func status() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        return Self.exitStatus(status)
    }

    /// What has become of a child process.
    package enum Change: Sendable {
        /// The process is stopped, and can be continued.
        case stopped
        /// The process ended with this exit status.
        case exited(Int32)
        /// The process was ended by this signal.
        case killed(Int32)
    }

    /// What the process became since the last time (waitpid(2), `WUNTRACED`); nil if nothing. Its end can be read once.
    package func change() -> Change? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG | WUNTRACED) == id else { return nil }
        let signal = status & 0x7F
        if signal == 0x7F { return .stopped }
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Waits for its end (waitpid(2)), and returns as `status()` does.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, Errno.current == .interrupted {}
        return Self.exitStatus(status)
    }

    /// A descriptor that becomes readable when it ends (pidfd_open(2)); nil if the system has none.
    package func watch() -> FileDescriptor? {
        let number = oap_watch_process(id)
        return number < 0 ? nil : FileDescriptor(number)
    }

    /// Sends it a signal (kill(2)).
    package func send(_ signal: Int32) { Glibc.kill(id, signal) }

    /// Kills it with all that it has started and that is still below it, and waits for its end. Its process group is that
    /// of this process: one of its own would lose the terminal, and the signals that end a job as a whole.
    package func killTree() {
        Self.killTree(id)
        _ = wait()
    }

    /// A process that is stopped starts no other meanwhile (proc_pid_task(5), `children`).
    private static func killTree(_ id: Int32) {
        Glibc.kill(id, SIGSTOP)
        let tasks = "/proc/\(id)/task"
        for task in (try? Folder.names(in: tasks)) ?? [] {
            for line in OpenFile.lines(of: "\(tasks)/\(task)/children") {
                line.split(separator: " ").compactMap { Int32($0) }.forEach(killTree)
            }
        }
        Glibc.kill(id, SIGKILL)
    }
}
