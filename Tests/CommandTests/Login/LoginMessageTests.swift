import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap login says, as a process")
struct LoginMessageTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("a QR code for a redirect to this machine is warned about, and left out where the terminal is too small")
    func code() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var login = person.oap(["login", "work", "--open", "--qr"])
        login.environment["LC_ALL"] = "C.UTF-8"
        let result = try login.run().expect(status: 0)
        let text = result.errorText
        #expect(text.contains("█") && text.contains("to log in on a phone, use --device"), "\(result)")
        var program = Program.shell(
            "stty rows 24 cols 80 </dev/tty; oap login work --open --qr 2>/dev/tty", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        let shown = try program.run().expect(status: 0).text.replacing("\r\n  ", with: " ")
        #expect(!shown.contains("##") && shown.contains("the terminal has 24 and 80"), "\(shown)")
    }

    @Test("a terminal gets messages in lines of its width, with the command of a hint in one piece")
    func width() throws {
        var program = Program.shell("stty cols 50 </dev/tty; oap login work 2>/dev/tty", input: .terminal)
        program.output = .terminal
        program.environment = ["HOME": person.home.path]
        let lines = try program.run().expect(status: 3).text.split(separator: "\r\n")
        #expect(lines[1] == "oap: hint: there is no profile work; name a server")
        #expect(lines[3] == "  oap login work --issuer URL --client-id ID;", "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 50 } && lines.dropFirst(2).allSatisfy { $0.hasPrefix("  ") }, "\(lines)")
    }

    @Test("oap login takes the redirected URL that is pasted while it waits for the redirect")
    func pastedMeanwhile() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--no-open"])
        program.input = .terminal
        let login = try program.start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0.contains("paste the URL of the last page here") }
        login.write("garbage\n")
        _ = try login.errorLine { $0 == "oap: login: that is not the redirected URL: it is not a URL" }
        let query = try FormEncoding.parse(url)
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        login.write("\(value("redirect_uri"))?code=the-code&state=\(value("state"))\n")
        try login.finish().expect(status: 0)
        #expect(try person.stored()["access_token"] == "at")
    }

    @Test("oap login takes a pasted URL that is longer than a line of a terminal, to the last character of its code")
    func longPastedMeanwhile() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        var program = person.oap(["login", "work", "--no-open"])
        program.input = .terminal
        let login = try program.start()
        let query = try FormEncoding.parse(try login.errorLine { $0.hasPrefix("http://") })
        _ = try login.errorLine { $0.contains("paste the URL of the last page here") }
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        let code = (0..<1000).map { "c\(1000 + $0)" }.joined()
        login.write("mistaken\u{15}\(value("redirect_uri"))?state=\(value("state"))&code=\(code)\n")
        try login.finish().expect(status: 0)
        let sent = try FormEncoding.parse(server.requests.last?.bodyText ?? "").first { $0.name == "code" }?.value
        #expect(sent == code)
        #expect(login.hasCanonicalTerminal)
    }

    @Test("text that is no redirected URL is called that, and a server that shows the code has it pasted alone")
    func pasted() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let login = try person.typing()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        _ = try login.errorLine { $0.contains("paste") }
        login.write("garbage\n")
        _ = try login.errorLine { $0.hasPrefix("oap: login: that is not the redirected URL") }
        login.write("\(url)\n")
        _ = try login.errorLine { $0.hasPrefix("oap: hint: the callback is the URL of the login page; ") }
        let state = try FormEncoding.parse(url).first { $0.name == "state" }?.value ?? ""
        login.write("code=the-code&state=\(state)\n")
        try login.finish().expect(status: 0)
        try person.profile(server, ["redirect_uri": "urn:ietf:wg:oauth:2.0:oob"])
        let shown = try person.typing()
        _ = try shown.errorLine { $0.contains("paste") }
        shown.write("the-code\n")
        try shown.finish().expect(status: 0)
        #expect(server.requests.last?.bodyText.contains("code=the-code") == true)
    }
}
