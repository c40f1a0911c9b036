import Glibc
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("exchange, while a person decides", .inProcess)
struct DevicePollingTests {
    private static func error(_ code: String, status: Int = 400, headers: [String] = []) -> Responder.Reply {
        .json(#"{"error":"\#(code)","error_description":"of the-device-code"}"#, status: status, headers: headers)
    }

    @Test(
        "DV-03, DV-04, DV-08, DV-09 polling waits first, goes on, slows down, and gets the token at any status",
        arguments: Extent.of([false], all: [false, true]))
    func happy(isSlowedDown: Bool) throws {
        let slowDown = Responder.Reply.json(#"{"error":"slow_down","interval":5}"#)
        let server = try PolledServer(
            [Self.error("authorization_pending")] + (isSlowedDown ? [slowDown] : []) + [.token])
        let result = try server.run().expect(status: 0).expectSilence()
        server.expectGaps([1, 1] + (isSlowedDown ? [6] : []))
        #expect(
            JSON.object(try result.object())
                == .object(
                    server.responder.client.with([
                        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                        "token_endpoint_auth_method": "none", "access_token": "new-access", "token_type": "Bearer",
                    ])))
        for request in server.responder.requests {
            #expect(
                request.bodyText
                    == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=the-device-code"
                    + "&client_id=client")
        }
    }

    @Test("DV-04 slow_down counts for good: five seconds more do not fit into the life of the code")
    func slowDown() throws {
        let server = try PolledServer(Self.error("slow_down", status: 200), .token)
        try server.run(lifetime: 6).expect(status: 4)
        server.expectGaps([1])
    }

    @Test("DV-06, DV-08 polling takes a lost answer for one of many, and asks an overloaded server when it says")
    func lost() throws {
        let server = try PolledServer(.reset, .text("busy", status: 503, headers: ["Retry-After: 3"]), .token)
        let result = try server.run().expect(status: 0)
        server.expectGaps([1, 2, 3])
        #expect(result.errorText.contains("; polling goes on every 2 s\n"), "\(result)")
        result.expect(
            errorLine:
                "oap: exchange: the token endpoint \(server.responder.url("/token")) answered 503: busy; polling goes on"
        )
    }

    @Test("DV-06 oap exchange with a device code halves its rate when an answer does not come in time", .withAll)
    func timeout() throws {
        let gate = Responder.Gate()
        defer { gate.open() }
        let server = try PolledServer(.token.after(gate), .token)
        let result = try server.run([:], ["-m", "0.5"]).expect(status: 0)
        server.expectGaps([1, 2])
        #expect(result.errorText.contains("; polling goes on every 2 s\n"), "\(result)")
    }

    @Test("DV-07 oap exchange with a device code never asks after the end of the code, and says expired_token")
    func expiredHere() throws {
        let server = try PolledServer(Self.error("authorization_pending"), Self.error("authorization_pending"), .token)
        let result = try server.run(lifetime: 3).expect(status: 4)
        #expect((1...2).contains(server.gaps.count), "\(server.gaps)")
        let document = try result.object()
        #expect(document["error"] == "expired_token" && document["stage"] == "exchange")
        #expect(document["hint"] == "begin the login again to get a new code" && document["http_status"] == nil)
    }

    @Test(
        "DV-07 polling does not wait for what cannot be: an interval or a Retry-After beyond the end",
        arguments: [86_400, 2_147_483_647])
    func huge(seconds: Int) throws {
        let server = try PolledServer(.text("", status: 429, headers: ["Retry-After: \(seconds)"]), .token)
        let soon = try server.run().expect(status: 4)
        #expect(soon.errorText.contains("expires before oap may poll the server again"))
        server.expectGaps([1])
        try server.run(["interval": .integer(seconds)]).expect(status: 4)
        #expect(server.gaps.count == 1)
        #expect(try server.run(["expires_at": 1]).expect(status: 4).object()["error"] == "expired_token")
        #expect(server.gaps.count == 1)
    }

    @Test(
        "DV-05 oap exchange with a device code ends with what else the server says",
        arguments: [
            (error("access_denied"), 4, "access_denied"), (error("expired_token"), 4, "expired_token"),
            (error("invalid_grant"), 4, "invalid_grant"),
            (error("invalid_client", status: 401), 4, "invalid_client"),
            (error("access_denied", status: 200), 4, "access_denied"),
            (.text("no", status: 404), 10, "http_status"), (.redirect(302, to: "/x"), 9, "redirect_refused"),
            (.text("<html>"), 10, "not_json"), (.json(#"{"token_type":"Bearer"}"#), 10, "invalid_response"),
        ])
    func ends(reply: Responder.Reply, status: Int, error: String) throws {
        let server = try PolledServer(reply, .token)
        let result = try server.run().expect(status: status).expect(nowhere: "the-device-code")
        #expect(try result.object()["error"]?.string == error)
        #expect(server.gaps.count == 1)
    }

    @Test(
        "DV-08 polling goes on after every answer of a server that is busy or broken, and brings the token",
        arguments: [
            error("too_many_requests", status: 429), error("temporarily_unavailable", status: 503),
            error("server_error", status: 500), error("access_denied", status: 502), error("x", status: 408),
            .text("<html>", status: 504), .text("", status: 520), error("temporarily_unavailable"),
        ])
    func transient(reply: Responder.Reply) throws {
        let server = try PolledServer(reply, .token)
        let result = try server.run().expect(status: 0)
        #expect(result.errorText.contains("; polling goes on\n"), "\(result)")
        server.expectGaps([1, 1])
    }

    @Test("DV-06 a code that is spent after a lost answer has perhaps brought a token: the outcome is not known")
    func lostToken() throws {
        let server = try PolledServer(.close, Self.error("invalid_grant"))
        let result = try server.run().expect(status: 12)
        #expect(try result.object()["error"] == "invalid_grant")
        #expect(try result.object()["retryable"] == false)
        server.expectGaps([1, 2])
    }

    @Test("DV-06 polling tells of a server that is not there, goes on to the end, and ends with exit 6", .withAll)
    func nobody() throws {
        let server = try PolledServer()
        let flow = server.responder.deviceFlow(lifetime: 5)
        server.responder.stop()
        let result = try Program.oap(["exchange"], input: flow.input).run().expect(status: 6)
        #expect(result.errorText.contains("refused; polling goes on every 2 s\n"), "\(result)")
        #expect(try result.object()["error"] == "network")
    }

    @Test(
        "polling ends with the last poll's failure if no poll had a response before the code expired",
        arguments: [
            ([.reset], 6, "network"), ([.text("", status: 503), .text("", status: 500)], 6, "http_status"),
            ([.text("", status: 503), .reset], 6, "network"),
            ([error("authorization_pending"), .reset], 4, "expired_token"),
            ([.reset, .text("", status: 429)], 4, "expired_token"),
        ] as [([Responder.Reply], Int, String)])
    func silent(replies: [Responder.Reply], status: Int, error: String) throws {
        let server = try PolledServer(replies)
        let result = try server.run(lifetime: replies.count == 1 ? 3 : status == 4 ? 5 : 4).expect(status: status)
        #expect(try result.object()["error"]?.string == error)
        #expect(try result.object()["retryable"]?.bool == (status == 6 ? true : nil))
        result.expect(errorLine: "oap: hint: begin the login again to get a new code")
    }
}
