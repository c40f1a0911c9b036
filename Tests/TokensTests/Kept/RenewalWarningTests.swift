import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The warning that a token could not be renewed", .inProcessWithoutPauses)
struct RenewalWarningTests {
    @Test("it is printed once, though the time that the token is still good for gets shorter")
    func once() throws {
        let managed = try ManagedHome(expiresIn: 40)
        let server = try Responder { request in
            request.target == "/token" ? .text("", status: 503) : .json("{}")
        }
        try managed.put(
            managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "api_base": .string(server.url()),
            ]))
        var program = managed.oap("call", "--batch", "-p", "work", "--rate", "2/s")
        program.input = .text(String(repeating: #"{"url":"/x"}"# + "\n", count: 6))
        let result = try program.run().expect(status: 0)
        #expect(result.errorText.components(separatedBy: ": warning: ").count - 1 == 1, "\(result)")
    }
}
