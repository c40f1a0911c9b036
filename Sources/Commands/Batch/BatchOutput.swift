internal import Glibc
internal import JQ
internal import System
internal import Wire

/// Writes the answers of a batch: only as much as the reader takes at once, so that transfers go on meanwhile.
final class BatchOutput {
    /// The most bytes that wait for the reader before no further line is read.
    static let limit = 1 << 20
    /// Of a pipe that is writable so many bytes can be written without waiting (pipe(7), `PIPE_BUF`).
    private static let piece = 4096

    private let form: OutputForm
    private let diagnostics: Diagnostics
    private let descriptor: FileDescriptor
    private let waits: Bool
    private var sink: ByteSink
    private var file: OutputFile?
    private var filter: JQFilter?
    private var queue = ByteQueue()
    /// The lines whose answers are not written whole, and where these end, counted from the beginning of the output.
    private var unwritten: [(end: Int, line: BatchLine)] = []
    private var written = 0

    /// Compiles the filter and opens the file.
    ///
    /// - Throws: exit 2 for a filter that does not compile; exit 11.
    init(_ form: OutputForm, _ diagnostics: Diagnostics) throws(Failure) {
        self.form = form
        self.diagnostics = diagnostics
        if let text = form.filter {
            do throws(JQError) {
                filter = try JQFilter(text, arguments: form.filterArguments)
            } catch {
                throw Failure(error)
            }
        }
        if let path = form.file {
            let opened = try OutputFile(path: path)
            descriptor = FileDescriptor(opened.descriptor)
            sink = ByteSink(descriptor: opened.descriptor, name: path)
            file = consume opened
        } else {
            guard ByteSink.isStandardOutputOpen else { throw .file("standard output is closed") }
            (descriptor, sink) = (.standardOutput, .standardOutput)
        }
        waits = (try? FileStatus(descriptor))?.isFile != true
    }

    /// The bytes that wait for the reader.
    var backlog: Int { queue.count }

    /// Prints an answer, or the outputs of the filter for it.
    ///
    /// - Returns: why the filter failed.
    func print(_ answer: BatchAnswer) -> Failure? {
        var failure: Failure?
        if filter != nil {
            failure = run(on: .object(answer.object))
        } else if form.isTerminal || form.style.json.isPretty {
            var bytes: [UInt8] = []
            JSON.object(answer.object).write(to: &bytes, style: form.style.json)
            queue.append(form.shown(bytes) + [0x0A])
        } else {
            queue.append(answer.text)
        }
        unwritten.append((written + backlog, answer.line))
        return failure
    }

    private func run(on value: JSON) -> Failure? {
        let end: [UInt8] = form.isJoined ? [] : [0x0A]
        let form = form
        var outputs: [UInt8] = []
        let ending = filter?.run(on: value, style: form.style) { (output) throws(Never) in
            outputs += (form.style.isRaw ? output.bytes : form.shown(output.bytes)) + end
        }
        queue.append(outputs)
        switch ending {
        case .completed, .halted, nil: return nil
        case .haltedWithError(_, let message):
            diagnostics.halted(message)
            return Failure(.filterFailed, .halt, "the filter ended with halt_error")
        case .failed(let message): return .filter(form.filter, failed: message)
        }
    }

    /// Writes what the reader takes.
    ///
    /// - Parameter isLast: whether to wait until it has taken everything.
    /// - Returns: the lines whose answers are written whole now.
    /// - Throws: exit 11. A closed standard output does not return.
    func flush(isLast: Bool = false) throws(Failure) -> [BatchLine] {
        while backlog > 0, !waits || isLast || isWritable {
            do throws(Errno) {
                let count = try queue.withFirst(waits && !isLast ? Self.piece : .max) { (bytes) throws(Errno) in
                    try descriptor.write(bytes)
                }
                queue.removeFirst(count)
                written += count
            } catch {
                throw sink.failure(error)
            }
        }
        let whole = unwritten.prefix { $0.end <= written }
        guard !whole.isEmpty else { return [] }
        unwritten.removeFirst(whole.count)
        return whole.map(\.line)
    }

    /// Puts the file into its place.
    ///
    /// - Throws: exit 11.
    func commit() throws(Failure) { if let file = file.take() { try file.commit() } }

    private var isWritable: Bool {
        var event = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
        return poll(&event, 1, 0) > 0
    }

    /// The descriptor to wait for.
    var waiting: Int32? { backlog > 0 ? descriptor.number : nil }
}
