import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Who logged in", .inProcess)
struct LoginIdentityTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("a userinfo endpoint that cannot be asked, or fails, is told, and the login succeeds all the same")
    func unknown() throws {
        let server = try LoginHome.server()
        let gone = try Responder()
        gone.stop()
        let failing = try Responder { _ in .text("", status: 500) }
        for (endpoint, reason) in [
            (gone.url("/userinfo"), ": connection to 127.0.0.1 port \(gone.port) refused"),
            (failing.url("/userinfo"), " answered 500"),
        ] {
            try person.profile(server, ["userinfo_endpoint": .string(endpoint)])
            let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
            let warning = "oap: login: warning: the name of the user is not known: the userinfo endpoint \(endpoint)"
            #expect(result.errorText.contains(warning + reason), "\(result)")
            result.expect(errorLine: "oap: login: logged in")
        }
    }

    @Test(
        "a login that brings no refresh token names the scope value that the server lists for one",
        arguments: [(["openid", "offline_access"], "openid offline_access"), (["openid"], nil)] as [([String], String?)]
    )
    func offline(listed: [String], scope: String?) throws {
        let server = try LoginHome.server(
            #"{"access_token":"at","token_type":"Bearer","expires_in":60,"scope":"openid"}"#)
        try person.profile(server, ["scope": "read", "scopes_supported": .strings(listed)])
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        let line =
            "oap: login: the server issued no refresh token: nothing can renew this login\n"
            + "oap: hint: oap login work --scope '\(scope?.replacing("openid", with: "read") ?? "")' asks for a refresh token\n"
        #expect(result.errorText.contains(line) == (scope != nil), "\(result)")
        #expect(result.errorText.contains("no refresh token") == (scope != nil))
    }

    @Test("a login takes the endpoints of a server without metadata, and keeps them")
    func endpoints() throws {
        let server = try LoginHome.server()
        let endpoint = { (name: String) in server.url("/\(name)") }
        let result = try person.oap([
            "login", "work", "--open", "--client-id", "c", "--authorization-endpoint", server.url("/authorize"),
            "--token-endpoint", server.url("/token"), "--revocation-endpoint", endpoint("revoke"),
            "--userinfo-endpoint", endpoint("userinfo"), "--introspection-endpoint", endpoint("introspect"),
            "--end-session-endpoint", endpoint("end"),
        ]).run().expect(status: 0)
        result.expect(errorLine: #"oap: login: logged in as Ada\u{1b}[2J"#)
        // The next login has them from the token, or from the profile that it saves.
        try person.oap(["login", "work", "--open", "--save-profile"]).run().expect(status: 0)
        for members in [try person.profile(), try person.stored()] {
            #expect(members["revocation_endpoint"]?.string == endpoint("revoke"))
            #expect(members["introspection_endpoint"]?.string == endpoint("introspect"))
            #expect(members["end_session_endpoint"]?.string == endpoint("end"))
        }
        try person.oap(["logout", "work"]).run().expect(status: 0)
        #expect(server.requests.map(\.target).contains("/revoke"))
    }

    @Test("a userinfo endpoint that is slow is asked once, and the login does not wait for it")
    func slow() throws {
        let server = try LoginHome.server()
        let gate = Responder.Gate()
        defer { gate.open() }
        let slow = try Responder { _ in .json(#"{"sub":"7","name":"Ada"}"#).after(gate) }
        try person.profile(server, ["userinfo_endpoint": .string(slow.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open", "--max-time", "1"]).run().expect(status: 0)
        #expect(result.errorText.contains("warning: the name of the user is not known: "), "\(result)")
        #expect(try slow.requests.count == 1 && person.stored()["access_token"] == "at")
    }

    @Test("a userinfo endpoint that refuses the token, which may be for something else, is not told")
    func refused() throws {
        let server = try LoginHome.server()
        let refusing = try Responder { _ in .json("{}", status: 403) }
        try person.profile(server, ["userinfo_endpoint": .string(refusing.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(!result.errorText.contains("warning"), "\(result)")
        #expect(refusing.requests.count == 1)
    }
}
