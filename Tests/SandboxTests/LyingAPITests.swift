import Foundation
import TestSupport
import Testing
import Wire

@Suite("The API of oap-sandbox, told to lie") struct LyingAPITests {
    /// Runs a script with `$T`, a token, and `$A`, the API.
    private func run(_ script: String) throws -> ProgramResult {
        try Program.runBesideSandbox(
            """
            cd "$HOME"; A=$OAP_API_BASE
            T="Authorization: Bearer $(oap exchange -n --grant client_credentials --jq .access_token -r)"
            \(script)
            """)
    }

    @Test("bytes come with their length, in chunks, and with a field behind them")
    func chunks() throws {
        let result = try run(
            """
            curl -sS -i -H "$T" "$A/bytes/20" | grep -ci 'content-length: 20'
            curl -sS -i -H "$T" "$A/bytes/20?chunked" | grep -ci 'transfer-encoding: chunked'
            curl -sS --raw -H "$T" "$A/bytes/20?trailer=X-Sum:%20abc" | tail -n 2 | tr -d '\\r'
            curl -sS -H "$T" "$A/bytes/20?chunked" | wc -c
            """)
        #expect(result.text == "1\n1\nX-Sum: abc\n\n20\n", "\(result)")
    }

    @Test("bytes come slowly, and end with a reset")
    func slow() throws {
        let result = try run(
            """
            curl -sS -o all -w '%{size_download} %{time_total}\\n' -H "$T" "$A/bytes/1000?seconds=1"
            curl -sS -o part -w '%{size_download}\\n' -H "$T" "$A/bytes/100000?reset=5000&chunked"; echo $?
            curl -sS -o part -w '%{size_download}\\n' -H "$T" "$A/bytes/100?reset=0" 2> /dev/null; echo $?
            """)
        let lines = result.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 5, "\(result)")
        let words = lines[0].split(separator: " ")
        #expect(words[0] == "1000" && (0.8..<30).contains(Double(words[1]) ?? 0), "\(result)")
        #expect(Int(lines[1]) ?? .max <= 5000 && lines[2] == "56", "\(result)")
        #expect(lines[3] == "0" && lines[4] == "56", "\(result)")
    }

    @Test(
        "what the query says wrongly is refused",
        arguments: ["seconds=x", "seconds=61", "reset=-1", "trailer=x", "trailer=a%20b:c"])
    func refused(query: String) throws {
        #expect(try run("curl -sS -o /dev/null -w '%{http_code}' -H \"$T\" \"$A/bytes/1?\(query)\"").text == "400")
    }

    @Test("an early answer comes before the content, and in place of 100 Continue")
    func early() throws {
        let result = try run(
            """
            head -c 3000000 /dev/zero > big
            curl -sS -o answer -w '%{http_code}\\n' -H 'Expect: 100-continue' -T big "$A/early/413"
            curl -sS -v -o answer -H 'Expect: 100-continue' -T big "$A/early/417" 2>&1 | grep -c '100 Continue'
            curl -sS -o answer -w '%{http_code} %{size_upload}\\n' -H 'Expect:' -d a "$A/early/200"; cat answer
            """)
        #expect(result.text == "413\n0\n200 1\nearly\n", "\(result)")
    }
}
