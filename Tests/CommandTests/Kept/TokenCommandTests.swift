import TestSupport
import Testing

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

    @Test("oap token asks nothing of a person at a terminal, whether there is a token or a login is needed")
    func terminal() throws {
        for (managed, status, text) in [
            (try ManagedHome(expiresIn: 1000), 0, "at-0\n"),
            (try ManagedHome(expiresIn: -1, refreshable: false), 8, ""),
        ] {
            var program = managed.oap(["token", "work"])
            program.input = .terminal
            let result = try program.run().expect(status: status)
            #expect(result.text == text)
            #expect(try managed.oap(["token", "work"]).run().errorText == result.errorText)
        }
    }
}
