import Glibc
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A login over a login, as a process")
struct ReplacedLoginTests {
    @Test("a signal that comes while the replaced login is being revoked ends the program once that is done")
    func interrupted() throws {
        let (arrival, answer) = (Responder.Gate(), Responder.Gate())
        defer { answer.open() }
        let server = try Responder { request in
            if request.target.hasPrefix("/authorize?") { return LoginHome.consent(to: request) }
            guard request.target == "/revoke" else {
                return .json(#"{"access_token":"new","token_type":"Bearer","refresh_token":"new-refresh"}"#)
            }
            guard request.bodyText.contains("token=old-access") else { return .text("") }
            arrival.open()
            return .text("").after(answer)
        }
        let person = try LoginHome()
        try person.profile(server, ["revocation_endpoint": .string(server.url("/revoke"))])
        let old = server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
        var put = person.oap(["store", "put", "work"])
        put.input = old.input
        try put.run().expect(status: 0)
        let login = try person.oap(["login", "work", "--open", "--revoke-old"]).start()
        #expect(arrival.wait())
        login.send(signal: SIGINT)
        _ = try login.errorLine { $0.contains("waiting for the end of the ") }
        answer.open()
        let result = try login.finish().expect(signal: SIGINT)
        result.expect(errorLine: "oap: login: the earlier login: refresh_token and access_token revoked at the server")
        #expect(!result.errorText.contains("oap: login: logged in"))
        #expect(try person.stored()["refresh_token"] == "new-refresh")
    }
}
