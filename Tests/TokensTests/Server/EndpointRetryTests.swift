import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("Requests to endpoints that are tried again", .inProcessWithoutPauses)
struct EndpointRetryTests {
    /// A token document whose endpoints are all one server.
    private func document(_ server: Responder, expiresIn seconds: Int = 3600) -> JSONObject {
        var document: JSONObject = [
            "client_id": "c", "access_token": "at-0", "refresh_token": "rt-0", "token_type": "Bearer",
            "expires_at": .integer(Int(Date().timeIntervalSince1970) + seconds), "api_base": .string(server.url()),
        ]
        for name in ["token", "revocation", "introspection", "userinfo"] {
            document["\(name)_endpoint"] = .string(server.url("/\(name)"))
        }
        return document
    }

    private func retries(_ result: ProgramResult) -> Int {
        result.errorText.components(separatedBy: "; trying again in ").count - 1
    }

    @Test("R-12 where nothing listens every request is made again, as the options say, and a line says so each time")
    func refused() throws {
        let gone = try Responder()
        gone.stop()
        for command in [["refresh"], ["revoke"], ["introspect"], ["userinfo"], ["discover", gone.url()]] {
            let input = command[0] == "discover" ? Program.Input.none : document(gone).input
            let isLasting = ["refresh", "revoke"].contains(command[0])
            let options = isLasting ? ["--retry", "3", "--retry-delay", "0"] : []
            let result = try Program.oap(command + options, input: input).run().expect(status: 6)
            #expect(retries(result) == (isLasting ? 3 : 2), "\(result)")
        }
        let folder = try TemporaryDirectory()
        let file = try folder.write(JSON.object(document(gone, expiresIn: -10)).text, to: "token.json")
        chmod(file, 0o600)
        for command in [
            ["refresh", "--token-file", file, "--retry", "2"], ["call", "--token-file", file, "/x", "--retry", "2"],
        ] {
            let result = try Program.oap(command).run().expect(status: 6)
            #expect(retries(result) == 2, "\(result)")
            let task = command[0] == "refresh" ? "" : "renewing the token \(file): "
            let line = "oap: \(command[0]): \(task)connection to 127.0.0.1 port "
            #expect(result.errorText.hasPrefix(line), "\(result)")
        }
    }

    @Test("a request to a server that does not speak TLS is made once")
    func plain() throws {
        let server = try Responder { _ in .text("", status: 400) }
        let address = "127.0.0.1:\(server.port)"
        let result = try Program.oap(["discover", address]).run().expect(status: 6)
        #expect(result.errorText.contains("its response is not TLS") && retries(result) == 0, "\(result)")
        result.expect(
            errorLine: """
                oap: hint: without a scheme the address is https: oap discover http://\(address) asks over plain http
                """)
        let call = try Program.oap(
            ["call", "-n", "https://\(address)/x"], environment: ["OAP_ACCESS_TOKEN": "t"]
        ).run().expect(status: 6)
        #expect(retries(call) == 0, "\(call)")
    }

    @Test("a request that can be repeated is sent again after a reset and after 503")
    func repeated() throws {
        for (command, answer) in [
            ("introspect", #"{"active":true}"#), ("userinfo", #"{"sub":"1"}"#), ("revoke", "{}"),
        ] {
            let server = try Responder(.reset, .text("", status: 503), .json(answer), .json(answer))
            let result = try Program.oap([command], input: document(server).input).run().expect(status: 0)
            #expect(retries(result) == 2, "\(result)")
            let targets = Set(server.requests.prefix(3).map(\.target))
            #expect(targets.count == 1, "\(targets)")
        }
    }

    @Test("R-12 a refresh token that may have arrived is not sent again")
    func once() throws {
        for reply in [Responder.Reply.reset, .close, .text("", status: 500), .text("", status: 502)] {
            let server = try Responder { _ in reply }
            let result = try Program.oap(["refresh"], input: document(server).input).run().expect(status: 12)
            #expect(retries(result) == 0 && server.requests.count == 1, "\(result)")
            result.expect(
                errorLine: """
                    oap: hint: run the command again; if the server does not know the refresh token any more, log in \
                    again
                    """)
        }
    }
}
