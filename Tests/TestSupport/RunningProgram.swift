import Foundation

/// A program while it runs. It is killed, with the processes it started, when nobody refers to it any more.
package final class RunningProgram {
    private let program: Program
    private let child: ChildProcess
    private let home: TemporaryDirectory?
    private var unsent: ArraySlice<UInt8>
    private var closesInput: Bool
    private var output: [UInt8] = []
    private var errorOutput: [UInt8] = []
    private var hasEnded = false
    private var ending: ProgramResult.Ending?

    init(_ program: Program) throws {
        self.program = program
        home = program.environment["HOME"] == nil ? try TemporaryDirectory() : nil
        unsent = []
        closesInput = false
        child = try ChildProcess(program, home: home?.path)
        if case .bytes(let bytes) = program.input {
            unsent = bytes[...]
            closeInput()
        }
    }

    /// Waits until the program has ended and both its outputs with it, as a shell's `$(…)` does.
    ///
    /// - Throws: ``ProgramFailure`` when it does not within its deadline; it is killed then.
    package func finish() throws -> ProgramResult {
        if ending == nil {
            try pump { hasEnded && child.output == nil && child.errorOutput == nil }
            ending = child.reap()
        }
        return result
    }

    /// Waits for a line on standard error that fits, and gives it back without its line end.
    ///
    /// - Throws: ``ProgramFailure`` when the output ends first, or it does not come within the deadline.
    package func errorLine(where fits: (String) -> Bool = { _ in true }) throws -> String {
        try pump { child.errorOutput == nil || line(in: errorOutput, where: fits) != nil }
        guard let line = line(in: errorOutput, where: fits) else { throw failure("standard error ended") }
        return line
    }

    /// Waits for the first line of standard output, and gives it back without its line end.
    ///
    /// - Throws: ``ProgramFailure`` when the output ends first, or it does not come within the deadline.
    package func firstLine() throws -> String { try outputLine { _ in true } }

    /// Waits for a line of standard output that fits, and gives it back without its line end.
    ///
    /// - Throws: ``ProgramFailure`` when the output ends first, or it does not come within the deadline.
    package func outputLine(where fits: (String) -> Bool) throws -> String {
        try pump { child.output == nil || line(in: output, where: fits) != nil }
        guard let line = line(in: output, where: fits) else { throw failure("standard output ended") }
        return line
    }

    /// Writes to standard input, which must be ``Program/Input/open`` or a terminal.
    package func write(_ text: String) { unsent += Array(text.utf8) }

    /// Waits until everything is written.
    ///
    /// - Throws: ``ProgramFailure`` when it is not taken within the deadline.
    package func deliver() throws { try pump { unsent.isEmpty } }

    /// Ends standard input once everything is written.
    package func closeInput() {
        closesInput = true
        if unsent.isEmpty { child.input = nil }
    }

    /// Whether the program's terminal collects whole lines, as it does for a shell; false also where it has none.
    package var hasCanonicalTerminal: Bool {
        var mode = termios()
        guard let input = child.input, tcgetattr(input.number, &mode) == 0 else { return false }
        return mode.c_lflag & tcflag_t(ICANON) != 0
    }

    /// The most memory that the program has had at once, in bytes; nil when it has ended.
    package var peakMemory: Int? { child.peakMemory }

    /// Its process, which stays there at least until `finish`.
    package var process: Int32 { child.id }

    /// Sends the program a signal.
    package func send(signal: Int32) { child.send(signal: signal) }

    private var result: ProgramResult {
        ProgramResult(
            command: [program.path] + program.arguments, ending: ending, leftCoreDump: child.leftCoreDump,
            output: output, errorOutput: errorOutput)
    }

    private func failure(_ reason: String) -> ProgramFailure { ProgramFailure(reason: reason, result: result) }

    private func line(in bytes: [UInt8], where fits: (String) -> Bool) -> String? {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .lazy.map { String(decoding: $0, as: UTF8.self) }.first(where: fits)
    }

    /// Carries bytes in all directions until the condition holds. It is looked at after every event.
    private func pump(until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + program.deadline
        while !isDone() {
            var events = [
                pollfd(fd: child.output?.number ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.errorOutput?.number ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasEnded ? -1 : child.end.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: unsent.isEmpty ? -1 : child.input?.number ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            if left <= 0 || poll(&events, nfds_t(events.count), Int32(left.rounded(.up))) == 0 {
                ending = child.kill()
                throw failure("killed after \(program.deadline)")
            }
            if events[0].revents != 0 { Self.read(&child.output, into: &output) }
            if events[1].revents != 0 { Self.read(&child.errorOutput, into: &errorOutput) }
            if events[2].revents != 0 { hasEnded = true }
            if events[3].revents != 0 { send() }
        }
    }

    private func send() {
        guard let input = child.input else { return }
        let count = unsent.withUnsafeBytes { Glibc.write(input.number, $0.baseAddress, $0.count) }
        if count >= 0 { unsent.removeFirst(count) } else if errno != EAGAIN { unsent = [] }  // nobody reads it any more
        if unsent.isEmpty && closesInput { child.input = nil }
    }

    /// Reads what is there; a descriptor at its end is closed. (A terminal that was left ends with EIO.)
    private static func read(_ descriptor: inout FileDescriptor?, into bytes: inout [UInt8]) {
        guard let number = descriptor?.number else { return }
        let chunk = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            count = max(0, Glibc.read(number, buffer.baseAddress, buffer.count))
        }
        if chunk.isEmpty { descriptor = nil } else { bytes += chunk }
    }
}
