internal import Glibc
internal import OAuth
internal import System
internal import Wire

/// A program that prints a secret: the member `NAME_command` of a profile (oap-documents(5)).
struct SecretCommand: Equatable {
    /// The program and its arguments. No shell is between.
    private let words: [String]
    /// How long it may take: the user may have to type a passphrase.
    private static let seconds = 30

    /// A program from the value of a member.
    ///
    /// - Parameter name: the name of the member, for messages.
    /// - Throws: exit 3 for anything but an array of strings, the first of which names the program.
    init(_ value: JSON, as name: String) throws(Failure) {
        guard let words = value.strings, words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) })
        else {
            throw Failure(.badInput, .usage, "\(name) must be an array of strings: a program and its arguments")
        }
        // A relative path would be that of whatever folder the command runs in.
        guard words[0].hasPrefix("/") || !words[0].contains("/") else {
            throw Failure(
                .badInput, .usage, "\(name) names a program by a relative path",
                hint: "write the absolute path of the program")
        }
        self.words = words
    }

    /// Runs the program for a secret: one line, the end of which is dropped.
    ///
    /// - Throws: exit 3 for another output; as `output(for:)`.
    func secret(for name: String) throws(Failure) -> String {
        guard let text = String(validating: try output(for: name), as: UTF8.self) else {
            throw Failure(.badInput, .usage, "the output of \(program) for \(name) is not UTF-8")
        }
        let value = try Secrets.check(text, as: "the output of \(program) for \(name)")
        guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(program) prints nothing for \(name)") }
        return value
    }

    /// Runs the program, with this process's standard error and nothing on standard input.
    ///
    /// - Throws: exit 11 if it cannot be executed, fails, prints more than 64 KiB, or takes longer than 30 seconds.
    func output(for name: String) throws(Failure) -> [UInt8] {
        let nothing = try Failure.system("cannot open /dev/null", try FileDescriptor.open("/dev/null"))
        defer { nothing.close() }
        var pipe = try Failure.system("cannot make a pipe", try Pipe())
        guard let reading = pipe.reading, let writing = pipe.writing else {
            preconditionFailure("a new pipe is closed")
        }
        var start = ProgramStart(words, variables: Environment.forOtherPrograms)
        start.streams = .given(input: nothing, output: writing)
        let process = try Failure.system("cannot execute \(program) for \(name)", try start.start())
        pipe.closeWriting()
        let end = MonotonicTime.now + .seconds(Self.seconds)
        // A child that the program leaves behind may hold the pipe open.
        let watch = process.watch()
        defer { watch?.close() }
        let watched = [reading.number] + (watch.map { [$0.number] } ?? [])
        var output: [UInt8] = []
        while true {
            guard let ready = FileDescriptor.ready(of: watched, until: end) else { throw late(process, name) }
            if ready == watch?.number { break }
            let piece = (try? reading.read(upTo: 65_536)) ?? []
            if piece.isEmpty { break }
            output += piece
            guard output.count <= Secrets.limit else {
                process.kill()
                throw .file("\(program) prints more than \(Secrets.limit) bytes for \(name)")
            }
        }
        while true {
            if let status = process.status() {
                guard status == 0 else { throw .file("\(program), run for \(name), failed with status \(status)") }
                return output
            }
            guard .now < end else { throw late(process, name) }
            usleep(1000)
        }
    }

    private func late(_ process: Subprocess, _ name: String) -> Failure {
        process.kill()
        return .file("\(program), run for \(name), took longer than \(Self.seconds) seconds")
    }

    /// The program, for messages.
    var program: String { Terminal.escaping(words[0]) }
}
