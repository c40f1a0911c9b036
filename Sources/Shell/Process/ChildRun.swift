package import Engine
package import Errands
internal import Glibc
package import Redaction
package import System

/// A command that runs as a child of this process, in its process group: the terminal stops, continues and interrupts both.
package final class ChildRun {
    private let process: Subprocess
    /// Readable when the command has stopped or ended.
    private let changes: FileDescriptor
    private var outputs: [MaskedOutput]
    /// How it ended; nil while it runs.
    package private(set) var ending: Subprocess.Change?
    /// When the bytes are passed on that are held back; nil if there are none.
    private var release: MonotonicTime?
    /// How long a few bytes at the end of its output are held back, which may be the beginning of a secret.
    private static let moment = Duration.milliseconds(20)

    /// Starts the program of the words. Each variable is `NAME=VALUE`. The redactor masks standard output and standard
    /// error, which are pipes then. Exit 126 or 127 if it cannot be executed.
    package init(_ words: [String], variables: [String], masking redactor: Redactor?) throws(Failure) {
        var program = ProgramStart(words, variables: variables)
        program.inheritsDescriptors = true
        var output = try Failure.system("cannot make a pipe", try Pipe())
        var error = try Failure.system("cannot make a pipe", try Pipe())
        var outputs: [MaskedOutput] = []
        if let redactor, let one = output.writing, let two = error.writing {
            program.streams = .outputs(output: one, error: two)
            for (end, target) in [(output.reading, FileDescriptor.standardOutput), (error.reading, .standardError)] {
                let copy = try Failure.system("cannot make a pipe", try (end ?? target).duplicate())
                outputs.append(MaskedOutput(from: copy, to: target, redactor))
            }
        }
        self.outputs = outputs
        do throws(Errno) {
            (process, changes) = try ChildSignals.start(program)
        } catch {
            throw .unexecuted(words[0], error)
        }
        output.close()
        error.close()
    }

    /// Waits until it ends or a moment has come; an engine that it was added to passes on what it writes.
    ///
    /// - Returns: how it ended; nil while it runs.
    package func wait(until end: MonotonicTime?, _ engine: Engine) -> Subprocess.Change? {
        while ending == nil {
            engine.turn(until: end)
            if let end, end <= .now { break }
        }
        return ending
    }

    /// Looks what has become of it. If it is stopped, so is this process: the shell that started it sees no other.
    private func look() {
        switch process.change() {
        case nil: break
        case .stopped?: raise(SIGTSTP)
        case let end?:
            ending = end
            ChildSignals.stop()
            for index in outputs.indices { outputs[index].end() }
        }
    }
}

extension ChildRun: Listener {
    package var watched: [Watched] {
        guard ending == nil else { return [] }
        return [Watched(changes.number)] + outputs.compactMap { $0.source.map { Watched($0.number) } }
    }

    package var due: MonotonicTime? { release }

    package func serve(_ ready: [Int32]) {
        for index in outputs.indices {
            if let source = outputs[index].source, ready.contains(source.number) { outputs[index].pass() }
        }
        if ready.isEmpty { for index in outputs.indices { outputs[index].release() } }
        release = outputs.contains(where: \.holdsBytes) ? .now + Self.moment : nil
        if ready.contains(changes.number) { _ = try? changes.read(upTo: 64) }
        if ending == nil { look() }
    }
}

extension Subprocess.Change {
    /// Ends this process as the command ended that ran for it.
    package func end() -> Never {
        switch self {
        case .stopped: preconditionFailure("a command that is stopped has not ended")
        case .exited(let status): exit(status)
        case .killed(let number):
            signal(number, SIG_DFL)
            raise(number)
            exit(128 + number)
        }
    }
}
