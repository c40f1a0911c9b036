internal import Glibc
internal import System
internal import Wire
internal import Shell

/// The file of `--resume`: which lines of the input are done, and which were sent and may not be sent again.
///
/// It is a text of lines: `oap-batch 1 RUN`, then a letter, the number of a line and its checksum. `s`: it may not be
/// repeated, and will be sent now; `r`: it was not carried out; `d`: it is done, and `d7`: so it is, with this exit
/// status. A line that the end of the process has
/// cut is ignored.
final class BatchJournal {
    /// What is known of a line.
    enum State {
        case open
        /// The line may have been carried out, and has no answer.
        case sent
        case done
    }

    /// Names the run, and those that go on with it.
    package private(set) var run = ""
    private let path: String
    private let file: OpenFile
    private var unwritten: [UInt8] = []
    /// The lines of earlier runs that have failed for good, and their highest status.
    private(set) var failures: (count: Int, exit: Exit) = (0, .done)
    /// All lines up to this one are done.
    private var prefix = 0
    /// The sum of their checksums, and of those that were seen in this run.
    private var sum: UInt64 = 0
    private var seen: UInt64 = 0
    /// What is known of later lines.
    private var later: [Int: (state: State, checksum: UInt64)] = [:]

    /// Opens or makes the file.
    ///
    /// - Parameter run: the name of a new run.
    /// - Throws: exit 11, also for a file that another run uses, and one that another user has made or can change: it
    ///   says what is not sent again, and with which keys; exit 3 for one that is something else.
    init(path: String, run: String) throws(Failure) {
        self.path = path
        let place = try LinkedPath.resolved(path)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOFOLLOW
        file = try Failure.system("cannot open \(path)", try OpenFile(place, flags, mode: 0o600))
        let status = try Failure.system("cannot open \(path)", try file.status)
        guard status.isFile else { throw .file("\(path) is not a regular file") }
        guard status.isOwnOrRoots, !status.isWritableByOthers else {
            throw .file("\(path) belongs to another user, or other users can write to it")
        }
        guard flock(file.descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw .file(Errno.current == .wouldBlock ? "\(path) is in use by another run" : "cannot lock \(path)")
        }
        try load()
        if self.run.isEmpty {
            self.run = run
            unwritten = Array("oap-batch 1 \(run)\n".utf8)
            try write()
        }
    }

    private func load() throws(Failure) {
        var rest: [UInt8] = []
        var size = 0
        while true {
            let bytes = try Failure.system("cannot read \(path)", try file.descriptor.read(upTo: 65_536))
            if bytes.isEmpty { break }
            rest += bytes
            var start = 0
            while let end = rest[start...].firstIndex(of: 0x0A) {
                try load(String(decoding: rest[start..<end], as: UTF8.self))
                start = end + 1
            }
            size += start
            rest.removeFirst(start)
        }
        guard run.isEmpty ? rest.isEmpty : true else { throw foreign }
        if !rest.isEmpty, ftruncate(file.descriptor.number, size) != 0 { throw .file("cannot write \(path)") }
    }

    private func load(_ line: String) throws(Failure) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3 else { throw foreign }
        if words[0] == "oap-batch", words[1] == "1" {
            // The files of several parts may be joined.
            if run.isEmpty { run = String(words[2]) }
            return
        }
        guard !run.isEmpty else { throw foreign }
        guard let number = Int(words[1]), let checksum = UInt64(words[2], radix: 16) else { throw foreign }
        var letter = words[0]
        if letter.hasPrefix("d"), let exit = Int32(letter.dropFirst()).flatMap(Exit.init) {
            failures = (failures.count + 1, exit.rawValue > failures.exit.rawValue ? exit : failures.exit)
            letter = "d"
        }
        switch letter {
        case "s": later[number] = (.sent, checksum)
        case "r": later[number] = nil
        case "d":
            later[number] = (.done, checksum)
            while let (state, checksum) = later[prefix + 1], state == .done {
                prefix += 1
                later[prefix] = nil
                sum &+= checksum
            }
        default: throw foreign
        }
    }

    private var foreign: Failure {
        Failure(.badInput, .parse, "\(path) was not written by --resume", hint: "name a file that does not exist yet")
    }

    private var other: Failure {
        Failure(
            .badInput, .usage, "standard input differs from the input of the run that wrote \(path)",
            hint: "remove the file to begin again")
    }
}

extension BatchJournal {
    /// What is known of a line. The lines are asked for in order.
    ///
    /// - Throws: exit 3 if it is not the line that was recorded.
    func state(of number: Int, _ checksum: UInt64) throws(Failure) -> State {
        if number <= prefix {
            seen &+= checksum
            guard number < prefix || seen == sum else { throw other }
            return .done
        }
        guard let known = later.removeValue(forKey: number) else { return .open }
        guard known.checksum == checksum else { throw other }
        return known.state
    }

    /// Checks at the end of the input that it has every line that was recorded.
    ///
    /// - Throws: exit 3.
    func checkEnd(after number: Int) throws(Failure) { guard number >= prefix, later.isEmpty else { throw other } }

    func note(_ letter: String, _ number: Int, _ checksum: UInt64) {
        unwritten += "\(letter) \(number) \(String(checksum, radix: 16))\n".utf8
    }

    /// Writes what was recorded.
    ///
    /// - Parameter isDurable: whether it must outlast a crash of the system: then a request is not sent twice after one.
    /// - Throws: exit 11.
    func write(isDurable: Bool = false) throws(Failure) {
        guard !unwritten.isEmpty else { return }
        defer { unwritten.removeAll(keepingCapacity: true) }
        try Failure.system("cannot write \(path)", try file.writeAll(unwritten))
        if isDurable, fdatasync(file.descriptor.number) != 0 { throw .file("cannot write \(path): \(Errno.current)") }
    }

    /// The checksum of a line and its number.
    static func checksum(_ line: BatchInput.Line) -> UInt64 {
        fnv1a(line.bytes ?? [], from: fnv1a([]) ^ UInt64(line.number))
    }
}
