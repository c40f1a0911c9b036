import TestSupport
import Testing

@Suite("The layout of a response of call")
struct CallLayoutTests {
    private func call(
        _ options: [String], _ reply: Responder.Reply, output: Program.Output, environment: [String: String] = [:]
    ) throws -> ProgramResult {
        let responder = try Responder(reply)
        var program = Program.oap(["call", "/x"] + options, input: responder.token.input, environment: environment)
        program.output = output
        return try program.run()
    }

    private let plain = ["NO_COLOR": "1"]

    @Test("a response in JSON is pretty on a terminal, and coloured as jq does")
    func terminal() throws {
        let reply = Responder.Reply.json(#"{"a":[1.10,"\u009b"]}"#)
        try call([], reply, output: .terminal, environment: plain).expect(status: 0)
            .expect(output: "{\r\n  \"a\": [\r\n    1.10,\r\n    \"\\u009b\"\r\n  ]\r\n}\r\n")
        try call(["-c"], reply, output: .terminal, environment: ["TERM": "dumb"]).expect(status: 0)
            .expect(output: "{\"a\":[1.10,\"\\u009b\"]}\r\n")
        try call(["-c"], .json("1"), output: .terminal, environment: ["TERM": "xterm"]).expect(status: 0)
            .expect(output: "\u{1B}[0;39m1\u{1B}[0m\r\n")
    }

    @Test("a response in JSON is laid out through a pipe where --pretty or -c asks for it, behind the head of -i")
    func options() throws {
        try call(["--pretty"], .json("[1]"), output: .collected).expect(output: "[\n  1\n]\n")
        try call(["-c"], .json("[ 1 ]\n"), output: .collected).expect(output: "[1]\n")
        let result = try call(["-c", "-i"], .json("[ 1 ]"), output: .collected).expect(status: 0)
        #expect(result.text.hasSuffix("\r\n\r\n[1]\n"))
        let error = try call(["-c", "--error-body", "stdout"], .json("[ 1 ]", status: 404), output: .collected)
        error.expect(status: 7).expect(output: "[1]\n")
    }

    @Test("a response in JSON has the colours of jq -C with --color always, through a filter and in a batch too")
    func color() throws {
        let text = #"{"a":[1,"b",null,true,{}],"c":{"d":[]}}"#
        func jq(_ options: [String], _ text: String = text) throws -> String {
            var program = Program(path: "/usr/bin/jq", arguments: ["-C"] + options)
            program.input = .text(text)
            return try program.run().expect(status: 0).text
        }
        let always = ["--color", "always"]
        try call(always, .json(text), output: .collected).expect(status: 0).expect(output: try jq(["-c", "."]))
        try call(always + ["--pretty"], .json(text), output: .collected).expect(output: try jq(["."]))
        for filter in [".", ".a", ".a[]", ".[] | .", "{a}", "keys"] {
            try call(always + ["-q", filter], .json(text), output: .collected)
                .expect(status: 0).expect(output: try jq(["-c", filter]))
        }
        try call(["--color", "never"], .json("1"), output: .terminal).expect(output: "1\r\n")
        try call(always, .text(text), output: .collected).expect(output: text)
        let responder = try Responder(.json(text))
        try Program.oap(
            ["call", "--batch", "-q", ".body"] + always, input: .text(#"{"url":"\#(responder.url("/x"))"}"#),
            environment: ["OAP_ACCESS_TOKEN": "t", "OAP_API_BASE": responder.url()]
        ).run().expect(status: 0).expect(output: try jq(["-c", "."]))
    }

    @Test("what is not JSON, breaks off, names a member twice or is longer than 4 MiB is shown as it is")
    func unchanged() throws {
        for text in ["{", "", #"{"a":1,"a":2}"#] {
            try call([], .json(text), output: .terminal, environment: plain).expect(status: 0).expect(output: text)
        }
        try call([], .text("[ 1 ]"), output: .terminal, environment: plain).expect(output: "[ 1 ]")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        let broken = Responder.Reply.raw(head + "[1,")
        try call(["-c"], broken.then(.close), output: .collected).expect(status: 6).expect(output: "[1,")
        let long = "[" + String(repeating: " ", count: 5 << 20) + "1]"
        let result = try call(["-c"], .json(long), output: .collected).expect(status: 0)
        #expect(result.text == long)
    }
}
