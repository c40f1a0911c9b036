import TestSupport
import Testing
import Wire

@Suite("Standard input, as a process")
struct InputTests {
    @Test("standard input may be 16 MiB and no more, and what is beyond is not waited for")
    func size() throws {
        func document(_ size: Int) -> [UInt8] {
            let frame = Array(#"{"access_token":"a","x":""}"#.utf8)
            return frame.dropLast(2) + [UInt8](repeating: 0x78, count: size - frame.count) + frame.suffix(2)
        }
        let whole = document(16 << 20)
        let result = try Program.oap(["refresh", "--if-expired"], input: .bytes(whole)).run()
        #expect(result.ending == .status(0) && result.output == whole + [0x0A])
        let running = try Program.oap(["refresh", "--if-expired"], input: .open).start()
        running.write(String(repeating: " ", count: 16 << 20) + "x")
        let refused = try running.finish().expect(status: 3)
        refused.expect(errorLine: "oap: refresh: standard input is larger than 16 MiB")
    }

    @Test("no standard input at all is exit 3 with the hint -n", arguments: [Program.Input.none, .closed, .terminal])
    func missing(input: Program.Input) throws {
        let result = try Program.oap(["refresh"], input: input).run().expect(status: 3)
        result.expect(
            errorLine: "oap: hint: name a stored token, pipe in a token document, or use -n with OAP_REFRESH_TOKEN")
    }

    @Test("standard input that does not block is waited for")
    func nonblocking() throws {
        // The second half is written when the first one is read and the program sleeps, or has given up.
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.set_blocking(reading, False)
            os.write(writing, b'{"access_token":')
            child = subprocess.Popen(["oap", "refresh", "--if-expired"], stdin=reading)
            def state(): return open(f"/proc/{child.pid}/stat").read().rsplit(")", 1)[1].split()[0]
            poll = __import__("select").poll()
            poll.register(reading, 1)
            while poll.poll(0) or state() not in "SZ": pass
            os.close(reading)
            try: os.write(writing, b'"a"}')
            except BrokenPipeError: pass
            os.close(writing)
            sys.exit(child.wait())
            """
        try Program(path: "/usr/bin/env", arguments: ["python3", "-c", script]).run()
            .expect(status: 0).expect(output: #"{"access_token":"a"}"# + "\n")
    }

    @Test("standard input stays unread with -n and by the commands that have no document")
    func unread() throws {
        for arguments in [
            ["authurl", "-n", "--client-id", "c", "--authorization-endpoint", "https://as.example/"],
            ["help"], ["completion", "bash"], ["--version"], ["exchange", "--help"],
        ] {
            try Program.oap(arguments, input: .open).run().expect(status: 0)
        }
    }
}
