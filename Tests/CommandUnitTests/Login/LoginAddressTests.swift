import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The address that oap login is given", .inProcess)
struct LoginAddressTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    private func login(_ issuer: String, _ more: String...) throws -> ProgramResult {
        try person.oap(["login", "work", "--issuer", issuer, "--client-id", "c"] + more).run()
    }

    @Test(
        "the address of metadata is no issuer, and the message names the one that is",
        arguments: [
            ("https://as.example/.well-known/openid-configuration", "https://as.example"),
            ("https://as.example/realms/a/.well-known/openid-configuration", "https://as.example/realms/a"),
            ("https://as.example:8443/.well-known/oauth-authorization-server/t/1", "https://as.example:8443/t/1"),
        ])
    func metadata(address: String, issuer: String) throws {
        let result = try login(address, "--open").expect(status: 2)
        result.expect(errorLine: "oap: login: the given issuer is the URL of its metadata")
        result.expect(errorLine: "oap: hint: give the issuer itself: \(issuer)")
        try person.home.write(#"{"client_id":"c","issuer":"\#(address)"}"#, to: LoginHome.profile)
        try person.oap(["login", "work", "--open"]).run().expect(status: 3)
            .expect(errorLine: "oap: hint: give the issuer itself: \(issuer)")
    }

    @Test(
        "the form of an issuer is checked before the terminal",
        arguments: [
            ("foo", "begin the issuer with https://"), ("127.0.0.1:8080", "did you mean http://127.0.0.1:8080?"),
            ("htps://as.example", "begin the issuer with https://"),
        ])
    func form(issuer: String, hint: String) throws {
        let result = try login(issuer).expect(status: 2)
        #expect(result.errorText.contains("the issuer is not an absolute https URL"), "\(result)")
        result.expect(errorLine: "oap: hint: \(hint)")
        try person.oap(["login", "work", "--client-id", "c"], ["OAP_ISSUER": issuer]).run().expect(status: 2)
            .expect(errorLine: "oap: hint: \(hint)")
    }

    @Test("a server whose metadata names another issuer asks nobody to log in, and the message names that issuer")
    func otherIssuer() throws {
        let server = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            let endpoints = #""authorization_endpoint":"$/o/authorize","token_endpoint":"$/o/token""#
            return request.target == "/.well-known/openid-configuration"
                ? .json(#"{"issuer":"$/o",\#(endpoints)}"#.replacing("$", with: address)) : .text("", status: 404)
        }
        let result = try login(server.url(), "--open").expect(status: 9)
        result.expect(
            errorLine: "oap: hint: if the issuer of the metadata is right: oap login work --issuer \(server.url("/o"))")
        #expect(!server.requests.contains { $0.target.contains("authorize?") })
    }

    @Test("metadata whose address redirects is shown with the target, and the issuer that is there")
    func redirect() throws {
        let target = "https://as.example/realms/a/.well-known/openid-configuration"
        let server = try Responder { _ in .redirect(302, to: target) }
        let result = try login(server.url(), "--open").expect(status: 9)
        #expect(result.errorText.contains("redirects to \(target); oap does not follow this redirect"), "\(result)")
        let issuer = "https://as.example/realms/a"
        let hint = "oap: hint: if the redirect leads to the right server: "
        result.expect(errorLine: "\(hint)oap login work --issuer \(issuer)")
        let asked = try Program.oap(["discover", server.url()]).run().expect(status: 9)
        asked.expect(errorLine: "\(hint)oap discover \(issuer)")
        let elsewhere = try Responder { _ in .redirect(302, to: "/login?code=hush") }
        let other = try login(elsewhere.url(), "--open").expect(status: 9).expect(nowhere: "hush")
        other.expect(errorLine: "oap: hint: correct the endpoint's URL")
    }

    @Test("https to a server on plain http is called that")
    func plain() throws {
        let server = try Responder { _ in .text("", status: 400) }
        let result = try login("https://127.0.0.1:\(server.port)", "--open").expect(status: 6)
        #expect(result.errorText.contains("its response is not TLS"), "\(result)")
    }

    @Test("authurl does not use a profile of another server than that of OAP_ISSUER, or of one that it does not name")
    func variable() throws {
        let server = try LoginHome.server()
        for issuer in [server.url(), nil] {
            try person.profile(server, ["issuer": issuer.map { .string($0) } ?? .null])
            let variables = ["OAP_ISSUER": "https://other.example"]
            let flow = try person.oap(["authurl", "-p", "work", "--no-discovery"], variables).run().expect(status: 3)
            #expect(flow.errorText.contains("warning: the profile is not used: "), "\(flow)")
        }
    }
}
