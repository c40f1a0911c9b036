internal import Glibc
internal import System

/// A docker-credential-helper. Each run performs one action: it reads its subject from standard input, and writes the answer
/// or a complaint to standard output.
struct HelperProgram {
    /// The program, looked up in `PATH`.
    let name: String
    /// Its environment variables.
    let environment: [String]
    /// The time limit in seconds; the user may have to type a passphrase.
    let seconds: Int
    /// Masks the secrets in a complaint and shortens it. It gets at most 64 KiB.
    let masking: (String) -> String

    /// The most bytes of an answer.
    private static let limit = 32 << 20

    /// How a run ended.
    enum Answer {
        /// Successfully, with this output.
        case done([UInt8])
        /// With a complaint.
        case failed(String)
    }

    /// Runs the program.
    ///
    /// - Parameter action: `get`, `store`, `erase` or `list`.
    /// - Throws: `noHelper`; `helper` if it cannot be run, takes too long, or its answer is too large.
    func run(_ action: String, input: String = "") throws(StoreError) -> Answer {
        var to = try pipe()
        var from = try pipe()
        guard let reading = to.reading, let writing = from.writing else { preconditionFailure("a new pipe is closed") }
        let process = try start(action, reading: reading, writing: writing)
        from.closeWriting()
        let deadline = MonotonicTime.now + .seconds(seconds)
        do throws(StoreError) {
            let output = try exchange(Array(input.utf8), &to, from, until: deadline)
            let status = try wait(for: process, until: deadline)
            if status == 0 { return .done(output) }
            let complaint = masking(String(decoding: output.prefix(64 << 10), as: UTF8.self))
            let said = complaint.split(whereSeparator: \.isNewline).joined(separator: "; ")
            return .failed(said.isEmpty ? "it ended with status \(status)" : said)
        } catch {
            process.kill()
            throw error
        }
    }
}

extension HelperProgram {
    private func pipe() throws(StoreError) -> Pipe {
        do throws(Errno) {
            return try Pipe()
        } catch {
            throw .helper(name, reason: error.description)
        }
    }

    private func start(
        _ action: String, reading: FileDescriptor, writing: FileDescriptor
    ) throws(StoreError) -> Subprocess {
        var program = ProgramStart([name, action], variables: environment)
        program.streams = .given(input: reading, output: writing)
        // A terminal sends them to the whole process group, and the token may be impossible to get again.
        if action == "store" { program.ignored = [SIGINT, SIGTERM, SIGHUP] }
        do throws(Errno) {
            return try program.start()
        } catch {
            guard error != .noSuchFile else { throw .noHelper(name) }
            throw .helper(name, reason: "it cannot be started: \(error)")
        }
    }

    /// Writes the input and reads the output at the same time, so that neither side blocks the other.
    private func exchange(
        _ input: [UInt8], _ to: inout Pipe, _ from: borrowing Pipe, until deadline: MonotonicTime
    ) throws(StoreError) -> [UInt8] {
        guard let writing = to.writing, let reading = from.reading else { return [] }
        _ = fcntl(writing.number, F_SETFL, O_NONBLOCK)
        var (rest, output) = (input[...], [UInt8]())
        while true {
            // Our own reading end stays open until all is written: a program that does not read causes no SIGPIPE.
            if rest.isEmpty { to.close() }
            var events = [
                pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : writing.number, events: Int16(POLLOUT), revents: 0),
            ]
            let left = Int32(clamping: deadline.milliseconds(since: .now))
            guard poll(&events, 2, left) != 0 else { throw tooSlow }
            if events[1].revents != 0 {
                let count = try? rest.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in try writing.write(bytes) }
                rest = rest.dropFirst(count ?? 0)
            }
            guard events[0].revents != 0 else { continue }
            guard let piece = try? reading.read(upTo: 16_384), !piece.isEmpty else { return output }
            output += piece
            guard output.count <= Self.limit else { throw .helper(name, reason: "its answer is too large") }
        }
    }

    /// Waits for the end of the program.
    private func wait(for process: Subprocess, until deadline: MonotonicTime) throws(StoreError) -> Int32 {
        while true {
            if let status = process.status() { return status }
            guard MonotonicTime.now < deadline else { throw tooSlow }
            usleep(1000)
        }
    }

    private var tooSlow: StoreError { .helper(name, reason: "it gave no answer within \(seconds) seconds") }
}
