import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What a kept token keeps when it cannot be renewed", .inProcessWithoutPauses)
struct NothingLostTests {
    @Test(
        "a refused refresh token is dropped and nothing else: the access token is used until it expires",
        arguments: ManagedHome.Place.allCases)
    func refused(place: ManagedHome.Place) throws {
        let managed = try ManagedHome(place, expiresIn: 30)
        try managed.put(managed.stored().with(["refresh_token": "rt-stolen"]))
        let api = try ManagedHome.api()
        let command = ["call"] + managed.options + ["--min-ttl", "60", api.url("/me"), "--jq", ".access_token", "-r"]
        let used = try managed.oap(command).run().expect(status: 0).expect(output: "at-0\n")
        #expect(used.errorText.contains("said invalid_grant; oap uses the token until it expires in "), "\(used)")
        let stored = try managed.stored()
        #expect(stored["refresh_token"] == nil && stored["refresh_refused_at"]?.integer != nil)
        #expect(stored["access_token"] == "at-0" && stored["team"] != nil && stored["client_id"] == "c")
        try managed.oap(["call"] + managed.options + [api.url("/me")]).run().expect(status: 0).expectSilence()
        let again = try managed.oap(command).run().expect(status: 0).expect(output: "at-0\n")
        #expect(again.errorText.contains("the server refused to renew it; oap uses the token until"), "\(again)")
        #expect(managed.endpoint.requests.count == 1)
        try managed.put(stored.with(["expires_at": .integer(Int(time(nil)) - 7300)]))
        let ended = try managed.oap(command).run().expect(status: 8)
        #expect(ended.errorText.contains("expired 2 h ago, and the server refused to renew it"), "\(ended)")
        #expect(managed.endpoint.requests.count == 1)
    }

    @Test("a token that nothing renews says when it expired, and with which command a person logs in")
    func expired() throws {
        let managed = try ManagedHome(expiresIn: -10_900, refreshable: false)
        for command in [["token", "work"], ["refresh", "-p", "work"]] {
            try managed.oap(command).run().expect(status: 8)
                .expect(
                    errorLine:
                        "oap: \(command[0]): the token of work expired 3 h ago, and nothing can renew it"
                ).expect(errorLine: "oap: hint: oap login work")
        }
        // A provider of OpenID Connect may issue a refresh token for a scope value alone.
        try managed.put(managed.stored().with(["scope": "openid email"]))
        for command in [["token", "work"], ["refresh", "-p", "work"]] {
            try managed.oap(command).run().expect(status: 8).expect(
                errorLine: "oap: hint: oap login work; if the server issues a refresh token only for the scope value "
                    + "offline_access, add --scope 'openid email offline_access' --save-profile")
        }
        try managed.put(managed.stored().with(["scope": "openid offline_access"]))
        try managed.oap(["token", "work"]).run().expect(status: 8).expect(errorLine: "oap: hint: oap login work")
        let fresh = try ManagedHome(expiresIn: 1000, refreshable: false)
        try fresh.oap("refresh", "-p", "work").run().expect(status: 8)
            .expect(errorLine: "oap: refresh: the token of work: nothing can renew it")
    }

    @Test("a token that is a word of the message masks nothing in it", arguments: ["the", "token", "renew"])
    func word(token: String) throws {
        let managed = try ManagedHome(.file, expiresIn: -10, refreshable: false)
        try managed.put(managed.stored().with(["access_token": .string(token)]))
        let result = try managed.oap(["call"] + managed.options + ["http://127.0.0.1:1/"]).run().expect(status: 8)
        #expect(result.errorText.hasPrefix("oap: call: the token in \(managed.file) expired "), "\(result)")
        #expect(result.errorText.contains(", and nothing can renew it\n"), "\(result)")
    }

    @Test("a token that is still good is used, with a warning, where its renewal fails", arguments: [503, 429, 400, 0])
    func tolerated(status: Int) throws {
        let managed = try ManagedHome(expiresIn: 30)
        let server = try Responder { _ in
            status == 0 ? .reset : .json(#"{"error":"server_error"}"#, status: status)
        }
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let before = try managed.stored()
        let token = try managed.oap("token", "work", "--min-ttl", "60").run().expect(status: 0)
        #expect(token.text == "at-0\n")
        #expect(token.errorText.hasPrefix("oap: token: warning: renewing the token work: "), "\(token)")
        #expect(status == 0 || token.errorText.contains("the token endpoint \(server.url("/token"))"), "\(token)")
        #expect(try managed.stored() == before)
        let api = try ManagedHome.api()
        try managed.oap("call", "-p", "work", "--min-ttl", "60", api.url("/me")).run().expect(status: 0)
        for command in [["refresh", "-p", "work", "--retry", "0"], ["token", "work", "--min-ttl", "60", "--strict"]] {
            #expect(try managed.oap(command).run().ending != .status(0))
        }
        let refusing = try Responder { _ in .json("{}", status: 401) }
        #expect(try managed.oap("call", "-p", "work", "--retry", "0", refusing.url("/me")).run().ending != .status(0))
    }

    @Test("a token that is still good is used, with a warning, where the secret that would renew it is missing")
    func noSecret() throws {
        let managed = try ManagedHome(expiresIn: 30)
        let path = managed.home.path("gone.txt")
        try managed.put(
            managed.stored().with([
                "token_endpoint_auth_method": "client_secret_basic", "client_secret_file": .string(path),
                "revocation_endpoint": .string(managed.endpoint.url("/revoke")),
            ]))
        let used = try managed.oap("token", "work", "--min-ttl", "60").run().expect(status: 0)
        #expect(used.text == "at-0\n" && used.errorText.contains("cannot open \(path)"), "\(used)")
        let out = try managed.oap("logout", "work").run().expect(status: 11)
        #expect(out.errorText.contains("not logged out: cannot open \(path)"), "\(out)")
        #expect(try managed.stored()["access_token"] == "at-0" && managed.endpoint.requests.isEmpty)
        try managed.oap("logout", "--local", "work").run().expect(status: 0)
    }

    @Test("the secret of the profile counts before the token's own copy, and a refused one is named with its place")
    func rotatedSecret() throws {
        let managed = try ManagedHome()
        let server = try Responder { request in
            request.headers.first("Authorization") == "Basic Yzpyb3RhdGVk"
                ? .token : .json(#"{"error":"invalid_client"}"#, status: 401)
        }
        let token = try managed.stored().with([
            "token_endpoint": .string(server.url("/token")), "client_secret": "old-secret",
            "token_endpoint_auth_method": "client_secret_basic",
        ])
        try managed.put(token)
        let refused = try managed.oap("token", "work").run().expect(status: 4)
        #expect(refused.errorText.contains("; the secret came from the stored token"), "\(refused)")
        try managed.home.write(#"{"client_id":"c","client_secret":"rotated"}"#, to: ".config/oap/profiles/work.json")
        chmod(managed.home.path(".config/oap/profiles/work.json"), 0o600)
        try managed.oap("token", "work").run().expect(status: 0)
        // The document works without the profile, on another machine.
        #expect(try managed.stored()["client_secret"] == "rotated")
        try managed.put(managed.stored().with(["expires_at": .integer(1)]))
        // A secret that was not used does not replace one that was.
        try managed.home.write(#"{"client_id":"c","client_secret":"stale"}"#, to: ".config/oap/profiles/work.json")
        try managed.home.write("rotated", to: "secret")
        chmod(managed.home.path("secret"), 0o600)
        try managed.oap("token", "work", "--client-secret-file", managed.home.path("secret")).run().expect(status: 0)
        #expect(try managed.stored()["client_secret"] == "rotated")
        // The path of a file is stored as an absolute one.
        try managed.put(managed.stored().with(["expires_at": .integer(1)]))
        let profile = #"{"client_id":"c","client_secret_file":"secret"}"#
        try managed.home.write(profile, to: ".config/oap/profiles/work.json")
        var program = managed.oap("token", "work")
        program.directory = managed.home.path
        try program.run().expect(status: 0)
        let path = try #require(managed.stored()["client_secret_file"]?.string)
        #expect(path.hasPrefix("/") && path.hasSuffix("/secret"), "\(path)")
        #expect(try managed.stored()["client_secret"] == nil)
        try managed.put(token)
        try managed.home.write(#"{"client_id":"c","client_secret":"wrong!"}"#, to: ".config/oap/profiles/work.json")
        chmod(managed.home.path(".config/oap/profiles/work.json"), 0o600)
        let wrong = try managed.oap("token", "work").run().expect(status: 4)
        #expect(wrong.errorText.contains("; the secret came from the profile"), "\(wrong)")
    }

    @Test("a refused refresh token leaves the grant of a machine, which is repeated")
    func fallback() throws {
        let managed = try ManagedHome()
        let server = try Responder { request in
            request.bodyText.contains("client_credentials") ? .token : .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        try managed.put(
            managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "grant_type": "client_credentials",
                "token_endpoint_auth_method": "none",
            ]))
        try managed.oap("token", "work").run().expect(status: 0).expectSilence().expect(output: "new-access\n")
        #expect(server.requests.count == 2)
        #expect(try managed.stored()["refresh_refused_at"] == nil)
    }

    @Test("the ends of refresh token and authorization are kept, and a refresh token past its end is not sent")
    func lifetimes() throws {
        let managed = try ManagedHome()
        let server = try Responder(
            .json(
                #"{"access_token":"a","token_type":"Bearer","expires_in":1,"refresh_token":"r","#
                    + #""refresh_expires_in":"1000","authorization_expires_in":2000}"#))
        try managed.put(managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let now = Int(time(nil))
        try managed.oap("token", "work").run().expect(status: 0)
        var stored = try managed.stored()
        #expect((1000...1060).contains((stored["refresh_token_expires_at"]?.integer ?? 0) - now))
        #expect((2000...2060).contains((stored["authorization_expires_at"]?.integer ?? 0) - now))
        stored["refresh_token_expires_at"] = .integer(now - 7200)
        try managed.put(stored.with(["expires_at": .integer(now - 10_000)]))
        let ended = try managed.oap("token", "work").run().expect(status: 8)
        #expect(ended.errorText.contains("and the right to renew it expired 2 h ago"), "\(ended)")
        #expect(try server.requests.count == 1 && managed.stored()["refresh_token"] == "r")
    }

    @Test("the word of a gateway about a refresh token does not count", arguments: [407, 429])
    func gateway(status: Int) throws {
        let managed = try ManagedHome()
        let server = try Responder { _ in .json(#"{"error":"invalid_grant"}"#, status: status) }
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let before = try managed.stored()
        _ = try managed.oap("token", "work", "--retry", "0").run()
        #expect(try managed.stored() == before && server.requests.count == 1)
    }

    @Test("the secret of a profile does not go to the endpoint of a token that names no issuer")
    func unknownServer() throws {
        let managed = try ManagedHome()
        let server = try Responder { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }
        var token = try managed.stored().with(["token_endpoint": .string(server.url("/token"))])
        token.remove(["issuer", "client_secret", "token_endpoint_auth_method"])
        try managed.put(token)
        try managed.home.write(
            #"{"client_id":"c","issuer":"https://as.test","client_secret":"profile-secret"}"#,
            to: ".config/oap/profiles/work.json")
        _ = try managed.oap("token", "work").run()
        #expect(!server.requests.isEmpty)
        #expect(!server.requests.contains { ($0.head + $0.bodyText).contains("cHJvZmlsZS1zZWNyZXQ") })
        #expect(!server.requests.contains { $0.bodyText.contains("profile-secret") || $0.head.contains("Basic ") })
    }

    @Test("an access token that an API calls invalid and nothing renews is kept, marked, and not handed out again")
    func markedRefused() throws {
        let managed = try ManagedHome(expiresIn: 1000, refreshable: false)
        let unclear = try Responder { _ in .json("{}", status: 401) }
        try managed.oap("call", "-p", "work", unclear.url("/me")).run().expect(status: 8)
        try managed.oap("token", "work").run().expect(status: 0)
        let api = try Responder { _ in
            .json("{}", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        // Nobody named this origin: the URL may be mistyped.
        try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 8)
        try managed.oap("token", "work").run().expect(status: 0)
        try managed.put(managed.stored().with(["api_base": .string(api.url())]))
        try managed.oap("call", "-p", "work", api.url("/me")).run().expect(status: 8)
        #expect(try managed.stored()["access_token"] == "at-0" && managed.stored()["refused_at"]?.integer != nil)
        for command in [["token", "work"], ["call", "-p", "work", api.url("/me")]] {
            let again = try managed.oap(command).run().expect(status: 8).expect(errorLine: "oap: hint: oap login work")
            #expect(again.output.isEmpty && again.errorText.contains("was refused by the API"), "\(again)")
        }
        #expect(api.requests.count == 2)
        try managed.put(managed.stored().with(["refresh_token": "rt-0"]))
        #expect(try managed.oap("token", "work").run().expect(status: 0).text == "at-1\n")
        #expect(try managed.stored()["refused_at"] == nil)
    }

    @Test("a clock that jumps a day forth and back costs one renewal each, and no token")
    func clock() throws {
        let managed = try ManagedHome(expiresIn: 3000)
        for (jump, requests) in [(0, 0), (86_400, 1), (-86_400, 2), (200, 2)] {
            let stored = try managed.stored()
            let end = try #require(stored["expires_at"]?.integer)
            // A clock that goes back is a token whose times lie ahead.
            try managed.put(stored.with(["expires_at": .integer(end - jump)]))
            for _ in 0..<2 { try managed.oap("token", "work").run().expect(status: 0) }
            #expect(managed.endpoint.requests.count == requests, "\(jump)")
        }
    }
}
