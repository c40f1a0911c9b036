import Foundation
import System
import TestSupport
import Testing

@Suite("A program that is started")
struct ProgramStartTests {
    /// What a shell script writes to standard output, and its exit status.
    private func run(
        _ script: String, _ change: (inout ProgramStart) -> Void = { _ in }
    ) throws -> (output: String, status: Int32) {
        let input = try System.Pipe()
        var output = try System.Pipe()
        var start = ProgramStart(["sh", "-c", script], variables: ["PATH=/usr/bin:/bin", "NAME=value"])
        guard let reading = input.reading, let writing = output.writing else {
            preconditionFailure("a new pipe is closed")
        }
        start.streams = .given(input: reading, output: writing)
        change(&start)
        let process = try start.start()
        output.closeWriting()
        let text = String(decoding: try output.reading?.readAll() ?? [], as: UTF8.self)
        while true {
            if let status = process.status() { return (text, status) }
            usleep(1000)
        }
    }

    @Test("gets the variables that are given and no others, and tells its exit status or its signal")
    func variables() throws {
        let ended = try run("echo $NAME $HOME; exit 7")
        #expect(ended.output == "value\n" && ended.status == 7)
        #expect(try run("kill -TERM $$").status == 128 + SIGTERM)
    }

    @Test("has no signal blocked, though the thread that starts it blocks SIGPIPE")
    func signalMask() throws {
        var (pipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try run("grep ^SigBlk /proc/self/status").output == "SigBlk:\t0000000000000000\n")
    }

    @Test("is ended by SIGXFSZ, though this process ignores it")
    func fileSizeSignal() throws {
        let before = signal(SIGXFSZ, SIG_IGN)
        defer { signal(SIGXFSZ, before) }
        #expect(try run("kill -XFSZ $$; echo alive").status == 128 + SIGXFSZ)
    }

    @Test("ignores the signals that it is to ignore, and no program that is started at the same time does")
    func ignored() async throws {
        let script = "kill -HUP $$; echo alive"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let ended = try run(script) { $0.ignored = [SIGHUP] }
                    #expect(ended.output == "alive\n")
                }
                group.addTask {
                    let ended = try run(script)
                    #expect(ended.status == 128 + SIGHUP)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("gets no descriptor but the standard ones unless it is to")
    func descriptors() throws {
        let home = try TemporaryDirectory()
        let descriptor = open(try home.write("secret", to: "file"), O_RDONLY)
        defer { close(descriptor) }
        let script = "cat /proc/self/fd/\(descriptor) 2> /dev/null"
        #expect(try run(script) { $0.inheritsDescriptors = true }.output == "secret")
        #expect(try run(script).output.isEmpty)
    }

    @Test("has a session of its own where it is to")
    func session() throws {
        let script = "cut -d ' ' -f 1,6 /proc/$$/stat"
        let isLeader = { (text: String) in Set(text.split(whereSeparator: \.isWhitespace)).count == 1 }
        #expect(isLeader(try run(script) { $0.hasOwnSession = true }.output))
        #expect(!isLeader(try run(script).output))
    }

    @Test("that is nowhere throws that there is no such file")
    func missing() {
        #expect(throws: Errno.noSuchFile) { try ProgramStart(["no-such-program"], variables: []).start() }
        #expect(throws: Errno(EINVAL)) { try ProgramStart([], variables: []).start() }
    }
}
