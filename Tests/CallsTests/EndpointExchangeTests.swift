import System
import Testing
import Wire

@testable import Calls

@Suite("Retries of requests to endpoints")
struct EndpointExchangeTests {
    private static let start = MonotonicTime.now

    private func moment(_ seconds: Double = 0) -> Moment {
        Moment(time: Self.start + .milliseconds(Int64(seconds * 1000)), seconds: 1_700_000_000 + Int(seconds))
    }

    /// The pauses in seconds after these results; each follows at once.
    private func pauses(
        _ method: String, isRepeatable: Bool = false, _ results: [Result<HTTPResponse, HTTPError>],
        after time: Double = 0
    ) -> [Double] {
        let message = HTTPRequest(method: method, url: "https://as.example/token")
        var exchange = EndpointExchange(message, isRepeatable: isRepeatable, at: moment(), random: Longest())
        var seconds = time
        var pauses: [Double] = []
        for result in results {
            guard let planned = exchange.receive(result, at: moment(seconds)) else { break }
            pauses.append(planned.retry.seconds)
            seconds += planned.retry.seconds
        }
        return pauses
    }

    private func status(_ status: Int, _ field: HTTPField? = nil) -> Result<HTTPResponse, HTTPError> {
        let head = HTTPResponseHead(
            status: status, headers: [field].compactMap(\.self), url: "https://as.example/token")
        return .success(HTTPResponse(head: head, body: []))
    }

    private let refused = Result<HTTPResponse, HTTPError>.failure(
        .network(stage: .connect, message: "refused", requestSent: false))
    private let broken = Result<HTTPResponse, HTTPError>.failure(
        .network(stage: .read, message: "gone", requestSent: true))

    @Test("R-12 a token request is sent again twice after a failed connection, and never once bytes were sent")
    func token() {
        #expect(pauses("POST", [refused, refused, refused]) == [0.5, 1])
        #expect(pauses("POST", [refused, broken]) == [0.5])
        for result in [broken, status(503), status(429), status(503, HTTPField("Retry-After", "1")), status(200)] {
            #expect(pauses("POST", [result]) == [])
        }
    }

    @Test("a request that may be repeated is sent again after a broken connection and a status that may pass")
    func repeatable() {
        for (method, isRepeatable) in [("GET", false), ("POST", true)] {
            for result in [refused, broken, status(408), status(429), status(500), status(503)] {
                #expect(pauses(method, isRepeatable: isRepeatable, [result, result, result]) == [0.5, 1])
            }
            for result in [
                status(200), status(302, HTTPField("Location", "/x")), status(401), status(403), status(404),
            ] {
                #expect(pauses(method, isRepeatable: isRepeatable, [result]) == [])
            }
        }
    }

    @Test("a pause that the server asks for is kept up to ten seconds after the first attempt")
    func bounds() {
        #expect(pauses("GET", [status(503, HTTPField("Retry-After", "4")), status(503)]) == [4, 1])
        #expect(pauses("GET", [status(429, HTTPField("Retry-After", "11"))]) == [])
        #expect(pauses("GET", [broken], after: 9.6) == [])
        #expect(pauses("GET", [.failure(.tooLarge(limit: 1))]) == [])
    }
}
