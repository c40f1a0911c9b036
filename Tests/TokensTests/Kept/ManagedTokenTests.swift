import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token that oap keeps", .inProcessWithoutPauses)
struct ManagedTokenTests {
    @Test("a kept token is printed as it is while enough time is left, as a token, a header or a document")
    func fresh() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "at-0\n")
        #expect(
            try managed.oap("token", "work", "--header").run().expect(status: 0).text == "Authorization: Bearer at-0\n")
        #expect(try managed.oap("token", "work", "--jq", ".team.id").run().expect(status: 0).text == "1.1\n")
        let document = try managed.oap("token", "work", "--document").run().expect(status: 0)
        #expect(document.text.contains(#""team":{"id":1.10}"#))
        #expect(managed.endpoint.requests.isEmpty)
    }

    @Test("a filter that fails on a kept token does not show it")
    func filterFailure() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        for command in [["token", "work"], ["store", "get", "work"]] {
            var program = managed.oap(command[0])
            program.arguments = command + ["--jq", ".access_token | tonumber"]
            try program.run().expect(status: 5).expect(nowhere: "at-0")
        }
    }

    @Test("a kept token serves by its name alone, without a profile")
    func noProfile() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try ManagedHome.api()
        try FileManager.default.removeItem(atPath: managed.home.path(".config/oap/profiles/work.json"))
        try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 0)
        #expect(try managed.oap("refresh", "-p", "work", "--jq", ".access_token", "-r").run().text == "at-1\n")
        try managed.oap("call", "-p", "other", api.url("/me")).run().expect(status: 8)
        try managed.oap("authurl", "-p", "work").run().expect(status: 11)
    }

    @Test(
        "R-08, R-14, X-07 a kept token is renewed within --min-ttl seconds of its end, and stored before it is printed")
    func renewal() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        #expect(try managed.oap("token", "work", "--min-ttl", "2000").run().expect(status: 0).text == "at-1\n")
        let stored = try managed.stored()
        #expect(stored["access_token"] == .string("at-1") && stored["refresh_token"] == .string("rt-1"))
        #expect(stored["team"] == .object(["id": .number("1.10")]))
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "at-1\n")
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test("a kept token that cannot be renewed says with which command a person logs in")
    func loginCommand() throws {
        let hints = [
            "invalid_grant": "the refresh token was used, revoked or has expired; log in again: oap login work",
            "invalid_request": "if the failure persists, log in again: oap login work",
        ]
        for (code, hint) in hints {
            let managed = try ManagedHome()
            let server = try Responder { _ in .json(#"{"error":"\#(code)"}"#, status: 400) }
            try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
            let said = "the token endpoint \(server.url("/token")) said \(code)"
            try managed.oap("token", "work").run().expect(errorLine: "oap: hint: \(hint)")
                .expect(errorLine: "oap: token: renewing the token work: \(said)")
            try managed.put(try ManagedHome().stored().with(["token_endpoint": .string(server.url("/token"))]))
            try managed.oap("refresh", "-p", "work").run().expect(errorLine: "oap: refresh: \(said)")
        }
        let bare = try ManagedHome(expiresIn: -1, refreshable: false)
        try bare.oap("token", "work").run().expect(status: 8).expect(
            errorLine: "oap: hint: oap login work")
    }

    @Test("R-06 an expired token whose refresh token is refused needs a login: exit 8, and no second request for it")
    func refused() throws {
        let managed = try ManagedHome()
        let stored = try managed.stored().with(["refresh_token": "rt-stolen"])
        try managed.oap("store", "put", "work", input: JSON.object(stored).text).run().expect(status: 0)
        try managed.oap("token", "work").run().expect(status: 8)
        let again = try managed.oap("token", "work").run().expect(status: 8)
        #expect(again.errorText.contains("s ago, and the server refused to renew it"))
        try managed.oap("token", "other").run().expect(status: 8).expect(
            errorLine: "oap: token: no token is stored as other")
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test("a kept token that nothing can renew serves to its last second, and then needs a login")
    func unrenewable() throws {
        let alive = try ManagedHome(expiresIn: 30, refreshable: false)
        #expect(try alive.oap("token", "work").run().expect(status: 0).text == "at-0\n")
        try ManagedHome(expiresIn: -1, refreshable: false).oap("token", "work").run().expect(status: 8)
    }

    @Test("a warning about a kept token is printed once, however often its document is read")
    func warnedOnce() throws {
        let managed = try ManagedHome(expiresIn: -10)
        try managed.home.write(#"{"client_id":"other"}"#, to: ".config/oap/profiles/work.json")
        let api = try ManagedHome.api()
        let result = try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 0)
        #expect(
            result.errorText
                == "oap: call: warning: the profile is not used: its client_id is not the token's\n")
    }

    @Test("a kept token stays as it is when the server is away")
    func noServer() throws {
        let managed = try ManagedHome()
        managed.endpoint.stop()
        let before = try managed.stored()
        try managed.oap("token", "work", "--retry", "1").run().expect(status: 6)
        #expect(try managed.stored() == before)
    }

    @Test("E-05, R-06 a kept token stays as it is when the server fails, whatever word its 500 has")
    func failingServer() throws {
        for code in ["invalid_grant", "internal_server_error"] {
            let managed = try ManagedHome()
            let server = try Responder(.json(#"{"error":"\#(code)"}"#, status: 500))
            try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
            let before = try managed.stored()
            try managed.oap("token", "work").run().expect(status: 12).expect(
                errorLine: """
                    oap: hint: run the command again; if the server does not know the refresh token any more, log in \
                    again: oap login work
                    """)
            #expect(try managed.stored() == before)
        }
    }

    @Test("R-05 a rotated refresh token is kept even when the rest of the answer is refused")
    func rescuedRotation() throws {
        let home = try TemporaryDirectory()
        let endpoint = try Responder(
            .json(#"{"access_token":"at-1","token_type":"mac","refresh_token":"rt-1"}"#))
        let token = """
            {"client_id":"c","token_endpoint":"\(endpoint.url("/"))","access_token":"at-0","refresh_token":"rt-0"}
            """
        let file = try home.write(token, to: "token.json")
        try Program.oap(["refresh", "--token-file", file]).run().expect(status: 9)
        let kept = try #require(JSON(parsing: try home.read("token.json")).object)
        #expect(kept["refresh_token"] == .string("rt-1") && kept["access_token"] == .string("at-0"))
    }

    @Test("a kept token is renewed by oap refresh -p, which prints it where that is asked for, else nothing")
    func refreshCommand() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let printed = try managed.oap("refresh", "-p", "work", "--document").run().expect(status: 0).object()
        #expect(try managed.stored() == printed && printed["access_token"] == .string("at-1"))
        let unchanged = try managed.oap("refresh", "-p", "work", "--if-expired", "--document").run().object()
        #expect(unchanged == printed && managed.endpoint.requests.count == 1)
        let silent = try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(silent.output.isEmpty && silent.errorOutput.isEmpty)
        try managed.oap("refresh", "-p", "work", "-o", managed.home.path("copy.json")).run().expect(status: 0)
        #expect(try managed.home.read("copy.json").contains("at-3"))
    }

    @Test("CA-04 a kept token is renewed before a call when it is due, and once after a 401, stored before the call")
    func call() throws {
        let managed = try ManagedHome()
        let api = try Responder { request in
            request.head.contains("Authorization: Bearer at-2\r\n")
                ? .json(#"{"ok":true}"#)
                : .json(#"{}"#, status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        let result = try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 0)
        #expect(result.text == #"{"ok":true}"#)
        #expect(api.requests.count == 2 && managed.endpoint.requests.count == 2)
        #expect(try managed.stored()["access_token"] == .string("at-2"))
    }

    @Test("CA-09 a call goes out once more with the stored token when another process has renewed it meanwhile")
    func renewedMeanwhile() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let newer = JSON.object(try managed.stored().with(["access_token": "at-9"])).text
        let file = managed.file
        let api = try Responder { request in
            guard !request.head.contains("Bearer at-9\r\n") else { return .text("yes") }
            try? Data(newer.utf8).write(to: URL(fileURLWithPath: file))
            return .json("{}", status: 401)
        }
        try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 0)
        #expect(api.requests.count == 2 && managed.endpoint.requests.isEmpty)
    }

    @Test(
        "a kept token whose refresh token was refused is renewed once more where the one that another machine stored has expired"
    )
    func expiredMeanwhile() throws {
        let managed = try ManagedHome()
        let file = managed.file
        let endpoint = try Responder { request in
            guard !request.bodyText.contains("refresh_token=rt-9") else { return .token }
            let newer = (try? String(contentsOfFile: file, encoding: .utf8))?.replacing("t-0", with: "t-9")
            try? Data((newer ?? "").utf8).write(to: URL(fileURLWithPath: file))
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        try managed.put(try managed.stored().with(["token_endpoint": .string(endpoint.url("/token"))]))
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "new-access\n")
        #expect(endpoint.requests.count == 2)
    }

    @Test("CA-10 a kept token is not renewed a second time when the API refuses the new one too")
    func stubbornAPI() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { _ in .json(#"{"message":"no"}"#, status: 401) }
        try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 7)
        #expect(api.requests.count == 2 && managed.endpoint.requests.count == 1)
    }

    @Test("CA-05, CA-06 a kept token is not renewed for a 403, or a 401 that no token could mend")
    func otherRefusals() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { request in
            request.head.hasPrefix("GET /request")
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_request""#])
                : .json("{}", status: 403, headers: [#"WWW-Authenticate: Bearer error="insufficient_scope""#])
        }
        for path in ["/request", "/scope"] {
            try managed.oap("call", "-p", "work", api.url(path)).run().expect(status: 7)
        }
        #expect(managed.endpoint.requests.isEmpty && api.requests.count == 2)
    }

    @Test(
        "CA-05 a kept token is renewed, once, after a challenge that is not for tokens",
        arguments: ["Basic realm=\"r\"", "Negotiate"])
    func foreignChallenge(challenge: String) throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { request in
            request.headers.first("Authorization")?.hasSuffix("at-1") == true
                ? .text("ok") : .json("{}", status: 401, headers: ["WWW-Authenticate: \(challenge)"])
        }
        try managed.oap("call", "-p", "work", api.url("/x")).run().expect(status: 0).expect(output: "ok")
        #expect(managed.endpoint.requests.count == 1 && api.requests.count == 2)
    }

    @Test("the claims that an API wants are kept for the next login")
    func claims() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let challenge =
            #"WWW-Authenticate: Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnsiYSI6MX19""#
        let api = try Responder { _ in .json("{}", status: 401, headers: [challenge]) }
        try managed.put(try managed.stored().with(["api_base": .string(api.url())]))
        try managed.oap("call", "-p", "work", "/x").run().expect(status: 7).expect(
            errorLine: "oap: hint: the API requires a stronger or more recent login: oap login work --step-up")
        let wish: JSONObject = [
            "claims": .object(["access_token": .object(["a": .integer(1)])]), "api": .string(api.url()),
        ]
        #expect(try managed.stored()["step_up"] == .object(wish))
        #expect(managed.endpoint.requests.isEmpty)
    }

    @Test("a kept token in a file that others can read is used with a warning, and written for its owner alone")
    func openFile() throws {
        let home = try TemporaryDirectory()
        let endpoint = try Responder(.json(#"{"access_token":"at-1","token_type":"Bearer"}"#))
        let token = """
            {"client_id":"c","token_endpoint":"\(endpoint.url("/"))","access_token":"at-0","refresh_token":"rt-0"}
            """
        let file = try home.write(token, to: "token.json")
        chmod(file, 0o644)
        let result = try Program.oap(["refresh", "--token-file", file, "--jq", ".access_token", "-r"]).run()
        result.expect(status: 0)
        #expect(result.text == "at-1\n" && result.errorText.contains("other users can read"))
        #expect(try home.permissions("token.json") == 0o600)
    }

    @Test("a kept token is listed without a secret, and forgotten when that is asked for")
    func storeCommand() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let list = try managed.oap("store", "list").run().expect(status: 0)
        #expect(list.text.contains(#""name":"work""#) && list.text.contains(#""can_refresh":true"#))
        #expect(!list.text.contains("at-0") && !list.text.contains("rt-0"))
        #expect(
            try managed.oap("store", "get", "work").run().expect(status: 0).object()["access_token"] == .string("at-0"))
        try managed.oap("store", "delete", "work").run().expect(status: 0)
        try managed.oap("store", "delete", "work").run().expect(status: 8)
        #expect(try managed.oap("store", "list").run().expect(status: 0).text.isEmpty)
    }

    @Test("a kept token needs a home, and a file that is the owner's own")
    func refusedPlaces() throws {
        var homeless = Program.oap(["token", "work"])
        homeless.environment = ["HOME": ""]
        try homeless.run().expect(status: 11)
        let managed = try ManagedHome(expiresIn: 1000)
        chmod(managed.file, 0o644)
        try managed.oap("token", "work").run().expect(status: 11)
    }
}
