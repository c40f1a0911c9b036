import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("exchange, while a person decides, as a process")
struct DevicePollTests {
    private static func error(_ code: String, status: Int = 400, headers: [String] = []) -> Responder.Reply {
        .json(#"{"error":"\#(code)","error_description":"of the-device-code"}"#, status: status, headers: headers)
    }

    @Test("polling does not go on after a sleep in which the device code has expired: expired_token", .withAll)
    func sleep() throws {
        let server = try PolledServer(Self.error("authorization_pending"), .token, .token)
        let lifetime = 4
        let flow = server.responder.deviceFlow(lifetime: lifetime)
        let end = time(nil) + lifetime
        let running = try Program.oap(["exchange"], input: flow.input).start()
        try running.deliver()
        while server.gaps.isEmpty { usleep(10_000) }
        running.send(signal: SIGSTOP)
        while time(nil) <= end { usleep(10_000) }
        running.send(signal: SIGCONT)
        #expect(try running.finish().expect(status: 4).object()["error"] == "expired_token")
        #expect(server.gaps.count == 1)
    }

    @Test("polling ends at the first poll where the server's certificate is not trusted")
    func untrusted() throws {
        let folder = try TemporaryDirectory()
        var openssl = Program.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \\
                -keyout key.pem -out cert.pem 2> /dev/null
            openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www | sed -un 's/^ACCEPT .*://p'
            """)
        openssl.directory = folder.path
        openssl.input = .open
        let server = try openssl.start()
        let endpoint = try "https://127.0.0.1:\(server.firstLine())/"
        let flow = try PolledServer().responder.deviceFlow().with(["token_endpoint": .string(endpoint)])
        let result = try Program.oap(["exchange"], input: flow.input).run().expect(status: 9)
        #expect(try result.object()["error"] == "certificate_untrusted" && result.object()["retryable"] == nil)
        #expect(result.errorText.contains("certificate") && !result.errorText.contains("polling goes on"), "\(result)")
    }

    @Test("polling goes on where the server closes the connection during the TLS handshake")
    func closedHandshake() throws {
        let script = """
            import socket
            server = socket.create_server(("127.0.0.1", 0))
            server.settimeout(30)
            print(server.getsockname()[1], flush=True)
            while True:
                peer, _ = server.accept()
                peer.recv(1)
                peer.close()
            """
        let server = try Program(path: "/usr/bin/python3", arguments: ["-c", script]).start()
        let endpoint = try "https://127.0.0.1:\(server.firstLine())/"
        let flow = try PolledServer().responder.deviceFlow(lifetime: 3).with(["token_endpoint": .string(endpoint)])
        let result = try Program.oap(["exchange"], input: flow.input).run().expect(status: 6)
        #expect(result.errorText.contains("; polling goes on every "), "\(result)")
    }

    @Test(
        "oap exchange with a device code dies at once of a signal during a wait, and leaves no temporary file",
        arguments: [SIGINT, SIGTERM])
    func signal(number: Int32) throws {
        let folder = try TemporaryDirectory()
        let server = try PolledServer(.text("", status: 503, headers: ["Retry-After: 500"]))
        let running = try Program.oap(
            ["exchange", "-o", folder.path("token.json")], input: server.responder.deviceFlow().input
        ).start()
        _ = try running.errorLine { $0.hasSuffix("polling goes on") }
        try Program.shell("ls -A \(folder.path) | grep -c .").run().expect(output: "1\n")
        running.send(signal: number)
        try running.finish().expect(signal: number)
        try Program.shell("ls -A \(folder.path)").run().expect(output: "")
    }

    @Test("polling gives up when nobody reads the result any more, but not when it goes to a file")
    func noReader() throws {
        let flow = try PolledServer().responder.deviceFlow(interval: 500)
        try Program.shell("oap exchange | true; echo ${PIPESTATUS[0]}", input: flow.input).run()
            .expect(output: "141\n").expectSilence()
        let server = try PolledServer(.token)
        let folder = try TemporaryDirectory()
        var program = Program.oap(
            ["exchange", "-o", folder.path("token.json")], input: server.responder.deviceFlow().input)
        program.output = .broken
        try program.run().expect(status: 0)
        #expect(try folder.read("token.json").contains("new-access"))
    }
}
