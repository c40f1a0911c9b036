import Foundation

/// A process that was started, and this side of its pipes. What is left of its group is killed when it has ended, with
/// the value, or with the tests, whichever is first.
final class ChildProcess {
    /// Where to write what it reads.
    var input: FileDescriptor?
    /// Where to read what it writes to standard output.
    var output: FileDescriptor?
    /// Where to read what it writes to standard error.
    var errorOutput: FileDescriptor?
    /// Becomes readable when the process has ended.
    let end: FileDescriptor
    /// The process.
    let id: pid_t

    /// Whether its memory was dumped, to a file or to the program of `/proc/sys/kernel/core_pattern`; known at its end.
    private(set) var leftCoreDump = false

    private var isReaped = false
    /// The status of a program that runs in this process; nil for a process.
    private let played: PlayedProgram?

    init(_ program: Program, home: String?) throws {
        signal(SIGPIPE, SIG_IGN)  // a program that does not read its input must not end the tests
        let streams = try Streams(program)
        let (end, writing) = try FileDescriptor.pipe()
        if let player = Program.player, program.path == Program.oapPath {
            let variables = program.fullEnvironment(home: home)
            played = PlayedProgram(streams.ofChild, end: writing, in: program.directory) {
                player(program.arguments, variables)
            }
            (id, self.end, input, output, errorOutput) = (0, end, streams.input, streams.output, streams.errorOutput)
            return
        }
        played = nil
        let id = try Self.spawn(program, home: home, streams)
        ProcessWatch.shared.begin(id)
        self.id = id
        self.end = end
        input = streams.input
        output = streams.output
        errorOutput = streams.errorOutput
        Thread.detachNewThread {
            // The process stays a zombie, and its id its own, until `reap`. The event is that `writing` is closed.
            withExtendedLifetime(writing) {
                var information = siginfo_t()
                while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
            }
        }
    }

    deinit { if !isReaped { _ = kill() } }

    /// The most memory that it has had at once, in bytes; nil when it has ended.
    var peakMemory: Int? {
        guard played == nil else { return nil }
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    func send(signal: Int32) {
        precondition(played == nil, "a signal is for a process: the suite must not have the trait inProcess")
        if !isReaped { _ = Glibc.kill(id, signal) }
    }

    /// Kills the process and all it started.
    func kill() -> ProgramResult.Ending {
        // A thread cannot be killed.
        if played != nil { return .signal(Int(SIGKILL)) }
        _ = Glibc.kill(-id, SIGKILL)
        return reap()
    }

    /// Waits for the end of the process, kills what it left in its group, and forgets it.
    func reap() -> ProgramResult.Ending {
        if let played {
            isReaped = true
            return .status(Int(played.status))
        }
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        // Before its number is free: a zombie keeps it from being another group's.
        _ = Glibc.kill(-id, SIGKILL)
        ProcessWatch.shared.end(id)
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1 && errno == EINTR {}
        isReaped = true
        leftCoreDump = status & 0x80 != 0  // WCOREDUMP of wait(2)
        let signal = Int(status & 0x7f)
        return signal == 0 ? .status(Int(status >> 8 & 0xff)) : .signal(signal)
    }

    /// `POSIX_SPAWN_SETSID`, which Swift does not see.
    static let newSession: Int16 = 0x80

    private static func spawn(_ program: Program, home: String?, _ streams: Streams) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, flags | Self.newSession)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        if !program.ignoresBrokenPipes { sigaddset(&signals, SIGPIPE) }
        posix_spawnattr_setsigdefault(&attributes, &signals)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.ofChild.enumerated() {
            if let stream, number == 0, case .terminal = program.input {
                // Opened by the leader of a session that has none, it becomes the session's own, which is /dev/tty.
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/fd/\(stream.number)", O_RDWR, 0)
            } else if let stream {
                posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
            } else {
                posix_spawn_file_actions_addclose(&actions, Int32(number))
            }
        }

        if let directory = program.directory { _ = HiddenCalls.addChangeDirectory(&actions, directory) }
        // What other tests have open is nothing to this child: a socket it inherited would not close with its owner.
        _ = HiddenCalls.addCloseFrom(&actions, 3)

        let arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
        let environment = program.fullEnvironment(home: home).map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, program.path, &actions, &attributes, arguments, environment)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return id
    }
}

/// Both sides of a child's three streams.
private struct Streams {
    /// The child's descriptors 0, 1 and 2; nil is closed.
    var ofChild: [FileDescriptor?] = []
    var input: FileDescriptor?
    var output: FileDescriptor?
    var errorOutput: FileDescriptor?

    /// Opens them as the program wants them.
    init(_ program: Program) throws {
        var terminal: (person: FileDescriptor, program: FileDescriptor)?
        switch program.input {
        case .bytes, .open:
            let pipe = try FileDescriptor.pipe()
            input = pipe.writing
            ofChild.append(pipe.reading)
        case .none: ofChild.append(try FileDescriptor(path: "/dev/null", flags: O_RDONLY))
        case .closed: ofChild.append(nil)
        case .terminal:
            terminal = try FileDescriptor.terminal()
            input = terminal?.person
            ofChild.append(terminal?.program)
        case .file(let path): ofChild.append(try FileDescriptor(path: path, flags: O_RDONLY))
        }
        input?.makeNonblocking()

        switch program.output {
        case .collected:
            let pipe = try FileDescriptor.pipe()
            output = pipe.reading
            ofChild.append(pipe.writing)
        case .closed: ofChild.append(nil)
        case .broken: ofChild.append(try FileDescriptor.pipe().writing)
        case .terminal:
            let (person, program) = try terminal ?? FileDescriptor.terminal()
            output = person
            ofChild.append(program)
        case .file(let path): ofChild.append(try FileDescriptor(path: path, flags: O_WRONLY))
        }

        let pipe = try FileDescriptor.pipe()
        errorOutput = pipe.reading
        ofChild.append(pipe.writing)
    }
}

/// Functions of glibc that its headers keep from Swift, since they are in no standard (posix_spawn(3), unshare(2)).
enum HiddenCalls {
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

    static let addChangeDirectory = function(
        "posix_spawn_file_actions_addchdir_np",
        as: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)
    static let addCloseFrom = function(
        "posix_spawn_file_actions_addclosefrom_np",
        as: (@convention(c) (Actions, Int32) -> Int32).self)

    static let unshare = function("unshare", as: (@convention(c) (Int32) -> Int32).self)
    static let closeRange = function("close_range", as: (@convention(c) (UInt32, UInt32, Int32) -> Int32).self)

    private static func function<T>(_ name: String, as type: T.Type) -> T {
        guard let address = dlsym(nil, name) else { preconditionFailure("glibc 2.34 or later has \(name)") }
        return unsafeBitCast(address, to: type)
    }
}

extension Program {
    /// The environment it starts with.
    fileprivate func fullEnvironment(home: String?) -> [String: String] {
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        var clean = ["PATH": URL(fileURLWithPath: Self.oapPath).deletingLastPathComponent().path + ":" + search]
        clean["HOME"] = home
        return clean.merging(environment) { _, given in given }
    }
}
