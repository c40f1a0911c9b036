internal import CProcess
internal import Glibc

/// The start of a program (posix_spawn(3)). Its signals are unblocked: it would inherit a blocked SIGPIPE while a transfer
/// runs.
package struct ProgramStart {
    /// The program, looked up in `PATH`, and its arguments.
    package var words: [String]
    /// The environment variables of the program, each `NAME=VALUE`.
    package var variables: [String]
    package var streams = Streams.own
    /// Whether it inherits descriptors from 3 that are not close-on-exec. A shell may have left some open, such as the pipe
    /// of `<(pass …)`, which holds a secret.
    package var inheritsDescriptors = false
    /// Whether the program gets a new session, and with that no terminal.
    package var hasOwnSession = false
    /// Signals that it ignores. A blocked one would not do: shells unblock what they inherit.
    package var ignored: [Int32] = []
    /// Signals that this process ignores and the program does not, besides SIGXFSZ.
    package var restored: [Int32] = []

    /// The standard streams of a program.
    package enum Streams {
        /// The streams of this process.
        case own
        /// `/dev/null` for all three.
        case none
        /// These two, and the standard error of this process.
        case given(input: FileDescriptor, output: FileDescriptor)
        /// These two, and the standard input of this process.
        case outputs(output: FileDescriptor, error: FileDescriptor)
    }

    package init(_ words: [String], variables: [String]) { (self.words, self.variables) = (words, variables) }

    package func start() throws(Errno) -> Subprocess {
        guard let program = words.first else { throw Errno(EINVAL) }
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        add(streams, to: &actions)
        // Only in the child: marking descriptors of this process would affect programs that other threads start.
        if !inheritsDescriptors { _ = oap_close_others(&actions) }
        set(&attributes)
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var id: pid_t = 0
        let code = ignoring { posix_spawnp(&id, program, &actions, &attributes, arguments, environment) }
        guard code == 0 else { throw Errno(code) }
        return Subprocess(id: id)
    }

    private func add(_ streams: Streams, to actions: inout posix_spawn_file_actions_t) {
        switch streams {
        case .own: break
        case .none:
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        case .given(let input, let output):
            posix_spawn_file_actions_adddup2(&actions, input.number, 0)
            posix_spawn_file_actions_adddup2(&actions, output.number, 1)
        case .outputs(let output, let error):
            posix_spawn_file_actions_adddup2(&actions, output.number, 1)
            posix_spawn_file_actions_adddup2(&actions, error.number, 2)
        }
    }

    private func set(_ attributes: inout posix_spawnattr_t) {
        var (mask, defaults) = (Self.set(of: []), Self.set(of: restored + [SIGXFSZ]))
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let newSession: Int32 = hasOwnSession ? 0x80 : 0  // POSIX_SPAWN_SETSID, which Swift does not see
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))
    }

    /// Carries out a step while this process ignores the signals of the program, which inherits that: posix_spawn(3) cannot
    /// set it. Other starts wait, or one would restore what another has set. The signals are blocked meanwhile: one that
    /// arrives is pending, and not lost.
    private func ignoring(_ step: () -> Int32) -> Int32 {
        pthread_mutex_lock(&Self.lock)
        defer { pthread_mutex_unlock(&Self.lock) }
        var (blocked, mask, ignore) = (Self.set(of: ignored), sigset_t(), sigaction())
        pthread_sigmask(SIG_BLOCK, &blocked, &mask)
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        let former = ignored.map { signal in
            var action = sigaction()
            sigaction(signal, &ignore, &action)
            return (signal, action)
        }
        defer {
            for (signal, var action) in former { sigaction(signal, &action, nil) }
            pthread_sigmask(SIG_SETMASK, &mask, nil)
        }
        return step()
    }

    nonisolated(unsafe) private static var lock = pthread_mutex_t()

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
