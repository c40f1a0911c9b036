import PlaySupport
import TestSupport
import Testing
import Wire

/// The cases of the vectors of `token_response` that only a transport can show.
@Suite("Token answers as the transport sees them", .inProcessWithoutPauses)
struct TokenTransportVectorTests {
    @Test(
        "T-08, T-10, T-11 token_response: size, coding, interim answers and redirects are taken as the case says",
        arguments: try VectorGroup("token_response").cases(only: [
            "oversize", "oversize-chunked", "gzip-bomb", "at-cap", "100-then-200", "redirect-301", "redirect-302",
            "redirect-303", "redirect-307", "redirect-308", "redirect-same-origin",
        ]))
    func vector(_ vector: VectorCase) throws {
        let reply = try Self.reply(vector)
        let responder = try Responder { _ in reply }
        var program = Program.oap(
            ["exchange", "--grant", "client_credentials"], input: responder.machine.input)
        program.deadline = .seconds(20)
        let result = try program.run()
        let document = try result.object()
        if vector["expect"] == "ok" {
            result.expect(status: 0)
            #expect(document["access_token"] == "at")
        } else {
            result.expect(status: vector["kind"] == "too_large" ? 10 : 9)
            #expect(document["error"] == vector["kind"], "\(result)")
        }
        #expect(responder.requests.map(\.target) == ["/token"])
    }

    private static func reply(_ vector: VectorCase) throws -> Responder.Reply {
        let token = #"{"access_token":"at","token_type":"Bearer","pad":""}"#
        func padded(to size: Int) -> String {
            token.dropLast(2) + String(repeating: "x", count: size - token.utf8.count) + "\"}"
        }
        if vector["decoded_size"]?.integer != nil {
            // 16 MiB stand for the vector's gigabyte: what is beyond the cap is never decoded.
            return try .gzip(Array(padded(to: 16 << 20).utf8), type: "application/json")
        }
        if let size = vector["body_size"]?.integer {
            let text = padded(to: size)
            return vector["chunked"] == true
                ? .chunked([text], headers: ["Content-Type: application/json"]) : .json(text)
        }
        if vector.id == "100-then-200" {
            return Responder.Reply.raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n").then(
                .json(token))
        }
        let location = vector["headers"]?.object?["Location"]?.string ?? ""
        return .redirect(vector["status"]?.integer ?? 0, to: location)
    }
}
