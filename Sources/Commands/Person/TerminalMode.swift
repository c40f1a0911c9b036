internal import Glibc

/// The mode of a terminal while this program has one of its own there: whoever gets the terminal meanwhile or after, a
/// shell above all, gets it as it was.
enum TerminalMode {
    // Read by handlers of signals, in which nothing that allocates may be called; written on the main thread, the
    // descriptor last.
    nonisolated(unsafe) private static var descriptor: Int32 = -1
    nonisolated(unsafe) private static var own = termios()
    nonisolated(unsafe) private static var others = termios()

    /// Sets the mode, and keeps both for when the process is stopped, goes on or ends.
    static func hold(_ terminal: Int32, own mode: termios, others before: termios) {
        (own, others) = (mode, before)
        descriptor = terminal
        enter()
        signal(SIGCONT) { _ in TerminalMode.enter() }
        installStop()
    }

    /// Gives the terminal back, without what was typed for nobody: behind a pasted line there may be others, which a shell
    /// would run.
    static func release() {
        if isForeground { tcsetattr(descriptor, TCSAFLUSH, &others) }
        descriptor = -1
        signal(SIGCONT, SIG_DFL)
        if stops { signal(SIGTSTP, SIG_DFL) }
    }

    /// Gives the terminal back in the handler of a signal.
    static func leave() { if isForeground { tcsetattr(descriptor, TCSANOW, &others) } }

    private static func enter() { if isForeground { tcsetattr(descriptor, TCSANOW, &own) } }

    /// Whether the terminal is held, and is this process's: from the background, changing it would stop the process.
    private static var isForeground: Bool { descriptor >= 0 && tcgetpgrp(descriptor) == getpgrp() }

    /// Whether the key that stops a process stops this one: not where whoever started it has that ignored.
    private static var stops: Bool {
        var action = sigaction()
        sigaction(SIGTSTP, nil, &action)
        return !Signals.isIgnored(action)
    }

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
            // Here it goes on.
            TerminalMode.installStop()
            TerminalMode.enter()
        }
    }
}
