internal import CProcess
internal import Glibc

/// A program of the docker-credential-helpers, which is asked one thing at each run: what is asked for stands on its
/// standard input, the answer or the complaint on its standard output.
struct HelperProgram {
    /// The program, looked up in `PATH`.
    let name: String
    /// The variables that it gets.
    let environment: [String]
    /// How many seconds it may take; a person may have to type a passphrase.
    let seconds: Int

    /// The most bytes of an answer.
    private static let limit = 32 << 20

    /// How a run ended.
    enum Answer {
        /// Well, with this output.
        case done([UInt8])
        /// With a complaint.
        case failed(String)
    }

    /// Runs the program.
    ///
    /// - Parameter action: `get`, `store`, `erase` or `list`.
    /// - Throws: `noHelper`; `helper` where it cannot be run, takes too long, or says too much.
    func run(_ action: String, input: String = "") throws(StoreError) -> Answer {
        let pipes = try (input: Pipe(for: name), output: Pipe(for: name))
        let process = try start(action, reading: pipes.input, writing: pipes.output)
        pipes.output.closeWriting()
        let deadline = Self.now + seconds * 1000
        do throws(StoreError) {
            let output = try exchange(Array(input.utf8), pipes.input, pipes.output, until: deadline)
            let status = try wait(for: process, until: deadline)
            if status == 0 { return .done(output) }
            let lines = String(decoding: output.prefix(1000), as: UTF8.self).split(whereSeparator: \.isNewline)
            let said = lines.joined(separator: "; ")
            return .failed(said.isEmpty ? "it ended with status \(status)" : said)
        } catch {
            var status: Int32 = 0
            kill(process, SIGKILL)
            waitpid(process, &status, 0)
            throw error
        }
    }
}

extension HelperProgram {
    private func start(_ action: String, reading: Pipe, writing: Pipe) throws(StoreError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, reading.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, writing.writing, 1)
        // The shell that started us may have left some open: the pipe of `<(pass …)` has a secret in it.
        oap_keep_descriptors()
        let arguments = [strdup(name), strdup(action), nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for string in arguments + variables { free(string) } }
        var process: pid_t = 0
        let ignored = action == "store" ? Self.ignoreSignals() : []
        defer { for (signal, var old) in ignored { sigaction(signal, &old, nil) } }
        switch posix_spawnp(&process, name, &actions, nil, arguments, variables) {
        case 0: return process
        case ENOENT: throw .noHelper(name)
        case let code: throw .helper(name, reason: "it cannot be started: \(systemReason(code))")
        }
    }

    /// Ignores, for a program that is started now, the signals that a terminal or a system sends to a whole group: what it
    /// stores may be a token that cannot be had again. It needs no person for that.
    ///
    /// - Returns: what is to be put back.
    private static func ignoreSignals() -> [(signal: Int32, old: sigaction)] {
        [SIGINT, SIGTERM, SIGHUP].map { signal in
            var (ignore, old) = (sigaction(), sigaction())
            ignore.__sigaction_handler.sa_handler = SIG_IGN
            sigaction(signal, &ignore, &old)
            return (signal, old)
        }
    }

    /// Writes the input and reads the output to its end, both as they go: neither side waits for the other for good.
    private func exchange(
        _ input: [UInt8], _ to: Pipe, _ from: Pipe, until deadline: Int
    ) throws(StoreError) -> [UInt8] {
        _ = fcntl(to.writing, F_SETFL, O_NONBLOCK)
        var (rest, output) = (input[...], [UInt8]())
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            // Our own reading end stays open until all is written, so that a program that does not read is no SIGPIPE.
            if rest.isEmpty { to.close() }
            var events = [
                pollfd(fd: from.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : to.writing, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&events, 2, Int32(max(0, deadline - Self.now))) != 0 else { throw tooSlow }
            if events[1].revents != 0 {
                let count = rest.withUnsafeBytes { write(to.writing, $0.baseAddress, $0.count) }
                rest = rest.dropFirst(max(0, count))
            }
            guard events[0].revents != 0 else { continue }
            let count = read(from.reading, &chunk, chunk.count)
            if count == 0 || (count < 0 && errno != EINTR) { return output }
            output += chunk[..<max(0, count)]
            guard output.count <= Self.limit else { throw .helper(name, reason: "its answer is too large") }
        }
    }

    /// Waits for the end of the program, which has nothing to say any more.
    private func wait(for process: pid_t, until deadline: Int) throws(StoreError) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            guard Self.now < deadline else { throw tooSlow }
            usleep(1000)
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    private var tooSlow: StoreError { .helper(name, reason: "it gave no answer within \(seconds) seconds") }

    /// Milliseconds of a clock that nobody sets.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

/// A pipe whose ends no other program gets.
final class Pipe {
    /// The end to read from; -1 when it is closed.
    private(set) var reading: Int32
    /// The end to write to; -1 when it is closed.
    private(set) var writing: Int32

    /// Opens a pipe.
    ///
    /// - Throws: `helper`, in the name of the program that it is for.
    init(for program: String) throws(StoreError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .helper(program, reason: systemReason()) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit { close() }

    /// Closes the end to write to.
    func closeWriting() {
        if writing >= 0 { _ = Glibc.close(writing) }
        writing = -1
    }

    /// Closes both ends.
    func close() {
        closeWriting()
        if reading >= 0 { _ = Glibc.close(reading) }
        reading = -1
    }
}
