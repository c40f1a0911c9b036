internal import Glibc
package import Engine
internal import JQ
internal import System

/// Ends the process by a signal, after cleaning up.
///
/// The handlers may neither allocate nor wait, so they call write(2) directly (signal-safety(7)).
package enum Signals {
    /// A file that no signal leaves behind.
    package enum Leftover {
        /// The temporary file of `-o`.
        case output
        /// The pipe for a redirect.
        case inbox
    }

    /// Their paths. They are read in handlers, and written on the main thread only, one word at a time.
    nonisolated(unsafe) private static var output: UnsafeMutablePointer<CChar>?
    nonisolated(unsafe) private static var inbox: UnsafeMutablePointer<CChar>?
    /// A hint that a signal prints, read like the paths.
    nonisolated(unsafe) private static var hint: UnsafeMutablePointer<CChar>?

    /// Whether the signals are this program's. Those of a test are not.
    nonisolated(unsafe) private static var areOwn = false

    /// Installs the handlers. A signal that was ignored at the start stays ignored.
    package static func install() {
        areOwn = true
        // A file that is too large then fails with EFBIG (setrlimit(2)), which is reported like a full disk.
        Glibc.signal(SIGXFSZ, SIG_IGN)
        // Where a parent ignores it, the status of a program is lost.
        ignoredChildren = SignalAction.isIgnored(SIGCHLD)
        if ignoredChildren { Glibc.signal(SIGCHLD, SIG_DFL) }
        for signal in deadly where !SignalAction.isIgnored(signal) {
            Glibc.signal(signal) { number in
                if Signals.postpones(number) { return }
                // The alarm of a held signal ends the process by that signal.
                let number = number == SIGALRM && Signals.isPending ? Signals.postponed : number
                Signals.removeLeftovers()
                TerminalMode.leave()
                Signals.printHint()
                Glibc.signal(number, SIG_DFL)
                raise(number)
            }
        }
        installDefectHandlers()
    }

    nonisolated(unsafe) private static var ignoredChildren = false

    /// Ignores what the parent ignores, for a program that this process becomes.
    package static func restore() { if ignoredChildren { signal(SIGCHLD, SIG_IGN) } }

    /// What a signal has to wait for.
    package enum Hold {
        /// The response to a request that cannot be repeated, until its token is stored.
        case renewal
        /// The revocation of a token, until it is deleted.
        case revocation
        /// Steps of which one alone would leave the store wrong.
        case change
        /// Requests of others that are under way, of which each has its own time.
        case requests
        /// The end of the line that is being written, two seconds at most: a filter may never end.
        case line
    }

    /// Whether termination is held back, and the pending signal (0: none). Read by the handler.
    nonisolated(unsafe) private static var renewals = 0
    nonisolated(unsafe) private static var revocations = 0
    nonisolated(unsafe) private static var changes = 0
    nonisolated(unsafe) private static var requests = 0
    nonisolated(unsafe) private static var holdsLine = false
    nonisolated(unsafe) private static var postponed: Int32 = 0
    /// When it came, in milliseconds.
    nonisolated(unsafe) private static var postponedAt = 0

    /// Written to by the handler when it holds a signal, so that a wait ends; negative without one. Read by the handler.
    nonisolated(unsafe) private static var wake: Int32 = -1
    /// The pipe of `wake`, which stays open as long as the process; the number to write to is negative without one:
    /// then a wait ends at its own time.
    private static let pipe: (reading: Int32?, writing: Int32) = {
        guard let pipe = try? Pipe(blocks: false), let ends = pipe.ends else { return (nil, -1) }
        return ((try? ends.reading.duplicate())?.number, (try? ends.writing.duplicate())?.number ?? -1)
    }()

    /// Holds every signal until `release(_:)`; the holds of a kind are counted. A second signal is not held, unless it is the
    /// same within half a second: timeout(1) sends its signal to the process and then to its group.
    package static func hold(_ what: Hold) {
        wake = pipe.writing
        count(what, 1)
        // The end of a line that a signal waits for is no reason to lose a token.
        if waitForToken { alarm(0) }
    }

    /// Whether signals wait until a token is stored or deleted, or requests of others are answered.
    static var waitForToken: Bool { renewals > 0 || revocations > 0 || changes > 0 || requests > 0 }

    /// Ends a hold. The process ends by the held signal at the next ``deliver()``, or now.
    package static func release(_ what: Hold, delivers: Bool = false) {
        count(what, -1)
        // The line that is left to wait for has its time from now on.
        if isPending, holdsLine, !waitForToken { alarm(2) }
        if delivers { deliver() }
    }

    private static func count(_ what: Hold, _ change: Int) {
        switch what {
        case .renewal: renewals += change
        case .revocation: revocations += change
        case .change: changes += change
        case .requests: requests += change
        case .line: holdsLine = change > 0
        }
    }

    private static var holds: Bool { holdsLine || waitForToken }

    /// Ends the process by the held signal, if there is one and nothing to wait for.
    package static func deliver() { if isPending, !holds { raise(postponed) } }

    package static var isPending: Bool { postponed != 0 }

    /// What the engine does about held signals.
    package static var interrupts: Engine.Interrupts {
        Engine.Interrupts(
            descriptor: { isPending ? nil : holds ? pipe.reading : nil }, deliver: deliver, hasCome: { isPending })
    }

    /// The clock that is never set, in milliseconds.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    private static func postpones(_ number: Int32) -> Bool {
        guard holds else { return false }
        // Writing the text below raises SIGPIPE if standard error is closed.
        if number == SIGPIPE { return true }
        guard postponed == 0 else { return number == postponed && now < postponedAt + 500 }
        postponed = number
        postponedAt = now
        if wake >= 0 { write(wake, "!", 1) }
        guard waitForToken else {
            alarm(2)
            return true
        }
        guard renewals > 0 || revocations > 0 || changes > 0 else { return true }
        say(
            renewals > 0
                ? "oap: waiting for the new token; a second signal ends oap without it\n"
                : revocations > 0
                    ? "oap: waiting for the end of the logout; a second signal ends oap at once\n"
                    : "oap: waiting for the end of the change; a second signal ends oap at once\n")
        return true
    }

    /// Writes to standard error, in a handler.
    private static func say(_ text: StaticString) { write(2, text.utf8Start, text.utf8CodeUnitCount) }

    /// The signals that end a process from outside.
    static let deadly = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGPOLL,
        SIGPWR, SIGSTKFLT,
    ]

    /// A defect ends with its exit status. The handler has a stack of its own, since the other may have overflowed.
    private static func installDefectHandlers() {
        let size = 65_536
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
        var action = sigaction()
        action.sa_flags = SA_ONSTACK
        action.__sigaction_handler.sa_handler = { signal in
            Signals.removeLeftovers()
            TerminalMode.leave()
            if JQLibrary.hasNoMemory {
                Signals.say("oap: the filter needs more memory than there is\n")
                _exit(Exit.filterFailed.rawValue)
            }
            // libjq aborts when a recursion fills its stack, after a line of its own.
            if signal == SIGABRT, JQLibrary.isRunning {
                Signals.say(
                    "oap: the filter failed: libjq gave up\noap: hint: look for a recursion without an end in the filter\n"
                )
                _exit(Exit.filterFailed.rawValue)
            }
            Signals.say("oap: defect: this should not have happened\noap: hint: please report it\n")
            _exit(Exit.defect.rawValue)
        }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { sigaction(signal, &action, nil) }
    }

    /// Sets a file to remove when a signal ends the process; nil for none.
    package static func removeAtDeath(_ path: String?, _ leftover: Leftover = .output) {
        guard areOwn else { return }
        let new = path.map { strdup($0) } ?? nil
        switch leftover {
        case .output: replace(&output, by: new)
        case .inbox: replace(&inbox, by: new)
        }
    }

    /// Sets a hint for a person whose signal ends the process; nil for none.
    static func tellAtDeath(_ text: String?) {
        guard areOwn else { return }
        let erasing = Terminal.isTerminal(2) ? "\r\u{1B}[K" : ""
        replace(&hint, by: text.map { strdup("\(erasing)oap: hint: \(Terminal.escaping($0))\n") } ?? nil)
    }

    private static func printHint() {
        guard let hint else { return }
        // Standard error may be closed.
        Glibc.signal(SIGPIPE, SIG_IGN)
        write(2, hint, strlen(hint))
    }

    private static func replace(_ path: inout UnsafeMutablePointer<CChar>?, by new: UnsafeMutablePointer<CChar>?) {
        let old = path
        path = new
        free(old)
    }

    /// Ends the process by SIGPIPE, or with its exit status if that is ignored, without a message.
    package static func dieOfBrokenPipe() -> Never {
        removeLeftovers()
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        sigaddset(&unblocked, SIGPIPE)
        if !SignalAction.isIgnored(SIGPIPE) { signal(SIGPIPE, SIG_DFL) }
        sigprocmask(SIG_UNBLOCK, &unblocked, nil)
        raise(SIGPIPE)
        exit(Exit.brokenPipe.rawValue)
    }

    private static func removeLeftovers() {
        if let output { unlink(output) }
        if let inbox { unlink(inbox) }
    }
}
