import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Logins whose end a server has named.
@Suite("The end of a login")
struct EndingLoginTests {
    private let home: StoreHome
    private let now = Int(Date().timeIntervalSince1970)

    init() throws { home = try StoreHome() }

    /// A token whose server answers a renewal with these members.
    private func put(_ name: String, _ members: JSONObject, answer: String = "") throws -> Responder {
        let server = try Responder { _ in
            .json(#"{"access_token":"new","token_type":"Bearer","expires_in":900\#(answer)}"#)
        }
        try home.put(JSON.object(server.token.with(members)).text, as: name)
        return server
    }

    @Test("oap token --all tells of a login that ends although it was renewed, and exits with 8")
    func all() throws {
        let soon = JSON.integer(now + 5 * 86_400 + 60)
        let fixed = try put("fixed", ["refresh_token_expires_at": soon])
        let moving = try put(
            "moving", ["refresh_token_expires_at": soon], answer: #","refresh_expires_in":2592000"#)
        let whole = try put(
            "whole", ["refresh_token_expires_at": .integer(now + 99 * 86_400), "authorization_expires_at": soon])
        let open = try put("open", ["expires_at": .integer(now + 60)])
        let late = try put("late", ["refresh_token_expires_at": .integer(now + 9 * 86_400)])
        let result = try home.oap("token", "--all", "--within", "7d").run().expect(status: 8)
        result.expect(output: "fixed: renewed\nlate: kept\nmoving: renewed\nopen: renewed\nwhole: renewed\n")
        let line = "oap: token: the login NAME ends in 5 days, and the renewal did not move its end"
        #expect(
            result.errorText
                == ["fixed", "whole"].map {
                    "\(line.replacingOccurrences(of: "NAME", with: $0))\noap: hint: oap login \($0)\n"
                }.joined())
        #expect([fixed, moving, whole, open, late].map(\.requests.count) == [1, 1, 1, 1, 0])
        try home.oap("store", "delete", "fixed").run().expect(status: 0)
        try home.oap("store", "delete", "whole").run().expect(status: 0)
        #expect(try home.oap("token", "--all", "--within", "7d").run().expect(status: 0).errorText == "")
    }

    @Test("oap token --all writes an error document, of several failures that of the exit status, with them all")
    func document() throws {
        let soon = JSON.integer(now + 5 * 86_400 + 60)
        let (file, words) = (home.home.path("e.json"), ["token", "--all", "--within", "7d", "--error-document"])
        func failed(_ status: Int) throws -> JSONObject {
            var program = home.oap()
            program.arguments = words + [file]
            let result = try program.run().expect(status: status)
            #expect(result.errorText.components(separatedBy: "ends in 5 days").count == 2, "told once: \(result)")
            return try #require(JSON(parsing: try home.home.read("e.json")).object)
        }
        let server = try put("u5", ["refresh_token_expires_at": soon])
        let one = try failed(8)
        #expect(one["error"] == "login_needed")
        #expect(one["error_description"]?.string?.hasPrefix("the login u5 ends in 5 days") == true)
        #expect(one["exit_status"] == 8)
        #expect(one["token"] == "u5")
        #expect(one["failures"] == nil)
        try home.home.write("x", to: ".local/state/oap/tokens/bad.json")
        chmod(home.home.path(".local/state/oap/tokens/bad.json"), 0o600)
        let both = try failed(11)
        #expect(both["token"] == "bad")
        #expect(both["failures"]?.array?.map { $0.object?["exit_status"] } == [11, 8])
        #expect(both["failures"]?.array?.map { $0.object?["token"] } == ["bad", "u5"])
        #expect(server.requests.count == 2)
    }

    @Test("oap store list has the ends that a server named, and a column if there is one")
    func list() throws {
        _ = try put("a", [:])
        var program = home.oap("store", "list")
        program.output = .terminal
        program.environment["NO_COLOR"] = "1"
        #expect(try !program.run().expect(status: 0).text.contains("ENDS"))
        let (first, second) = (JSON.integer(now + 30 * 86_400 + 60), JSON.integer(now + 5 * 86_400 + 60))
        _ = try put("b", ["refresh_token_expires_at": first, "authorization_expires_at": second])
        let table = try program.run().expect(status: 0).text.split(separator: "\r\n").map(String.init)
        #expect(table[0].hasPrefix("NAME  LEFT  RENEWS  ENDS    ACCOUNT"), "\(table)")
        #expect(table[2].hasPrefix("b     -     yes     5 days  "), "\(table)")
        let entry = try home.oap("store", "list", "-q", "select(.name==\"b\")").run().expect(status: 0).object()
        #expect(entry["refresh_token_expires_at"] == first && entry["authorization_expires_at"] == second)
    }
}
