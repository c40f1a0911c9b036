internal import Glibc

/// Sets the mode of a terminal, and restores it whenever the process stops or ends: a shell gets it unchanged.
package enum TerminalMode {
    // Read in signal handlers, which may not allocate; written on the main thread, the descriptor last.
    nonisolated(unsafe) private static var descriptor: Int32 = -1
    nonisolated(unsafe) private static var own = termios()
    nonisolated(unsafe) private static var others = termios()

    /// Lets lines be longer than the 4,095 bytes that a terminal collects, since a redirected URL may be: the process
    /// collects them itself (``TypedLine``). Both modes are remembered for when it is stopped, continued or ended.
    ///
    /// - Returns: whether it is a terminal.
    package static func holdWithoutLines(_ terminal: Int32) -> Bool {
        var mode = termios()
        guard tcgetattr(terminal, &mode) == 0 else { return false }
        (own, others) = (mode, mode)
        own.c_lflag &= ~tcflag_t(ICANON)
        descriptor = terminal
        enter()
        signal(SIGCONT) { _ in TerminalMode.enter() }
        installStop()
        return true
    }

    /// Restores the mode and discards unread input: the shell would run further pasted lines.
    package static func release() {
        if isForeground { tcsetattr(descriptor, TCSAFLUSH, &others) }
        descriptor = -1
        signal(SIGCONT, SIG_DFL)
        if stops { signal(SIGTSTP, SIG_DFL) }
    }

    /// Restores the mode in a signal handler.
    package static func leave() { if isForeground { tcsetattr(descriptor, TCSANOW, &others) } }

    private static func enter() { if isForeground { tcsetattr(descriptor, TCSANOW, &own) } }

    /// Whether the terminal is held and this process is in its foreground: in the background, a change would stop it.
    private static var isForeground: Bool { descriptor >= 0 && tcgetpgrp(descriptor) == getpgrp() }

    /// Whether SIGTSTP stops this process: it may have been started with the signal ignored.
    private static var stops: Bool { !SignalAction.isIgnored(SIGTSTP) }

    private static func installStop() {
        guard stops else { return }
        signal(SIGTSTP) { number in
            TerminalMode.leave()
            signal(number, SIG_DFL)
            var stop = sigset_t()
            sigemptyset(&stop)
            sigaddset(&stop, number)
            raise(number)
            sigprocmask(SIG_UNBLOCK, &stop, nil)
            // Continued by SIGCONT.
            TerminalMode.installStop()
            TerminalMode.enter()
        }
    }
}
