import OAuth
import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Warnings that were printed before")
struct PrintedWarningsTests {
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
