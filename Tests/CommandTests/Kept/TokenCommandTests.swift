import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap token")
struct TokenCommandTests {
    @Test("oap token loads no library when nothing is to be done, and each when it is needed")
    func libraries() throws {
        func loaded(_ managed: ManagedHome, _ arguments: [String] = []) throws -> [String] {
            var program = managed.oap(["token", "work"] + arguments)
            program.environment["LD_DEBUG"] = "files"
            let trace = try program.run().expect(status: 0).errorText
            #expect(trace.contains("libc.so.6"), "the loader tells what it loads")
            return ["libcurl", "libjq", "libcrypto", "libssl"].filter { trace.contains("file=\($0).so") }
        }
        let fresh = try ManagedHome(expiresIn: 1000)
        for form in [[], ["--header"], ["--document"], ["--jq", ".access_token"]] {
            #expect(try loaded(fresh, form).isEmpty)
        }
        #expect(try loaded(fresh, ["--jq", "[.access_token]|length"]) == ["libjq"])
        #expect(try loaded(ManagedHome()).contains("libcurl"))
    }

    @Test("oap token names the login where a refresh is refused without a word, and keeps the token")
    func wordless() throws {
        let (managed, server) = (try ManagedHome(), try Responder { _ in .text("", status: 400) })
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let before = try managed.stored()
        let result = try managed.oap("token", "work").run().expect(status: 10)
        result.expect(
            errorLine: "oap: hint: the server may not know the refresh token any more: log in again: oap login work")
        var after = try managed.stored()
        after["refresh_failed_at"] = nil
        #expect(after == before)
    }

    @Test("oap token asks nothing of a person at a terminal, whether there is a token or a login is needed")
    func terminal() throws {
        for (managed, status, text) in [
            (try ManagedHome(expiresIn: 1000), 0, "at-0\n"),
            // Days ago, so that a second more does not change the message.
            (try ManagedHome(expiresIn: -200_000, refreshable: false), 8, ""),
        ] {
            var program = managed.oap(["token", "work"])
            program.input = .terminal
            let result = try program.run().expect(status: status)
            #expect(result.text == text)
            #expect(try managed.oap(["token", "work"]).run().errorText == result.errorText)
        }
    }
}
