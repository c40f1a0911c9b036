import TestSupport
import Testing
import Wire

@Suite("--dry-run")
struct DryRunTests {
    @Test(
        "--dry-run prints what, given to a shell, makes curl send the same request, and no secret",
        arguments: [
            ["/x"], ["/x?a=b&c='d"], ["/x", "-X", "DELETE"], ["/x", "-d", "a='b' \"c\" $HOME `id` \\ !"],
            ["/x", "--json", "{\"a\":\"ä\\n\"}"], ["/x", "-F", "a[b][]=1"], ["/x", "-H", "X-A: b c", "-H", "X-E;"],
            ["/x", "-X", "POST"], ["/x", "-d", "a", "-H", "Content-Type:"], ["/x/../y"], ["/x?[1-3]={a,b}"],
            ["/x", "-d", "token=old-access"], ["/x", "-d", "@FILE"], ["/x", "--input", "FILE"],
            ["/x", "-X", "PUT", "--input", "FILE"], ["/x", "-T", "FILE"], ["/dir/", "-T", "FILE"],
            ["/x", "--data-raw", "@notafile"], ["/x", "-H", "X-Api-Key: old-access"],
        ])
    func sameBytes(arguments: [String]) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("line 1\nline 2", to: "it's a file")
        let responder = try Responder { _ in .text("ok") }
        let words = ["call"] + arguments.map { $0.replacing("FILE", with: file) }
        let dry = try Program.oap(words + ["--dry-run"], input: responder.token.input).run()
        dry.expect(status: 0).expectSilence().expect(nowhere: "old-access")
        #expect(responder.connectionCount == 0 && dry.text.hasPrefix("curl "))

        try Program.shell(
            dry.text, shell: "/bin/sh", environment: ["OAP_ACCESS_TOKEN": "old-access", "X_API_KEY": "old-access"]
        ).run().expect(status: 0)
        try Program.oap(words, input: responder.token.input).run().expect(status: 0)
        let requests = responder.requests
        try #require(requests.count == 2, "\(dry)")
        func essence(_ request: Responder.Request) -> [String] {
            let fields = request.headers.filter { !["User-Agent", "Accept-Encoding"].contains($0.name) }
            return [request.method, request.target, request.bodyText]
                + fields.map { "\($0.name): \($0.value)" }.sorted()
        }
        #expect(essence(requests[0]) == essence(requests[1]), "\(dry)")
    }

    @Test("--dry-run prints the certificates and the proxy of the options, for one request and for a batch")
    func transport() throws {
        let options = ["--cacert", "c d.pem", "--proxy", "http://me:hunter2@p.example:1", "--noproxy", "x.example"]
        let end = " --cacert 'c d.pem' --proxy 'http://***@p.example:1' --noproxy x.example\n"
        let batch = ["--batch", "--api-base", "https://api.example"]
        for (words, input) in [(["https://api.example/"], ""), (batch, #"{"url":"/"}"#)] {
            let result = try Program.oap(
                ["call", "-n"] + words + options + ["--dry-run"], input: .text(input),
                environment: ["OAP_ACCESS_TOKEN": "token-1"]
            ).run().expect(status: 0).expect(nowhere: "hunter2")
            #expect(result.text.hasSuffix(end), "\(result)")
        }
    }

    @Test("--dry-run still refuses what the call would refuse")
    func refused() throws {
        try Program.oap(["call", "http://api.example/", "--dry-run"], input: .text(#"{"access_token":"a"}"#)).run()
            .expect(status: 9).expect(output: "")
    }

    @Test("--dry-run leaves content from standard input, and content that is no text, to standard input")
    func standardInput() throws {
        try Program.oap(
            ["call", "-n", "https://api.example/", "--input", "-", "--dry-run"], input: .text("x"),
            environment: ["OAP_ACCESS_TOKEN": "hunter2"]
        ).run().expect(status: 0).expect(nowhere: "hunter2").expect(
            output: #"curl -H "Authorization: Bearer $OAP_ACCESS_TOKEN" "#
                + #"-H 'Content-Type: application/json; charset=utf-8' --data-binary @- https://api.example/"# + "\n")
    }
}
