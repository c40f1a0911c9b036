import Foundation
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands

@Suite("The warning that a token could not be renewed")
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

    @Test("it is printed again for another failure, and for another token")
    func again() {
        var printed = PrintedWarnings()
        func isNew(_ kind: ErrorKind, until end: Int, _ message: String) -> Bool {
            printed.isNew(.notRenewed(kind, until: end, message: message))
        }
        #expect(isNew(.network, until: 5000, "it expires in 49 s"))
        #expect(!isNew(.network, until: 5000, "it expires in 48 s"))
        #expect(!isNew(.network, until: 5001, "it expires in 48 s"))
        #expect(isNew(.refreshRefused, until: 5000, "it expires in 47 s"))
        #expect(!isNew(.network, until: 5000, "it expires in 46 s"))
        #expect(isNew(.network, until: 8600, "it expires in 49 s"))
    }

    @Test("other warnings are printed once each, and a great many of them are not remembered")
    func others() {
        var printed = PrintedWarnings()
        func isNew(_ member: String) -> Bool { printed.isNew(.memberDropped(member)) }
        #expect(isNew("a"))
        #expect(isNew("b"))
        #expect(!isNew("a"))
        for number in 1...5000 { _ = isNew("\(number)") }
        #expect(!isNew("5000"))
        #expect(isNew("a"))
    }
}
