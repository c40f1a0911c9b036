import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("--stream-each")
struct StreamEachTests {
    @Test(
        "--stream-each runs on the elements of an array",
        arguments: [
            ("[]", ".", "", 0), ("", ".", "", 0), (#" ["abc", "a" ,[2],{"b":"],["}] "#, "length", "3\n1\n1\n1\n", 0),
            (#"[{"a":1},{"a":2}]"#, ".a", "1\n2\n", 0), (#"[{"a":1},{"a":2}]"#, "$status + .a", "201\n202\n", 0),
            ("[[1],[2,3]]", ".[] | . + 1", "2\n3\n4\n", 0), ("[[1],[2,3]]", "def f: length; f", "1\n2\n", 0),
            (#"[{"a":1,"a":2}]"#, ".a", "2\n", 0), ("[3,\"x\",4]", ". + 1", "4\n", 5),
            ("[1,2", ".", "", 10), ("[1,,2]", ".", "", 10), ("[1,2]x", ".", "", 10), ("[1,{]]", ".", "", 10),
            ("<p>", ".", "", 10), (#"{"a":[]}"#, ".", "", 5), ("null", ".", "", 5),
        ])
    func elements(body: String, filter: String, output: String, status: Int) throws {
        try call(["-c", "--stream-each", filter], .json(body)).expect(status: status).expect(output: output)
    }

    @Test("what --stream-each says of a response that is no array, or breaks")
    func messages() throws {
        try call(["--stream-each", "."], .json("{}")).expect(status: 5).expect(
            errorLine: "oap: call: the response is not an array, but --stream-each needs one")
        try call(["--stream-each", "."], .json("[1,{\"a\"}]")).expect(status: 10).expect(
            errorLine: """
                oap: call: element 2 of the response is not JSON, which the filter needs: expected ':' after the member \
                name at line 1, column 5
                """)
        try call(["--stream-each", "."], .json("[1,2")).expect(status: 10).expect(
            errorLine: """
                oap: call: the response is not JSON, which the filter needs: unexpected end of input in the array after \
                element 1
                """)
    }

    @Test("outputs of --stream-each are held up to 4 MiB; what was printed by then stays when the array breaks")
    func held() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let elements = (0..<3).map { _ in "\"\(text)\"," }.joined()
        try call(["-r", "--stream-each", "."], .json("[\(elements)")).expect(status: 10).expect(output: "")
        let result = try call(["-r", "--stream-each", "."], .json("[\(elements)\(elements)")).expect(status: 10)
        #expect(result.output.count >= 4 << 20)
    }

    @Test("--stream-each runs on 40 MB of elements in little memory")
    func memory() throws {
        let header = "Content-Type: application/json\r\n"
        let (peak, _) = try measuredCall(["--stream-each", "[.name, $status]"], manyElements, header: header)
        #expect(peak < 40 << 20)
    }
}
