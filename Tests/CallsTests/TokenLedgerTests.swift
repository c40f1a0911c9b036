import Testing
import Wire

@testable import Calls
@testable import OAuth

@Suite("The token that requests share")
struct TokenLedgerTests {
    private func token(_ text: String) throws -> AccessToken { try AccessToken(text, of: Document([:])) }

    @Test("a refused token is replaced while there is a newer one, and not while that is renewed in its turn")
    func replaced() throws {
        var ledger = TokenLedger(try token("at-1"), isRenewable: true)
        ledger.wantRenewal()
        #expect(ledger.startRenewal() != nil)
        #expect(!ledger.isReplaced(serial: 0))
        ledger.finishRenewal(try token("at-2"))
        #expect(ledger.isReplaced(serial: 0))
        #expect(!ledger.isReplaced(serial: 1))
        ledger.expire()
        #expect(ledger.startRenewal() != nil)
        #expect(!ledger.isReplaced(serial: 0))
        ledger.finishRenewal(nil)
        #expect(ledger.isExhausted)
    }

    @Test("a token that nothing renews stays when its time is over")
    func fixed() throws {
        var ledger = TokenLedger(try token("at-1"), isRenewable: false)
        ledger.expire()
        #expect(ledger.startRenewal() == nil)
        #expect(ledger.token?.token == "at-1")
    }
}
