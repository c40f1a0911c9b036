import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("The progress of a transfer")
struct TransferProgressTests {
    @Test(
        "a size that a server makes up is shown, however large, and no time is left of it",
        arguments: [
            (200, ["Content-Length: 1000"], "10 B of 1.0 kB, 2 B/s, 495 s left"),
            (200, ["Content-Length: 9223372036854775807"], "10 B of 9223372.0 TB, 2 B/s"),
            (200, ["Content-Length: 9223372036854775808"], "10 B, 2 B/s"),
            (200, ["Content-Length: 5"], "10 B of 5 B, 2 B/s"),
            (206, ["Content-Range: bytes 90-99/100"], "100 B of 100 B, 2 B/s, 0 s left"),
            (
                206,
                [
                    "Content-Range: bytes 9223372036854775806-9223372036854775806/9223372036854775807",
                    "Content-Length: 100",
                ],
                "9223372.0 TB of 9223372.0 TB, 2 B/s, 0 s left"
            ),
        ])
    func sizes(status: Int, fields: [String], text: String) {
        let progress = TransferProgress(nil)
        let headers = fields.map {
            HTTPField($0.split(separator: ":")[0].description, $0.split(separator: " ", maxSplits: 1)[1].description)
        }
        progress.begin(HTTPResponseHead(status: status, headers: headers))
        progress.add(10)
        #expect(progress.text(after: 5) == text)
    }
}
