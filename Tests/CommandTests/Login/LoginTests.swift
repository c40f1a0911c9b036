import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap login, as a process")
struct LoginTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test(
        "oap login warns if the secret that a renewal needs came through a descriptor",
        arguments: [
            ("OAP_CLIENT_SECRET=s3cret-value oap login work --open", nil),
            ("oap login work --open --client-secret-file /dev/fd/7 7< secret", "/dev/fd/7"),
            ("oap login work --open --client-secret-file secret", nil),
            ("OAP_CLIENT_SECRET=s3cret-value oap login work --open --token-endpoint-auth-method none", nil),
        ])
    func passingSecret(command: String, source: String?) throws {
        let server = try LoginHome.server()
        try person.profile(server)
        try person.home.write("s3cret-value", to: "secret")
        let environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        let program = Program.shell("cd; chmod 600 secret; \(command)", environment: environment)
        let text = try program.run().expect(status: 0).errorText
        #expect(server.requests.count { $0.method == "POST" } == 1)
        #expect(text.contains("is not stored") == (source != nil), "\(text)")
        if let source { #expect(text.contains("warning: the secret in \(source) is not stored"), "\(text)") }
    }

    @Test("oap login --no-open waits for the browser of somebody else, and says how the redirect can get here")
    func noOpen() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.oap(["login", "work", "--no-open"]).start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        let hint = try login.errorLine { $0.hasPrefix("oap: hint: ") }
        #expect(hint.contains("ssh -L") && hint.contains("--paste") && hint.contains("--device"))
        try Program.shell("\(LoginHome.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login says that another login for the same name is under way, and goes on")
    func second() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let first = try person.oap(["login", "work", "--no-open"]).start()
        _ = try first.errorLine { $0.hasPrefix("http://") }
        let second = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(second.errorText.contains("another oap login work is under way"))
        first.send(signal: SIGKILL)
        try first.finish().expect(signal: SIGKILL)
        let third = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(!third.errorText.contains("under way"))
    }

    @Test(
        "a command that needs the token while a login is under way says so with login_pending, and login_needed later")
    func pending() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let token = ["token", "work", "--error-document", "/dev/stdout"]
        let before = try person.oap(token).run().expect(status: 8)
        #expect(before.text.contains(#""error":"login_needed""#), "\(before)")
        let login = try person.oap(["login", "work", "--no-open"]).start()
        _ = try login.errorLine { $0.hasPrefix("http://") }
        let pending = try person.oap(token).run().expect(status: 8)
        #expect(pending.text.contains(#""error":"login_pending""#), "\(pending)")
        #expect(pending.errorText.contains("oap login work is under way"))
        login.send(signal: SIGKILL)
        try login.finish().expect(signal: SIGKILL)
        #expect(try person.oap(token).run().expect(status: 8).text.contains(#""error":"login_needed""#))
    }

    @Test("oap login without a display says what to do, and does not wait where no terminal shows it")
    func noDisplay() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let result = try person.oap(["login", "work", "--open"], ["BROWSER": ""]).run().expect(status: 6)
        result.expect(errorLine: "oap: login: there is no display to open a browser on, and there is no terminal")
        result.expect(errorLine: "oap: hint: for a browser elsewhere: oap login --no-open, or --device")
        var seen = person.oap(["login", "work", "--open"], ["BROWSER": ""])
        seen.input = .terminal
        let login = try seen.start()
        _ = try login.errorLine { $0 == "oap: login: there is no display to open a browser on" }
        _ = try login.errorLine { $0.hasPrefix("oap: hint: ") && $0.contains("--paste") }
        login.send(signal: SIGINT)
        try login.finish().expect(signal: SIGINT)
    }

    @Test("oap login without a terminal waits for no person, unless an option asks for it")
    func noTerminal() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        for arguments in [["login", "work"], ["login", "work", "--paste"]] {
            let result = try person.oap(arguments).run().expect(status: 8)
            #expect(result.errorText.contains("oap: hint: ") && result.errorText.contains("--device"))
        }
        #expect(server.connectionCount == 0)
        var terminal = Program.shell("oap login work 2>/dev/tty", input: .terminal)
        terminal.output = .terminal
        terminal.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        try terminal.run().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login --ephemeral without a browser for a private window waits at a terminal, and nowhere else")
    func noPrivateWindow() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--ephemeral", "--timeout", "10"], ["BROWSER": "/bin/true"])
        let refused = try program.run().expect(status: 6)
        #expect(refused.errorText.contains("no browser that can open a private window was found, and there is no"))
        program.input = .terminal
        let login = try program.start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0 == "oap: login: no browser that can open a private window was found" }
        try Program.shell("\(LoginHome.browser) \"$URL\"", environment: ["URL": url]).run().expect(status: 0)
        try login.finish().expect(status: 0)
        #expect(server.authorizations.count == 1)
    }

    @Test("oap login revokes a token that cannot be kept after all, and says what became of it", arguments: [200, 503])
    func unkept(status: Int) throws {
        let server = try LoginHome.server()
        let revocation = try Responder { _ in .text("", status: status) }
        try person.profile(server, ["revocation_endpoint": .string(revocation.url("/revoke"))])
        try person.home.write(
            """
            case $1 in
            get) echo 'credentials not found in native keychain'; exit 1 ;;
            store) cat > /dev/null; echo 'the keyring is locked'; exit 1 ;;
            esac
            """, to: "script")
        let programs = URL(fileURLWithPath: Program.oapPath).deletingLastPathComponent().path
        let path = "\(programs):\(Fixture.project)/Tests/Fixtures:/usr/bin:/bin"
        var login = Program.shell("oap login work --open --store helper:fake --client-secret-file <(printf hunter2)")
        login.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser, "PATH": path]
        let result = try login.run().expect(status: 11)
        #expect(result.errorText.contains("logged in, but the token cannot be stored: "))
        #expect(result.errorText.contains("the keyring is locked"))
        #expect(result.errorText.contains(status == 200 ? "token was revoked at" : "token could not be revoked"))
        // A server that is busy is asked again, and not for the other.
        let tokens = status == 200 ? ["token=rt", "token=at"] : Array(repeating: "token=rt", count: 3)
        #expect(revocation.requests.map { String($0.bodyText.prefix { $0 != "&" }) } == tokens)
        #expect(revocation.requests.allSatisfy { $0.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=" })
    }

    @Test("oap login reads a client secret from a descriptor once, for all its requests")
    func descriptor() throws {
        let server = try Responder { request in
            let device =
                #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
            return request.target == "/device" ? .json(device) : .token
        }
        try person.profile(server, ["device_authorization_endpoint": .string(server.url("/device"))])
        var program = Program.shell("oap login work --device --client-secret-file <(printf hunter2)")
        program.environment = ["HOME": person.home.path]
        try program.run().expect(status: 0)
        #expect(server.requests.map(\.target) == ["/device", "/token"])
        #expect(server.requests.allSatisfy { $0.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=" })
    }
}
