import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A call that is sent again with a new token")
struct RenewedCallTests {
    /// An API that refuses the first token, and answers any other with its number.
    private static func api() throws -> Responder {
        try Responder { request in
            request.head.contains("Authorization: Bearer at-0\r\n")
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
                : .text("done")
        }
    }

    /// Runs `oap call` with these words of a shell, in which `<(…)` makes pipes.
    private func call(_ words: String, _ managed: ManagedHome, _ api: Responder) throws -> ProgramResult {
        var program = Program(
            path: "/bin/bash",
            arguments: ["-c", #"exec "$0" call --token-file "$1" "$2" \#(words)"#, Program.oap([]).path]
                + [managed.file, api.url("/x")])
        program.environment = ["HOME": managed.home.path]
        return try program.run()
    }

    @Test(
        "a call that is repeated with a new token sends the content and the header fields that came from pipes, whether it is renewed first or after a 401",
        arguments: [
            ("-d @<(printf hello)", "hello"), ("--data-binary @<(printf hello)", "hello"),
            ("--data-urlencode a@<(printf 'h o')", "a=h%20o"), ("--json @<(printf '[1]')", "[1]"),
            ("-F a=@<(printf hello)", #"{"a":"hello"}"#), ("--input <(printf hello)", "hello"),
            ("--input - < <(printf hello)", "hello"),
        ], [-10, 1000])
    func pipes(option: (words: String, body: String), secondsLeft: Int) throws {
        let managed = try ManagedHome(.file, expiresIn: secondsLeft)
        let api = try Self.api()
        try call("\(option.words) -H @<(printf 'X-Test: yes')", managed, api)
            .expect(status: 0).expect(output: "done")
        #expect(api.requests.count == (secondsLeft < 0 ? 1 : 2))
        for request in api.requests {
            #expect(request.bodyText == option.body)
            #expect(request.headers.first("X-Test") == "yes")
            #expect(request.method == "POST")
        }
    }

    @Test(
        "the scheme and the field of an option count for the new token too, whether it is renewed first or after a 401",
        arguments: [-10, 1000])
    func scheme(secondsLeft: Int) throws {
        let managed = try ManagedHome(.file, expiresIn: secondsLeft)
        let api = try Responder { request in
            request.head.contains("Authorization: token at-0\r\n")
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: token error="invalid_token""#])
                : .text("done")
        }
        try call("--authorization-scheme token", managed, api).expect(status: 0).expect(output: "done")
        #expect(api.requests.last?.headers.first("Authorization") == "token at-1")
        #expect(api.requests.count == (secondsLeft < 0 ? 1 : 2))
    }

    @Test("content of more than 16 MiB from a pipe is not sent again after a 401: exit 7, and the hint says so")
    func largePipe() throws {
        let managed = try ManagedHome(.file, expiresIn: 1000)
        let api = try Self.api()
        let result = try call("--input <(head -c 16777217 /dev/zero)", managed, api).expect(status: 7)
        #expect(result.errorText.contains("more than 16 MiB from a pipe cannot be sent again"), "\(result)")
        #expect(api.requests.count == 1)
        #expect(managed.endpoint.requests.isEmpty)
    }

    @Test("after a redirect, the refused request is sent again, and the POST that led there is not")
    func afterRedirect() throws {
        let managed = try ManagedHome(.file, expiresIn: 1000)
        let api = try Responder { request in
            if request.method == "POST" { return .redirect(303, to: "/y") }
            return request.head.contains("Authorization: Bearer at-0\r\n")
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
                : .text("done")
        }
        try call("-d order=1", managed, api).expect(status: 0).expect(output: "done")
        #expect(api.requests.map { "\($0.method) \($0.target)" } == ["POST /x", "GET /y", "GET /y"])
    }

    @Test("a client secret from a pipe authenticates a second renewal in the same process")
    func secretFromPipe() throws {
        let managed = try ManagedHome(.file, expiresIn: -10)
        try managed.put(try managed.stored().with(["token_endpoint_auth_method": "client_secret_post"]))
        let api = try Responder { request in
            request.head.contains("Authorization: Bearer at-2\r\n")
                ? .text("done")
                : .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        try call("--client-secret-file <(printf the-secret)", managed, api).expect(status: 0).expect(output: "done")
        #expect(managed.endpoint.requests.map { $0.bodyText.contains("client_secret=the-secret") } == [true, true])
    }

    @Test("a renewal that fails after a 401 says what the API said")
    func failedRenewal() throws {
        let managed = try ManagedHome(.file, expiresIn: 1000)
        try managed.put(try managed.stored().with(["refresh_token": "rt-spent"]))
        let api = try Responder { _ in .json(#"{"message":"who are you?"}"#, status: 401) }
        let result = try call("", managed, api).expect(status: 8)
        #expect(result.errorText.contains("invalid_grant"), "\(result)")
        #expect(result.errorText.contains("answered 401 Status: who are you?"), "\(result)")
    }
}
