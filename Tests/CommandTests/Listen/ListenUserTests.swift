import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite(
    "The user whose program answers listen",
    .enabled(if: geteuid() == 0, "only root can start programs as other users"))
struct ListenUserTests {
    private static let person = 54_321
    private static let other = 54_322

    /// A program that another user runs.
    private func program(_ path: String, _ arguments: [String], as user: Int) -> Program {
        Program(
            path: "/usr/bin/setpriv",
            arguments: ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", path] + arguments)
    }

    /// `oap listen` of the person.
    private func listening(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Listening {
        let flow = try Listening.flow()
        var listen = program(Program.oapPath, ["listen"] + arguments, as: Self.person)
        listen.input = flow.input
        listen.environment = environment
        let listening = Listening(flow: flow, program: try listen.start())
        _ = try listening.program.errorLine { $0 == flow["authorization_url"]?.string }
        return listening
    }

    /// Brings a redirect with a code of its own, and gives back the page.
    private func bring(_ code: String, to listening: Listening, as user: Int) throws -> String {
        let url = "http://127.0.0.1:\(listening.port)\(listening.path)?code=\(code)&state=\(listening.state)"
        return try program("/usr/bin/curl", ["-sS", "-i", url], as: user).run().expect(status: 0).text
    }

    @Test(
        "listen takes the redirect from the person, root, or the caller of sudo; another user gets 400, and it goes on waiting"
    )
    func users() throws {
        for (user, environment) in [
            (Self.person, [:]), (0, [:]), (Self.other, ["SUDO_UID": "\(Self.other)"]),
        ] as [(Int, [String: String])] {
            let listening = try listening(environment: environment)
            let thief = environment.isEmpty ? Self.other : Self.other + 1
            #expect(try bring("stolen", to: listening, as: thief).hasPrefix("HTTP/1.1 400 "))
            #expect(try bring("stolen", to: listening, as: thief).contains("Nothing here"))
            #expect(try bring("the-code", to: listening, as: user).contains("Answer received"), "user \(user)")
            let result = try listening.program.finish().expect(status: 0)
            #expect(try result.object()["callback_url"]?.string == listening.redirect)
            let warnings = result.errorText.split(separator: "\n").filter { $0.contains("warning") }
            #expect(
                warnings == [
                    "oap: listen: warning: a program of user \(thief) sent a response to this login; it is ignored"
                ])
        }
    }

    @Test("listen leads the person from its short address to the login page, and no other user")
    func shortAddress() throws {
        let listening = try listening()
        func page(_ user: Int) throws -> String {
            let url = "http://127.0.0.1:\(listening.port)/"
            return try program("/usr/bin/curl", ["-sS", "-i", url], as: user).run().expect(status: 0).text
        }
        let stranger = try page(Self.other)
        #expect(stranger.hasPrefix("HTTP/1.1 404 ") && !stranger.contains("as.example"), "\(stranger)")
        let own = try page(Self.person)
        #expect(own.hasPrefix("HTTP/1.1 302 ") && own.contains("state=\(listening.state)"), "\(own)")
        #expect(own.contains("\r\nReferrer-Policy: no-referrer\r\n"), "\(own)")
        #expect(try bring("the-code", to: listening, as: Self.person).contains("Answer received"))
        try listening.program.finish().expect(status: 0)
    }

    @Test("listen knows the user of a program that does not wait for the page, or speaks IPv6 to an IPv4 address")
    func tricks() throws {
        let scripts = [
            "s = socket.create_connection(('127.0.0.1', port)); s.sendall(request); s.close()",
            """
            s = socket.socket(socket.AF_INET6); s.connect(('::ffff:127.0.0.1', port)); s.sendall(request)
            while s.recv(9999): pass
            """,
        ]
        for script in scripts {
            let listening = try listening()
            let request = """
                GET \(listening.path)?code=stolen&state=\(listening.state) HTTP/1.1\\r\\nHost: \
                127.0.0.1:\(listening.port)\\r\\n\\r\\n
                """
            let python = "import socket; port = \(listening.port); request = b'\(request)'\n\(script)"
            try program("/usr/bin/python3", ["-c", python], as: Self.other).run().expect(status: 0)
            _ = try listening.program.errorLine { $0.contains("warning: a program") }
            try listening.finish()
        }
    }

    /// `oap listen` that sees the programs of root alone, and one of another person, if that has one.
    private func alone(besides other: Int? = nil) throws -> Listening {
        let flow = try Listening.flow()
        let others = other.map { "setpriv --reuid \($0) --regid \($0) --clear-groups sleep 60 & " } ?? ""
        var listen = Program(
            path: "/usr/bin/unshare",
            arguments: [
                "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                "\(others)exec '\(Program.oapPath)' listen",
            ])
        listen.input = flow.input
        let listening = Listening(flow: flow, program: try listen.start())
        _ = try listening.program.errorLine { $0 == flow["authorization_url"]?.string }
        return listening
    }

    /// Brings the redirect, and does not wait for the page.
    private func throwIn(_ redirect: String, to listening: Listening, isBrokenOff: Bool) throws {
        let linger = "s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); "
        let script = """
            import socket, struct; s = socket.create_connection(('127.0.0.1', \(listening.port)))
            s.sendall(b'GET \(redirect) HTTP/1.1\\r\\nHost: 127.0.0.1:\(listening.port)\\r\\n\\r\\n')
            \(isBrokenOff ? linger : "")s.close()
            """
        try Program(path: "/usr/bin/python3", arguments: ["-c", script]).run().expect(status: 0)
    }

    @Test(
        "listen takes the redirect of a program that has closed or broken off the connection, if nobody else has a program",
        arguments: [false, true])
    func unattended(isBrokenOff: Bool) throws {
        let listening = try alone()
        try throwIn(listening.path + "?code=x&state=other", to: listening, isBrokenOff: isBrokenOff)
        try throwIn(listening.path + listening.query, to: listening, isBrokenOff: isBrokenOff)
        // Whether it is told that the program has ended depends on whether that was still there.
        let result = try listening.program.finish().expect(status: 0)
        #expect(try result.object()["callback_url"]?.string == listening.redirect)
    }

    @Test("listen takes no redirect of a program that does not wait for the page, if another person has a program")
    func unattendedBesidesOthers() throws {
        let warning = "oap: listen: warning: a program that has ended sent a response to this login; it is ignored"
        // Between sending and closing, the program may still be seen: then it is known whose it is.
        for _ in 0..<8 {
            let listening = try alone(besides: Self.other)
            try throwIn(listening.path + "?code=stolen&state=\(listening.state)", to: listening, isBrokenOff: false)
            guard (try? listening.program.errorLine { $0 == warning }) != nil else { continue }
            #expect(try bring("the-code", to: listening, as: 0).contains("Answer received"))
            #expect(try listening.program.finish().object()["callback_url"]?.string == listening.redirect)
            return
        }
        Issue.record("the program was seen each time")
    }

    @Test("the user of the browser does not matter where --bind lets others reach the address")
    func bind() throws {
        let port = try Listening.flow()["redirect_uri"]?.string.flatMap { WebURL($0)?.port } ?? 0
        let listening = try listening(["--bind", "0.0.0.0:\(port)"])
        let url = "http://127.0.0.1:\(port)\(listening.path)\(listening.query)"
        let page = try program("/usr/bin/curl", ["-sS", url], as: Self.other).run().expect(status: 0).text
        #expect(page.contains("Answer received"))
        try listening.program.finish().expect(status: 0)
    }
}
