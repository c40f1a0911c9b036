internal import Glibc

/// A program that this process has started, and has to wait for.
package struct Subprocess: Sendable {
    /// Its process.
    package let id: Int32

    /// Its exit status, 128 and the number of the signal that ended it, or nil while it runs (waitpid(2)). It is told once.
    package func status() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Sends it a signal (kill(2)).
    package func send(_ signal: Int32) { Glibc.kill(id, signal) }

    /// Ends it at once, and waits for that.
    package func kill() {
        var status: Int32 = 0
        send(SIGKILL)
        waitpid(id, &status, 0)
    }
}
