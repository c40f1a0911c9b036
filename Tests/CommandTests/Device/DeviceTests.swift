import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("device")
struct DeviceTests {
    private static let answer: JSONObject = [
        "device_code": "the-device-code", "user_code": "WDJB-MJHT", "verification_uri": "https://as.example/device",
        "expires_in": 1800, "interval": 5,
    ]

    private static let complete = "https://as.example/device?user_code=WDJB-MJHT"

    /// A server that gives this answer to every device.
    private func responder(_ more: JSONObject = [:], status: Int = 200) throws -> Responder {
        let members = Self.answer.with(more).members.filter { !$0.value.isNull }
        let text = JSON.object(members.reduce(into: [:]) { $0[$1.name] = $1.value }).text
        return try Responder { _ in .json(text, status: status) }
    }

    private func run(
        _ responder: Responder, _ options: [String] = [], _ more: JSONObject = [:],
        environment: [String: String] = [:]
    ) throws -> ProgramResult {
        try Program.oap(["device"] + options, input: responder.device.with(more).input, environment: environment).run()
    }

    @Test("DV-01, T-07 oap device asks with client_id, the scope and what --param adds, in a form, for JSON")
    func request() throws {
        let responder = try responder()
        try run(responder, ["--scope", "openid a", "--resource", "urn:a", "--param", "audience=x"]).expect(status: 0)
        let request = try #require(responder.requests.first)
        #expect(request.bodyText == "scope=openid+a&resource=urn%3Aa&audience=x&client_id=client")
        #expect(
            request.lines == [
                "POST /device HTTP/1.1", "Host: 127.0.0.1:\(responder.port)", "Accept: application/json",
                "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(request.bodySize)",
            ])
        #expect(responder.requests.count == 1)
    }

    @Test("oap device authenticates a client that has a secret, and writes it nowhere")
    func confidential() throws {
        let responder = try responder()
        let result = try run(responder, environment: ["OAP_CLIENT_SECRET": "hunter2"]).expect(status: 0)
        result.expect(nowhere: "hunter2")
        #expect(responder.requests.first?.headers.first("Authorization") == "Basic Y2xpZW50Omh1bnRlcjI=")
        #expect(responder.requests.first?.bodyText == "scope=a")
        let refusing = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        let refused = try run(refusing, environment: ["OAP_CLIENT_SECRET": "hunter2"]).expect(status: 4)
        #expect(refused.errorText.contains("; the secret came from OAP_CLIENT_SECRET\n"), "\(refused)")
    }

    @Test("DV-02 oap device tells the person where to go and what to type, and prints the flow")
    func announcement() throws {
        let responder = try responder(["message": "kept"])
        let result = try run(responder, [], ["state": "old", "code": "old", "access_token": "old"]).expect(status: 0)
        #expect(
            result.errorText == """
                oap: device: to log in, open this URL on any device:
                https://as.example/device
                oap: device: and enter this code within 30 min:
                WDJB-MJHT

                """)
        var flow = try result.object()
        let expiresAt = try #require(flow["expires_at"]?.integer)
        #expect(abs(expiresAt - Int(time(nil)) - 1800) < 60)
        flow["expires_at"] = nil
        #expect(
            flow
                == responder.device.with([
                    "message": "kept", "device_code": "the-device-code", "user_code": "WDJB-MJHT",
                    "verification_uri": "https://as.example/device", "interval": 5,
                ]))
    }

    @Test("DV-02 oap device shows code and address beside the address that has both, before the result")
    func complete() throws {
        let responder = try responder(["verification_uri_complete": .string(Self.complete), "expires_in": 90])
        let result = try Program.shell("oap device 2>&1", input: responder.device.input).run().expect(status: 0)
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines.dropLast() == [
                "oap: device: to log in, open this URL on any device:", "https://as.example/device",
                "oap: device: and enter this code within 90 s:", "WDJB-MJHT",
                "oap: device: or open this URL, and compare the code that it shows:", Self.complete,
            ])
        #expect(try JSON(parsing: #require(lines.last)).object?["verification_uri_complete"]?.string == Self.complete)
    }

    @Test("DV-02 oap device lets no control character of the server through to a terminal")
    func controls() throws {
        let responder = try responder([
            "user_code": "\u{1B}[2JWDJB\u{7}-\u{202E}MJHT\n", "verification_uri": "https://as.example/\u{1B}]0;x\u{7}d",
        ])
        var program = Program.oap(["device"], input: responder.device.input)
        program.output = .terminal
        let result = try program.run().expect(status: 0)
        #expect(result.errorText.split(separator: "\n").contains("[2JWDJB-MJHT"))
        #expect(result.errorText.split(separator: "\n").contains("https://as.example/]0;xd"))
        #expect(result.errorOutput.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    }

    @Test("--open takes the browser to the address with the code in it, else to the plain one")
    func open() throws {
        for (more, expected) in [
            (["verification_uri_complete": .string(Self.complete)], Self.complete),
            ([:], "https://as.example/device"),
        ] as [(JSONObject, String)] {
            let browser = try ListenBrowserTests.FakeBrowser("printf '%s\\n' \"$@\"")
            try run(try responder(more), ["--open"], environment: ["BROWSER": browser.program]).expect(status: 0)
            #expect(try browser.lines() == [expected])
        }
        let none = try run(try responder(), ["--open"]).expect(status: 0)
        none.expect(errorLine: "oap: device: there is no display to open a browser on")
        none.expect(errorLine: "oap: hint: open the URL in any browser")
    }

    @Test("--qr draws the address with the code in it")
    func qrCode() throws {
        func drawing(_ more: JSONObject, _ locale: String = "C.UTF-8", start: String = "█") throws -> [Substring] {
            try run(try responder(more), ["--qr"], environment: ["LC_ALL": locale]).expect(status: 0).errorText
                .split(separator: "\n").filter { $0.hasPrefix(start) }
        }
        let plain = try drawing([:])
        let complete = try drawing(["verification_uri_complete": .string(Self.complete)])
        #expect(!plain.isEmpty && complete.count > plain.count, "the longer address makes the larger code")
        // A square of signs that are twice as high as wide; the first line that is not all light has the finder patterns.
        let ascii = try drawing([:], "C", start: "##")
        #expect(ascii.allSatisfy { $0.count == 2 * ascii.count && $0.allSatisfy { "# ".contains($0) } }, "\(ascii)")
        #expect(ascii[2].hasPrefix("####              ##") && ascii[2].hasSuffix("##              ####"), "\(ascii)")
    }

    @Test(
        "DV-01, DV-03 an answer that cannot be used is told as what it is, and nobody is sent anywhere",
        arguments: [
            (["device_code": .null], 10, "invalid_response"), (["user_code": .null], 10, "invalid_response"),
            (["verification_uri": .null], 10, "invalid_response"), (["expires_in": 0], 10, "invalid_response"),
            (["verification_uri": "http://evil.example/"], 9, "insecure_transport"),
            (["verification_uri_complete": "javascript:alert(1)"], 9, "insecure_transport"),
            (["error": "device_flow_disabled"], 4, "device_flow_disabled"),
        ] as [(JSONObject, Int, String)])
    func lies(more: JSONObject, status: Int, error: String) throws {
        let browser = "/bin/false"
        let result = try run(try responder(more), ["--open"], environment: ["BROWSER": browser]).expect(status: status)
        #expect(try result.object()["error"]?.string == error)
        #expect(try result.object()["stage"] == "device")
        #expect(!result.errorText.contains("to log in") && !result.text.contains("the-device-code"), "\(result)")
    }

    @Test("DV-03 an interval that is none is a warning; with --strict it ends before anybody is sent anywhere")
    func oddInterval() throws {
        let responder = try responder(["interval": -1])
        let result = try run(responder).expect(status: 0)
        result.expect(errorLine: "oap: device: warning: interval is not a number of seconds; oap uses 5")
        #expect(try result.object()["interval"] == 5)
        let strict = try run(responder, ["--strict"]).expect(status: 10)
        #expect(!strict.errorText.contains("to log in"))
    }

    @Test("a code whose end the server does not name lasts ten minutes, with a warning; with --strict it is none")
    func noLifetime() throws {
        let responder = try responder(["expires_in": .null])
        let start = Int(Date().timeIntervalSince1970)
        let result = try run(responder).expect(status: 0)
        let line = "oap: device: warning: the server does not say how long the code is valid; oap assumes 600 s"
        let end = try #require(result.expect(errorLine: line).object()["expires_at"]?.integer)
        #expect((600...660).contains(end - start))
        let strict = try run(responder, ["--strict"]).expect(status: 10)
        #expect(!strict.errorText.contains("to log in"))
    }

    @Test("a huge interval is written down as it is, within bounds")
    func hugeInterval() throws {
        #expect(try run(try responder(["interval": 86400])).expect(status: 0).object()["interval"] == 86400)
    }

    @Test("what the server says instead of a code decides the exit status")
    func refused() throws {
        for (reply, status, words) in [
            (.json(#"{"error":"unauthorized_client"}"#, status: 400), 4, "hint: check the client's secret"),
            (.json(#"{"error":"invalid_client"}"#, status: 401), 4, "invalid_client"),
            (.text("Not Found", status: 404), 10, "404"), (.redirect(307, to: "https://evil.example/"), 9, "redirects"),
            (.text("<html>"), 10, "not JSON"), (.reset, 6, "broke"), (.close, 6, "closed the connection"),
            (.text("", status: 503, headers: ["Retry-After: 70"]), 6, "503"),
        ] as [(Responder.Reply, Int, String)] {
            let responder = try Responder { _ in reply }
            let result = try run(responder).expect(status: status)
            #expect(result.errorText.contains(words), "\(result)")
            let document = try result.object()
            #expect((document["retryable"] == true) == (status == 6))
            #expect((document["retry_after"] == 70) == (words == "503"))
            let isBroken = words == "broke" || words == "closed the connection"
            #expect(responder.requests.count == (isBroken ? 3 : 1))
        }
    }

    @Test("a document that names no device authorization endpoint, or a bad one, is refused before anything is sent")
    func badEndpoint() throws {
        for (document, options, status) in [
            (["client_id": "c"], [], 3), (["client_id": "c", "device_authorization_endpoint": "/d"], [], 3),
            (["client_id": "c"], ["--device-authorization-endpoint", "/d"], 2),
            (["client_id": "c"], ["--device-authorization-endpoint", "http://as.example/d"], 9),
            (["device_authorization_endpoint": "https://127.0.0.1:1/d"], [], 3),
            (["device_authorization_endpoint": "https://127.0.0.1:1/d"], ["--param", "client_id=x"], 2),
        ] as [(JSONObject, [String], Int)] {
            try Program.oap(["device"] + options, input: document.input).run().expect(status: status)
        }
    }

    @Test("the presets of Google and GitHub serve with a name for the client alone", arguments: ["google", "github"])
    func presets(name: String) throws {
        let responder = try responder(
            name == "google" ? ["verification_uri": .null, "verification_url": "https://www.google.com/device"] : [:])
        let result = try Program.shell(
            "oap provider \(name) | oap device --client-id c --device-authorization-endpoint $URL --scope a",
            environment: ["URL": responder.url("/device")]
        ).run().expect(status: 0)
        let page = name == "google" ? "https://www.google.com/device" : "https://as.example/device"
        #expect(try result.object()["verification_uri"]?.string == page)
        #expect(try result.object()["verification_url"] == nil)
        #expect(result.errorText.split(separator: "\n").contains(Substring(page)))
    }
}
