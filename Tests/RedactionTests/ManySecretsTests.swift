import Redaction
import Testing

@Suite("The secrets of a process that runs for months")
struct ManySecretsTests {
    @Test(
        "of a great many secrets the ones that were used last are masked, and the oldest are forgotten",
        .timeLimit(.minutes(1)))
    func many() {
        let redactor = Redactor(secrets: ["client-secret-of-months"])
        for number in 1...30_000 {
            redactor.add("access-token-\(number)-")
            if number % 1000 == 0 { redactor.add("client-secret-of-months") }
            // Needles are made now and then.
            if number % 10_000 == 0 { #expect(redactor.redact("access-token-\(number)-") == "***") }
        }
        #expect(redactor.redact("client-secret-of-months") == "***")
        for number in 30_001 - Redactor.limit...30_000 where number % 100 == 0 {
            #expect(redactor.redact("access-token-\(number)-") == "***")
        }
        #expect(redactor.redact("access-token-7-").contains("7"))
    }
}
