import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The profile of oap login, as a process")
struct LoginProfileTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("the profile of oap login holds one way to the secret: the last --client-secret-file, no descriptor")
    func secret() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["client_secret": "inline"])
        let file = try person.home.write("from-file", to: "secret")
        let login = ["login", "work", "--open", "--save-profile", "--client-secret-file"]
        try person.oap(login + [file]).run().expect(status: 0)
        let saved = try person.profile()
        #expect(saved["client_secret"] == nil && saved["client_secret_file"] == .string(file))
        try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        let basic = server.requests.last { $0.method == "POST" }?.headers.first("Authorization")
        #expect(basic == "Basic Y2xpZW50OmZyb20tZmlsZQ==")
        var program = Program.shell("oap \(login.joined(separator: " ")) <(printf hunter2)")
        program.environment = ["HOME": person.home.path, "BROWSER": LoginHome.browser]
        try program.run().expect(status: 0)
        let without = try person.profile()
        #expect(without["client_secret"] == nil && without["client_secret_file"] == nil)
    }
}
