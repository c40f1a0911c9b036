import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A login with an assertion")
struct AssertionLoginTests {
    private let person: LoginHome
    private let endpoint: Responder

    init() throws {
        person = try LoginHome()
        endpoint = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer","expires_in":1}"#) }
    }

    @Test(
        "a key is not sent as an assertion",
        arguments: [#"{"type":"service_account"}"#, "-----BEGIN PRIVATE KEY-----", #" {"access_token":"a"}"#])
    func keyForAssertion(text: String) throws {
        let file = try person.home.write(text, to: "key")
        let known: JSONObject = ["token_endpoint": .string(endpoint.url("/token"))]
        try person.home.write(JSON.object(known).text, to: ".config/oap/profiles/sa.json")
        let login = ["login", "sa", "--grant", "jwt-bearer", "--assertion-file", file]
        let result = try person.oap(login).run().expect(status: 2)
        #expect(result.errorText.contains("which is not sent") && endpoint.requests.isEmpty, "\(result)")
    }

    @Test("an assertion and a token exchange need no client_id", arguments: ["jwt-bearer", "token-exchange"])
    func noClient(grant: String) throws {
        let file = try person.home.write("a.b.c", to: "jwt")
        let option = grant == "jwt-bearer" ? "--assertion-file" : "--subject-token-file"
        let known: JSONObject = ["token_endpoint": .string(endpoint.url("/token"))]
        try person.home.write(JSON.object(known).text, to: ".config/oap/profiles/sa.json")
        try person.oap(["login", "sa", "--grant", grant, option, file, "--save-profile"]).run().expect(status: 0)
        try person.oap(["token", "sa", "--min-ttl", "60"]).run().expect(status: 0)
        try person.oap(["login", "sa"]).run().expect(status: 0)
        let bodies = endpoint.requests.map(\.bodyText)
        #expect(bodies.count == 3 && Set(bodies).count == 1 && !bodies[0].contains("client_id"), "\(bodies)")
    }

    @Test(
        "a program of the profile signs again for each renewal of the token of its name",
        arguments: [["token", "sa", "--min-ttl", "60"], ["refresh", "-p", "sa"], ["login", "sa"]])
    func program(command: [String]) throws {
        let profile: JSONObject = [
            "token_endpoint": .string(endpoint.url("/token")),
            "assertion_command": .array(["/bin/sh", "-c", .string("echo a.b.$PPID")]),
        ]
        try person.home.write(JSON.object(profile).text, to: ".config/oap/profiles/sa.json")
        let pipe = "oap exchange -p sa --grant jwt-bearer | oap store put sa"
        let environment = ["HOME": person.home.path]
        try Program.shell("set -o pipefail; \(pipe)", environment: environment).run().expect(status: 0)
        let listed = try person.oap(["store", "list"]).run().expect(status: 0).object()
        #expect(listed["can_refresh"] == true)
        let grant = command[0] == "login" ? ["--grant", "jwt-bearer"] : []
        try person.oap(command + grant).run().expect(status: 0)
        let bodies = endpoint.requests.map(\.bodyText)
        #expect(bodies.count == 2 && bodies[0] != bodies[1] && bodies[1].contains("assertion=a.b."))
        #expect(try !person.home.read(".local/state/oap/tokens/sa.json").contains("a.b."))
    }
}
