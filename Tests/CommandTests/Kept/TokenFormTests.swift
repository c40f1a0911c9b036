import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap token prints, and for whom")
struct TokenFormTests {
    @Test("--id-token prints the ID token while it is fresh, whatever the access token is")
    func idToken() throws {
        let home = try CredentialHome(expiresIn: -10)
        let token = try home.putIDToken(expiresIn: 1000)
        #expect(try home.managed.oap("token", "work", "--id-token").run().expect(status: 0).text == token + "\n")
        #expect(home.managed.endpoint.requests.isEmpty)
        try home.putIDToken(expiresIn: -10)
        let result = try home.managed.oap("token", "work", "--id-token").run().expect(status: 8)
        #expect(result.errorText.contains("the ID token has expired, and the server issued no new one"), "\(result)")
        #expect(home.managed.endpoint.requests.count == 1)
        try home.managed.put(["access_token": "a"])
        try home.managed.oap("token", "work", "--id-token").run().expect(status: 3)
    }

    @Test("an ID token that is due is renewed with the access token, and the new one is printed")
    func renewedIDToken() throws {
        let folder = try TemporaryDirectory()
        let script = """
            oap authurl --scope openid < "$OAP_SANDBOX_FILE" > flow
            url=$(curl -s -o page -w '%{redirect_url}' "$(jq -r .authorization_url flow)")
            oap callback-parse "$url" < flow | oap exchange | oap store put w
            first=$(oap token w --id-token)
            second=$(oap token w --id-token --min-ttl 9999999)
            test "$first" != "$second" && test "$second" = "$(oap token w --id-token)" && echo "$second"
            """
        var sandbox = Program.sandbox(["--run", "/bin/bash", "-euo", "pipefail", "-c", script])
        sandbox.directory = folder.path
        #expect(try sandbox.run().expect(status: 0).text.hasPrefix("ey"))
    }

    @Test("--for finds the name by the profiles, the longest path first, and names those that fit equally")
    func place() throws {
        let home = try CredentialHome(origins: ["https://api.example"])
        try home.managed.oap("store", "put", "deep", input: #"{"access_token":"at-deep"}"#).run().expect(status: 0)
        try home.profile("deep", ["api_base": "https://api.example/v2"])
        for (url, token) in [("https://api.example/v2/x", "at-deep"), ("api.example/v2", "at-deep")] {
            #expect(try home.managed.oap("token", "--for", url).run().expect(status: 0).text == token + "\n")
        }
        let both = try home.managed.oap("token", "--for", "https://api.example/v1").run().expect(status: 2)
        #expect(both.errorText.contains("several profiles are for https://api.example: deep, work"))
        try home.managed.oap("token", "--for", "https://other.example").run().expect(status: 8)
    }

    @Test("--for finds a stored token by its own document if no profile is for the URL")
    func stored() throws {
        let home = try CredentialHome()
        let token = { (base: String) in #"{"access_token":"at-\#(base)","api_base":"https://\#(base).example/v1"}"# }
        for base in ["one", "two"] {
            try home.managed.oap("store", "put", base, input: token(base)).run().expect(status: 0)
        }
        #expect(
            try home.managed.oap("token", "--for", "https://two.example").run().expect(status: 0).text == "at-two\n")
        try home.managed.oap("store", "put", "more", input: token("one")).run().expect(status: 0)
        let both = try home.managed.oap("token", "--for", "https://one.example").run().expect(status: 2)
        #expect(both.errorText.contains("several stored tokens are for https://one.example: more, one"))
        // A helper is asked for any URL at any time: it leaves a store alone that may want a pass phrase.
        for (variables, isFound) in [([:], true), (["OAP_STORE": "helper:nope"], false)] as [([String: String], Bool)] {
            let asked = try home.ask(
                "git", "get", input: "protocol=https\nhost=two.example\n\n", environment: variables
            ).expect(status: 0)
            #expect(asked.text.contains("at-two") == isFound, "\(asked)")
        }
    }

    @Test("--watch keeps the ID token fresh by its own end")
    func watchedIDToken() throws {
        let home = try CredentialHome()
        let now = Int(Date().timeIntervalSince1970)
        let tokens = [5, 3600].map { seconds in
            let claims = #"{"iat":\#(now - 3600),"exp":\#(now + seconds)}"#
            return [#"{"alg":"none"}"#, claims, ""].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".")
        }
        let answer = JSON.object([
            "access_token": "at", "token_type": "Bearer", "expires_in": .integer(3600), "id_token": .string(tokens[1]),
        ])
        let endpoint = try Responder { _ in .json(answer.text) }
        try home.managed.put(
            try home.managed.stored().with([
                "id_token": .string(tokens[0]), "token_endpoint": .string(endpoint.url("/token")),
            ]))
        let file = home.managed.home.path("token")
        let words = ["token", "work", "--id-token", "--watch", "--min-ttl", "3", "-o", file]
        let watching = try home.managed.oap(words).start()
        var seen: [String] = []
        let end = ContinuousClock.now + .seconds(30)
        while seen.last != tokens[1] + "\n", ContinuousClock.now < end {
            if let text = try? String(contentsOfFile: file, encoding: .utf8), text != seen.last { seen.append(text) }
            usleep(10_000)
        }
        #expect(seen == tokens.map { $0 + "\n" } && endpoint.requests.count == 1)
        watching.send(signal: SIGTERM)
        try watching.finish().expect(signal: SIGTERM)
    }

    @Test("--watch replaces the file when the token is renewed, until a signal ends it")
    func watch() throws {
        let managed = try ManagedHome(expiresIn: 65)
        let file = managed.home.path("token")
        let watching = try managed.oap("token", "work", "--watch", "-o", file).start()
        var seen: Set<String> = []
        let end = ContinuousClock.now + .seconds(30)
        while !seen.contains("at-1\n"), ContinuousClock.now < end {
            if let text = try? String(contentsOfFile: file, encoding: .utf8) { seen.insert(text) }
            usleep(10_000)
        }
        #expect(seen.contains("at-1\n") && seen.subtracting(["at-0\n", "at-1\n"]).isEmpty, "\(seen)")
        watching.send(signal: SIGTERM)
        try watching.finish().expect(signal: SIGTERM)
    }

    @Test("--all renews what ends within the time, a line for each, and goes on when one fails")
    func all() throws {
        let managed = try ManagedHome(expiresIn: 100_000)
        let now = Int(Date().timeIntervalSince1970)
        for (name, end) in [("a-late", now + 900_000), ("b-lost", now + 60)] {
            let token = #"{"access_token":"x","expires_at":\#(end)}"#
            try managed.oap("store", "put", name, input: token).run().expect(status: 0)
        }
        try managed.oap("store", "put", "z-endless", input: #"{"access_token":"x"}"#).run().expect(status: 0)
        let result = try managed.oap("token", "--all", "--within", "7d").run()
        #expect(result.text == "a-late: kept\nb-lost: failed\nwork: renewed\nz-endless: kept\n", "\(result)")
        #expect(result.ending != .status(0) && managed.endpoint.requests.count == 1)
    }
}
