import Testing
import Wire

@testable import HTTP

@Suite("The head of a response")
struct ResponseHeadReaderTests {
    private func read(_ status: Int, _ fields: [String], asking headers: [HTTPField] = []) -> HTTPError? {
        var reader = ResponseHeadReader(
            of: HTTPRequest(method: "GET", url: "https://api.example/", headers: headers))
        for line in ["HTTP/1.1 \(status) X"] + fields + [""] {
            do throws(HTTPError) {
                _ = try Array("\(line)\r\n".utf8).span.bytes.withUnsafeBytes { (bytes) throws(HTTPError) in
                    try reader.read(bytes)
                }
            } catch {
                return error
            }
        }
        return nil
    }

    @Test(
        "a length of which nobody can count the bytes is refused",
        arguments: ["9223372036854775808", "18446744073709551615", "99999999999999999999999"])
    func endless(length: String) {
        let error = HTTPError.tooLarge(limit: .max, of: "the content of the response")
        #expect(read(200, ["Content-Length: \(length)"]) == error)
        #expect(read(404, ["content-length:\(length)"]) == error)
    }

    @Test("the length of the largest file, and what is no number, are left to libcurl")
    func countable() {
        for length in ["9223372036854775807", "0", "", "x", "-1", "1, 1"] {
            #expect(read(200, ["Content-Length: \(length)"]) == nil)
        }
    }

    @Test(
        "a part of the bytes is refused where all of them were asked for",
        arguments: ["bytes 0-99/144890", "bytes 1-99/100", "bytes 0-99/*"])
    func part(range: String) {
        let error = HTTPError.malformedResponse(
            "the response has a part of the content, although all of it was asked for")
        #expect(read(206, ["Content-Range: \(range)"]) == error)
        #expect(read(206, ["Content-Range: \(range)"], asking: [HTTPField("range", "bytes=0-99")]) == nil)
        #expect(read(200, ["Content-Range: \(range)"]) == nil)
    }

    @Test(
        "the whole, and a part of something else than bytes, is none of them",
        arguments: [["Content-Range: bytes 0-99/100"], ["Content-Range: 0-24/3573"], ["Content-Range: id a..b"], []])
    func otherPart(fields: [String]) { #expect(read(206, fields) == nil) }
}
