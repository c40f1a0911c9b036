import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A call with a token that oap keeps", .inProcess)
struct ManagedCallTests {
    @Test(
        "CA-04 an API finds each new token saved before it is used: the one that was due, and the one after a 401",
        arguments: ManagedHome.Place.allCases)
    func savedFirst(place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place)
        let saved = Mutex<[JSON?]>([])
        let api = try Responder { request in
            saved.withLock { $0.append(try? managed.stored()["access_token"]) }
            return request.head.contains("Authorization: Bearer at-2\r\n")
                ? .json(#"{"ok":true}"#)
                : .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        let result = try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 0)
        #expect(result.text == #"{"ok":true}"#)
        #expect(saved.withLock { $0 } == ["at-1", "at-2"])
        #expect(managed.endpoint.requests.count == 2 && api.requests.count == 2)
    }

    @Test(
        "a call with a kept token renews nothing for a 401 of another origin, which never had the token, and does not ask it twice"
    )
    func refusedElsewhere() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let challenge = #"WWW-Authenticate: Bearer error="invalid_token""#
        let other = try Responder { _ in .json("{}", status: 401, headers: [challenge]) }
        let api = try Responder { _ in .redirect(302, to: other.url("/away")) }
        let result = try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 7)
        #expect(!result.errorText.contains("hint"), "\(result)")
        #expect(managed.endpoint.requests.isEmpty && api.requests.count == 1 && other.requests.count == 1)
        #expect(other.requests.first?.headers.first("Authorization") == nil)
    }

    @Test("a call with a kept token masks the new token too, which the API repeats in an error's body and in a field")
    func masked() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { request in
            let token = request.headers.first("Authorization")?.dropFirst("Bearer ".count) ?? ""
            return token == "at-0"
                ? .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
                : .json(#"{"message":"no \#(token)"}"#, status: 403, headers: ["X-Echo: -\(token)-"])
        }
        for options in [[], ["-v"]] {
            if !options.isEmpty { try managed.put(try managed.stored().with(["access_token": "at-0"])) }
            let result = try managed.oap(["call"] + managed.options + options + [api.url("/me")]).run()
            result.expect(status: 7).expect(nowhere: "at-1").expect(nowhere: "at-2").expect(nowhere: "at-0")
            result.expect(errorLine: #"  | {"message":"no ***"}"#)
            if !options.isEmpty { result.expect(errorLine: "< X-Echo: -***-") }
        }
    }

    @Test(
        "CA-04 a kept token that the API refuses and nothing can renew needs a login: exit 8",
        arguments: ManagedHome.Place.allCases)
    func nothingLeft(place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place, expiresIn: 1000, refreshable: false)
        let api = try Responder { _ in .json(#"{"why":"not you"}"#, status: 401) }
        let words = ["call"] + managed.options + [api.url("/me")]
        let result = try managed.oap(words).run().expect(status: 8)
        let hint = place == .store ? "oap: hint: oap login work" : "oap: hint: log in again; some servers issue"
        #expect(result.output.isEmpty && result.errorText.contains(hint), "\(result)")
        #expect(result.errorText.contains(#"{"why":"not you"}"#))
        #expect(managed.endpoint.requests.isEmpty && api.requests.count == 1)
        let envelope = try managed.oap(words + ["--envelope", "--jq", "[.status, .body.why]", "-c"]).run()
        #expect(envelope.text == #"[401,"not you"]"# + "\n", "\(envelope)")
    }

    @Test("a filter that does not compile stops a call before its token is renewed")
    func badFilter() throws {
        let (managed, api) = (try ManagedHome(expiresIn: -10), try ManagedHome.api())
        try managed.oap(["call"] + managed.options + [api.url("/me"), "--jq", ".x | nope"]).run().expect(status: 2)
        #expect(managed.endpoint.requests.isEmpty && api.requests.isEmpty)
    }

    @Test(
        "a request that HTTP does not allow stops a call before its token is renewed",
        arguments: [["-X", "A B"], ["-X", "HEAD", "-d", "a"]])
    func badRequest(options: [String]) throws {
        let (managed, api) = (try ManagedHome(expiresIn: -10), try ManagedHome.api())
        try managed.oap(["call"] + managed.options + [api.url("/me")] + options).run().expect(status: 2)
        #expect(managed.endpoint.requests.isEmpty && api.requests.isEmpty)
    }

    @Test("CA-04 a kept token is renewed after a 401 whose challenge cannot be read")
    func unreadableChallenge() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try Responder { request in
            request.headers.first("Authorization") == "Bearer at-1"
                ? .json("{}")
                : .text("", status: 401, headers: ["WWW-Authenticate: error=invalid_request,error_description=x y"])
        }
        try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 0).expect(output: "{}")
        #expect(managed.endpoint.requests.count == 1 && api.requests.count == 2)
    }

    @Test(
        "CA-10 a kept token that the API refuses also after its renewal ends with what the API said, and how to look at it",
        arguments: ManagedHome.Place.allCases)
    func refusedAfterRenewal(place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place, expiresIn: 1000)
        let challenge = #"WWW-Authenticate: Bearer error="invalid_token", error_description="for api://other""#
        let api = try Responder { _ in .json(#"{"message":"who are you?"}"#, status: 401, headers: [challenge]) }
        let document = ["--error-document", managed.home.path("e.json")]
        let result = try managed.oap(["call"] + managed.options + [api.url("/me")] + document).run().expect(status: 7)
        let words = "answered 401 Status: who are you? (invalid_token: for api://other)"
        #expect(result.errorText.contains(words), "\(result)")
        #expect(try managed.home.read("e.json").contains(words))
        let token = place == .store ? "work" : "--token-file \(managed.file)"
        result.expect(
            errorLine: "oap: hint: a new token is refused too: oap inspect \(token) shows audience, scope and issuer")
        #expect(managed.endpoint.requests.count == 1 && api.requests.count == 2)
    }

    @Test("a kept token without a token endpoint is told with what counts for it, which no variable is")
    func missingEndpoint() throws {
        let managed = try ManagedHome(expiresIn: -10)
        var token = try managed.stored()
        token["token_endpoint"] = nil
        try managed.put(token)
        try managed.oap("refresh", "-p", "work").run().expect(status: 3)
            .expect(errorLine: #"oap: hint: use --token-endpoint or the member "token_endpoint""#)
    }

    @Test(
        "CA-04 a kept token that the API refuses, and its refresh token the server, needs a login: exit 8",
        arguments: ManagedHome.Place.allCases)
    func refusedTwice(place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place, expiresIn: 1000)
        try managed.put(try managed.stored().with(["refresh_token": "rt-spent"]))
        let api = try Responder { _ in .json("{}", status: 401) }
        let result = try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 8)
        #expect(result.output.isEmpty && result.errorText.contains("invalid_grant"), "\(result)")
        #expect(managed.endpoint.requests.count == 1 && api.requests.count == 1)
    }

    @Test(
        "R-08 oap call renews a token first when no more than --min-ttl seconds are left, and not when there are more",
        arguments: ManagedHome.Place.allCases)
    func minimum(place: ManagedHome.Place) throws {
        let (managed, api) = (try ManagedHome(place, expiresIn: 1000), try ManagedHome.api())
        for (minimum, token) in [("10", "at-0"), ("2000", "at-1"), ("10", "at-1")] {
            let call =
                ["call"] + managed.options + ["--min-ttl", minimum, api.url("/me"), "--jq", ".access_token", "-r"]
            #expect(try managed.oap(call).run().expect(status: 0).text == token + "\n")
        }
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test("CA-06 oap call does not renew a token for insufficient_scope, also from a file", arguments: [401, 403])
    func insufficientScope(status: Int) throws {
        let managed = try ManagedHome(.file, expiresIn: 1000)
        let challenge = #"WWW-Authenticate: Bearer error="insufficient_scope", scope="repo:write""#
        let api = try Responder { _ in .json("{}", status: status, headers: [challenge]) }
        let result = try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 7)
        #expect(result.errorText.contains("repo:write"), "\(result)")
        #expect(managed.endpoint.requests.isEmpty && api.requests.count == 1)
    }

    @Test(
        "R-06 oap call takes what another machine has stored meanwhile when the refresh token is refused, once",
        arguments: ManagedHome.Place.allCases)
    func renewedElsewhere(place: ManagedHome.Place) throws {
        let (managed, api) = (try ManagedHome(place), try ManagedHome.api())
        let expiry = Int(Date().timeIntervalSince1970) + 1000
        let elsewhere: JSONObject = [
            "access_token": "at-9", "refresh_token": "rt-9", "expires_at": .integer(expiry),
        ]
        let newer = JSON.object(try managed.stored().with(elsewhere)).text
        let endpoint = try Responder { _ in
            try? Data(newer.utf8).write(to: URL(fileURLWithPath: managed.file))
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        try managed.put(try managed.stored().with(["token_endpoint": .string(endpoint.url("/token"))]))
        for _ in 1...2 {
            let call = ["call"] + managed.options + [api.url("/me"), "--jq", ".access_token", "-r"]
            #expect(try managed.oap(call).run().expect(status: 0).text == "at-9\n")
        }
        #expect(try managed.stored()["refresh_token"] == "rt-9" && endpoint.requests.count == 1)
    }
}
