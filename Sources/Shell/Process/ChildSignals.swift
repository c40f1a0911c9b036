internal import Glibc
internal import System

/// Signals while a command runs as a child of this process: they are passed on, and this process lives as long as it does.
enum ChildSignals {
    /// The command; 0 before and after. Read by the handler.
    nonisolated(unsafe) private static var child: pid_t = 0
    /// The pipe that says that the command has stopped or ended. Read by the handler.
    nonisolated(unsafe) private static var wake: Int32 = -1

    /// The signals that are passed on. A program that is stopped alone is continued with this one.
    private static let forwarded = Signals.deadly.filter { $0 != SIGPIPE } + [SIGCONT]

    /// Starts the command. Signals that come meanwhile are passed on afterwards.
    ///
    /// - Returns: the command, and a descriptor that becomes readable whenever it stops or ends.
    static func start(_ program: ProgramStart) throws(Errno) -> (Subprocess, changes: FileDescriptor) {
        let pipe = try Pipe(blocks: false)
        guard let reading = try pipe.reading?.duplicate(), let writing = try pipe.writing?.duplicate() else {
            throw Errno.noSuchFile
        }
        wake = writing.number
        var (mask, before) = (sigset_t(), sigset_t())
        sigemptyset(&mask)
        for number in forwarded { sigaddset(&mask, number) }
        sigprocmask(SIG_BLOCK, &mask, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        var program = program
        if !SignalAction.isIgnored(SIGPIPE) { program.restored = [SIGPIPE] }
        // The reader of this process's output may go away while the command has things to do.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGCHLD) { _ in
            let saved = errno
            var byte: UInt8 = 0
            _ = write(ChildSignals.wake, &byte, 1)
            errno = saved
        }
        let process = try program.start()
        child = process.id
        forwarded.forEach(forward)
        return (process, reading)
    }

    /// Passes nothing on any more: the number of the process may be another's.
    static func stop() { child = 0 }

    private static func forward(_ number: Int32) {
        guard !SignalAction.isIgnored(number) else { return }
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | SA_RESTART
        action.__sigaction_handler.sa_sigaction = { number, info, _ in
            // The terminal sends its signals to all processes in its foreground.
            guard let info, info.pointee.si_code != 0x80, ChildSignals.child > 0 else { return }  // SI_KERNEL
            let saved = errno
            kill(ChildSignals.child, number)
            errno = saved
        }
        sigaction(number, &action, nil)
    }
}
