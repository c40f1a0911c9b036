import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Calls for all pages", .inProcess)
struct PagedCallTests {
    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    /// Answers with these pages, in order; each but the last names the next in a `Link` field.
    private func linked(_ pages: [String]) throws -> Responder {
        try Responder { request in
            let number = Int(request.target.split(separator: "=").last ?? "") ?? 1
            let link = #"Link: <?page=\#(number + 1)>; rel="next""#
            return .json(pages[number - 1], headers: number < pages.count ? [link] : [])
        }
    }

    @Test("the pages that Link fields name pass through, one after the other on lines of their own")
    func links() throws {
        let responder = try linked(["[1, 2]", "[3]\n", "[]"])
        try call(["--paginate"], responder).expect(status: 0).expect(output: "[1, 2]\n[3]\n[]").expectSilence()
        #expect(responder.requests.map(\.target) == ["/api/x", "/api/x?page=2", "/api/x?page=3"])
        #expect(Set(responder.requests.map { $0.headers.first("Authorization") }).count == 1)
        try call([], responder).expect(status: 0).expect(output: "[1, 2]")
        try call(["--paginate", "--max-pages", "2"], responder).expect(status: 0).expect(output: "[1, 2]\n[3]\n")
        #expect(responder.connectionCount == 3)
    }

    @Test("a filter runs over each page, and its last output decides the exit status")
    func filtered() throws {
        let responder = try linked(["[1,2]", "[3,null]"])
        try call(["--paginate", "-q", ".[]"], responder).expect(status: 0).expect(output: "1\n2\n3\nnull\n")
        try call(["--paginate", "-q", ".[]", "-e"], responder).expect(status: 1)
        try call(["--paginate", "-q", "map(. // 0) | add"], responder).expect(status: 0).expect(output: "3\n3\n")
        try call(["--paginate", "-q", "$url | split(\"/\") | last"], responder).expect(status: 0)
            .expect(output: "\"x\"\n\"x?page=2\"\n")
        let halted = try call(["--paginate", "-q", "1, halt"], responder)
        #expect(halted.text == "1\n", "\(halted)")
    }

    @Test("--slurp makes one array of all pages, as text or for a filter")
    func slurp() throws {
        let responder = try linked([" [1.10, {\"a\":[]}]\n", "[]", "[[2]]"])
        try call(["--paginate", "--slurp"], responder).expect(status: 0).expect(output: "[1.10, {\"a\":[]},[2]]\n")
        try call(["--paginate", "--slurp", "-q", "length"], responder).expect(status: 0).expect(output: "3\n")
        try call(["--paginate", "--slurp"], try linked(["[]", "[]"])).expect(status: 0).expect(output: "[]\n")
        let wrong = try linked(["[1]", "{\"a\":1}"])
        let failed = try call(["--paginate", "--slurp"], wrong).expect(status: 10)
            .expect(
                errorLine:
                    "oap: call: page 2, after 1 written: the page is of type object, and --slurp joins arrays only")
        #expect(failed.text == "[1")
        try call(["--paginate", "--slurp", "-q", "."], wrong).expect(status: 10).expect(output: "")
    }

    @Test("a next page that is elsewhere, itself, plain text or malformed is refused, after its page is printed")
    func refused() throws {
        let other = try Responder { _ in .json("[9]") }
        for (link, status, words) in [
            ("<?>; rel=next", 10, "already requested"), ("<file:///etc/passwd>; rel=next", 9, "no valid URL"),
            ("<\(other.url("/x"))>; rel=next", 9, "at another origin"),
            ("<http://a.example/>; rel=next", 9, "plain http"),
            ("<http://u:p@127.0.0.1/>; rel=next", 9, "a user name or password"), ("next", 10, "malformed"),
        ] {
            let responder = try Responder { request in
                request.target.hasSuffix("?")
                    ? .json("[2]", headers: ["Link: <?>; rel=next"])
                    : .json("[1]", headers: ["Link: \(link)"])
            }
            for options in [[], ["-q", ".[]"]] {
                let result = try call(["--paginate"] + options, responder).expect(status: status)
                #expect(result.text.contains("1"), "\(result)")
                #expect(result.errorText.contains("oap: call: page ") && result.errorText.contains(words), "\(result)")
            }
        }
        #expect(other.requests.isEmpty)
        let allowed = try Responder { _ in .json("[1]", headers: ["Link: <\(other.url("/x"))>; rel=next"]) }
        let hint = try call(["--paginate"], allowed).expect(status: 9)
        hint.expect(
            errorLine:
                "oap: hint: to send the token to \(other.url()), use --allow-origin \(other.url()); if that is the "
                + "same server, the external URL in its settings is wrong (external_url of GitLab): tell its administrator"
        )
        let plain = try Responder { _ in .json("[1]", headers: ["Link: <http://a.example/>; rel=next"]) }
        try call(["--paginate"], plain).expect(status: 9).expect(
            errorLine:
                "oap: hint: if that is the same server, the external URL in its settings is wrong (external_url of "
                + "GitLab): tell its administrator")
        try call(["--paginate", "--allow-origin", other.url()], allowed).expect(status: 0).expect(output: "[1]\n[9]")
        #expect(other.requests.first?.headers.first("Authorization") != nil)
    }

    @Test("--next finds the cursor in the body or in a field, and ends with null")
    func next() throws {
        let responder = try Responder { request in
            switch request.target.split(separator: "?").last.map(String.init) {
            case "a=b&cursor=2": .json(#"{"items":[2],"cursor":"3+"}"#, headers: ["X-Next: 3"])
            case "a=b&cursor=3%2B", "a=b&cursor=3": .json(#"{"items":[3],"cursor":""}"#)
            default: .json(#"{"items":[1],"cursor":2}"#, headers: ["X-Next: 2"])
            }
        }
        let options = ["--query", "a=b", "-q", ".items[]"]
        for filter in [
            "{query: {cursor}}", "{query: {cursor: $headers[\"x-next\"]}}",
            ".cursor | select(. != \"\") | {query: {cursor: .}}",
            "if .cursor == \"\" then null else \"?a=b&cursor=\\(.cursor | tostring | @uri)\" end",
        ] {
            try call(options + ["--next", filter], responder).expect(status: 0).expect(output: "1\n2\n3\n")
                .expectSilence()
        }
        try call(["--query", "a=b", "--next", "{query: {cursor}}"], responder).expect(status: 0)
            .expect(
                output:
                    "{\"items\":[1],\"cursor\":2}\n{\"items\":[2],\"cursor\":\"3+\"}\n{\"items\":[3],\"cursor\":\"\"}")
        try call(options + ["--next", "{query: {cursor: 1}}"], responder).expect(status: 10).expect(output: "1\n1\n")
    }

    @Test(
        "a cursor filter that gives anything else is exit 5, one that does not compile exit 2",
        arguments: [
            (".cursor", 5, "gave a value of type number"), ("{href: 1}", 5, "or has unknown members"),
            ("1, 2", 5, "gave 2 outputs, not one"), (".a.b.c", 5, "failed: Cannot index"),
            ("{body: {a: 1}}", 5, "the request is not a JSON object"), ("{{", 2, "does not compile"),
        ])
    func badCursor(filter: String, status: Int, words: String) throws {
        let responder = try Responder { _ in .json(#"{"cursor":2,"a":"x"}"#) }
        let result = try call(["--next", filter], responder).expect(status: status)
        #expect(result.errorText.contains(words), "\(result)")
        #expect(responder.requests.count == (status == 2 ? 0 : 1))
        #expect(result.output.isEmpty == (status == 2), "\(result)")
    }

    @Test("a bare cursor is answered with the object that it belongs in", arguments: ["2", #""MjA""#])
    func bareCursor(cursor: String) throws {
        let responder = try Responder { request in
            .json(request.target.contains("cursor=") ? "{}" : #"{"next_cursor":\#(cursor)}"#)
        }
        let result = try call(["--next", ".next_cursor"], responder).expect(status: 5)
        result.expect(
            errorLine: "oap: hint: for a cursor, name its parameter: --next '{query: {cursor: .next_cursor}}'")
        try call(["--next", "{query: {cursor: .next_cursor}}"], responder).expect(status: 0)
        #expect(responder.requests.count == 3)
    }

    @Test("GraphQL pages: the cursor is set in the variables of the body, the rest of which stays")
    func graphQL() throws {
        let responder = try Responder { request in
            let isLast = request.bodyText.contains("\"after\":\"c1\"")
            return .json(#"{"data":{"end":"c1","more":\#(!isLast)}}"#)
        }
        let filter = ".data | if .more then {body: {variables: {after: .end}}} else null end"
        try call(["-f", "query=q", "-f", "variables[n]=2", "--next", filter, "-q", ".data.more"], responder)
            .expect(status: 0).expect(output: "true\nfalse\n")
        #expect(
            responder.requests.map(\.bodyText) == [
                #"{"query":"q","variables":{"n":"2"}}"#, #"{"query":"q","variables":{"n":"2","after":"c1"}}"#,
            ])
    }

    @Test("CP-05 a page that fails is tried again; one that stays away leaves what was printed, and no file")
    func failures() throws {
        let flaky = try Responder(
            .json("[1]", headers: ["Link: <?p=2>; rel=next"]), .text("", status: 503), .reset, .json("[2]"))
        try call(["--paginate", "--retry-delay", "0.01"], flaky).expect(status: 0).expect(output: "[1]\n[2]")
        let folder = try TemporaryDirectory()
        for (options, message) in [
            ([], "page 2, after 1 written: GET"), (["-q", ".[]"], "page 2, after 1 written: GET"),
            (["-o", folder.path("out")], "page 2: GET"), (["--slurp", "-q", "."], "page 2: GET"),
        ] {
            let broken = try Responder { request in
                request.target.hasSuffix("2")
                    ? .json(#"{"message":"gone"}"#, status: 404) : .json("[1]", headers: ["Link: <?p=2>; rel=next"])
            }
            let result = try call(["--paginate"] + options, broken).expect(status: 7)
            #expect(result.errorText.contains("oap: call: \(message)"), "\(result)")
            #expect(result.text.isEmpty == (message == "page 2: GET"), "\(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let whole = try linked(["[1]", "[2]"])
        try call(["--paginate", "-o", folder.path("out")], whole).expect(status: 0).expect(output: "")
        #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8) == "[1]\n[2]")
    }

    @Test("heads and envelopes come with each page")
    func heads() throws {
        let responder = try linked(["[1]", "[2]"])
        let included = try call(["--paginate", "-i"], responder).expect(status: 0)
        #expect(included.text.components(separatedBy: "HTTP/1.1 200").count == 3, "\(included)")
        #expect(included.text.hasSuffix("\r\n\r\n[2]"))
        try call(["--paginate", "--envelope", "-q", ".body[]"], responder).expect(status: 0).expect(output: "1\n2\n")
        try call(["--next", "null", "--envelope", "-q", ".status"], responder).expect(status: 0).expect(output: "200\n")
    }
}
