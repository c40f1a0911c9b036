import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("ciba, and login --ciba", .inProcess)
struct BackchannelTests {
    private static let pending = Responder.Reply.json(#"{"error":"authorization_pending"}"#, status: 400)

    /// A server that asks the user at /ciba, and answers polls in turn.
    private final class Server: Sendable {
        let responder: Responder

        init(_ polls: Responder.Reply..., lifetime: Int = 60) throws {
            let rest = Mutex(polls)
            responder = try Responder { request in
                guard request.target == "/ciba" else {
                    return rest.withLock { $0.isEmpty ? .text("", status: 500) : $0.removeFirst() }
                }
                return .json(#"{"auth_req_id":"the-id","expires_in":\#(lifetime),"interval":1}"#)
            }
        }

        var client: JSONObject {
            responder.client.with([
                "backchannel_authentication_endpoint": .string(responder.url("/ciba")), "client_secret": "s",
                "login_hint": "alice", "binding_message": "W4SCT",
            ])
        }

        func bodies(_ target: String) -> [String] {
            responder.requests.filter { $0.target == target }.map(\.bodyText)
        }
    }

    @Test("the server is asked with the client's secret, the message is shown, and the polls bring the token")
    func pipe() throws {
        let server = try Server(Self.pending, .token)
        let asked = try Program.oap(["ciba"], input: server.client.input).run().expect(status: 0)
        #expect(asked.errorText.contains("asks the user to allow the login within 60 s\n"), "\(asked)")
        asked.expect(errorLine: "W4SCT")
        #expect(server.bodies("/ciba") == ["binding_message=W4SCT&login_hint=alice"])
        #expect(server.responder.requests[0].headers.first("Authorization") != nil)
        let token = try Program.oap(["exchange"], input: try asked.object().input).run().expect(status: 0).object()
        #expect(
            server.bodies("/token")
                == Array(
                    repeating: "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba&auth_req_id=the-id", count: 2))
        for name in ["auth_req_id", "interval", "binding_message"] { #expect(token[name] == nil) }
    }

    @Test("a refusal with status 403 ends it, and so does the time")
    func ends() throws {
        func end(_ server: Server) throws -> ProgramResult {
            let flow = try Program.oap(["ciba"], input: server.client.input).run().expect(status: 0).object()
            return try Program.oap(["exchange"], input: flow.input).run().expect(status: 4)
        }
        let denied = try end(try Server(.json(#"{"error":"access_denied"}"#, status: 403)))
        #expect(try denied.object()["error"] == "access_denied")
        let late = try end(try Server(Self.pending, lifetime: 2))
        #expect(try late.object()["error"] == "expired_token")
        // "expires" or "has expired", as fast as the machine is.
        #expect(late.errorText.contains("the time for the login "), "\(late)")
    }

    @Test("a login asks the user, keeps the profile, and needs no terminal; without a hint nothing is sent")
    func login() throws {
        let server = try Server(Self.pending, .token)
        let home = try LoginHome()
        try home.home.write("s", to: "secret")
        let options = [
            "login", "bank", "--ciba", "--client-id", "client", "--client-secret-file", home.home.path("secret"),
            "--token-endpoint", server.responder.url("/token"),
            "--backchannel-authentication-endpoint", server.responder.url("/ciba"),
        ]
        let bare = try home.oap(options).run().expect(status: 3)
        #expect(bare.errorText.contains("login_hint is missing") && server.responder.requests.isEmpty, "\(bare)")
        try home.oap(options + ["--login-hint", "alice", "--binding-message", "M"]).run().expect(status: 0)
        #expect(try !home.oap(["store", "get", "bank"]).run().expect(status: 0).text.contains("binding_message"))
        #expect(try home.oap(["token", "bank"]).run().expect(status: 0).text == "new-access\n")
        for other in [["--device"], ["--port", "1"], ["--prompt", "login"], ["--open"], ["--par"]] {
            try home.oap(options + ["--login-hint", "alice"] + other).run().expect(status: 2)
        }
        try home.oap(["login", "x", "--device", "--binding-message", "x"]).run().expect(status: 2)
    }
}
