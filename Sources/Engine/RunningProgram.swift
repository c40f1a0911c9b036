internal import Errands
internal import Glibc
internal import System

/// A program that runs for an errand. It is killed, with what it has started, when the errand is dropped.
final class RunningProgram {
    private let program: ChildProgram
    private let process: Subprocess
    /// Readable when the process has ended; nil if the system cannot say.
    private let watch: FileDescriptor?
    private var to: Pipe
    private let from: Pipe
    private let end: MonotonicTime
    private var rest: ArraySlice<UInt8>
    private var output: [UInt8] = []
    private var isAtEnd = false
    private var hasEnded = false

    /// Between two looks at a process whose end cannot be watched.
    private static let look = Duration.milliseconds(5)

    init(_ program: ChildProgram) throws(Errno) {
        self.program = program
        let to = try Pipe()
        var from = try Pipe()
        guard let ends = to.ends, let output = from.ends else { preconditionFailure("a new pipe is open") }
        var start = ProgramStart(program.words, variables: program.variables)
        start.streams = .given(input: ends.reading, output: output.writing)
        start.ignored = program.ignored
        process = try start.start()
        watch = process.watch()
        for number in [ends.writing.number, output.reading.number] { _ = fcntl(number, F_SETFL, O_NONBLOCK) }
        from.closeWriting()
        self.to = to
        self.from = from
        rest = program.input[...]
        end = .now + .seconds(program.seconds)
        // Our own reading end stays open until all is written: a program that does not read causes no SIGPIPE.
        if rest.isEmpty { self.to.close() }
    }

    deinit {
        if !hasEnded { process.killTree() }
        watch?.close()
    }

    var watched: [Watched] {
        var watched = watch.map { [Watched($0.number)] } ?? []
        if !isAtEnd, let reading = from.reading { watched.append(Watched(reading.number)) }
        if !rest.isEmpty, let writing = to.writing { watched.append(Watched(writing.number, .writable)) }
        return watched
    }

    /// When the program is late, or must be looked at.
    var due: MonotonicTime { isAtEnd && watch == nil ? min(end, .now + Self.look) : end }

    /// Passes on what can be passed on without waiting.
    ///
    /// - Returns: how it ended; nil while it runs.
    func serve(_ ready: [Int32]) -> ChildProgram.End? {
        if let writing = to.writing, !rest.isEmpty, ready.contains(writing.number) {
            let count = try? rest.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in try writing.write(bytes) }
            rest = rest.dropFirst(count ?? rest.count)
            if rest.isEmpty { to.close() }
        }
        let isWaited = watch == nil ? isAtEnd : ready.contains(watch?.number ?? -1)
        // A child that the program leaves behind may hold its output open: what has come at its end is all.
        let status = isWaited ? process.status() : nil
        hasEnded = status != nil
        if let reading = from.reading {
            while !isAtEnd, reading.isReadable {
                let piece = (try? reading.read(upTo: 65_536)) ?? []
                isAtEnd = piece.isEmpty
                output += piece
                guard output.count <= program.limit else { return .tooLong }
            }
        }
        if let status { return .ended(status: status, output: output) }
        return end <= .now ? .late : nil
    }
}
