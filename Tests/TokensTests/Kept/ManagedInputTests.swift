import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What is kept, and what steers it,", .inProcessWithoutPauses)
struct ManagedInputTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func oap(_ arguments: String..., input: Program.Input = .none) throws -> ProgramResult {
        try Program.oap(arguments, input: input, environment: ["HOME": home.path]).run()
    }

    private func put(_ document: JSONObject) throws {
        try oap("store", "put", "work", input: document.input).expect(status: 0)
    }

    @Test("a time that is none is not stored, nor used where it is stored, and one in a string is a time")
    func times() throws {
        let token: JSONObject = ["client_id": "c", "access_token": "at"]
        for (name, value) in [
            ("expires_at", JSON.string("soon")), ("expires_in", .number("1e400")), ("expires_at", true),
            ("expires_at", .number("1e30")), ("refresh_token_expires_at", "never"),
        ] {
            let document = token.with(["expires_at": 99_999_999_999, name: value])
            try oap("store", "put", "work", input: document.input).expect(status: 3)
                .expect(errorLine: "oap: store: \(name) is not a whole number of seconds")
            let file = try home.write(JSON.object(document).text, to: "token.json")
            chmod(file, 0o600)
            for words in [["token"], ["call", "http://127.0.0.1:1/"], ["refresh", "--if-expired"]] {
                let words = words[0] == "token" ? ["whoami"] : words
                let result = try Program.oap(words + ["--token-file", file]).run().expect(status: 3)
                result.expect(errorLine: "oap: \(words[0]): \(name) is not a whole number of seconds")
            }
        }
        try put(token.with(["expires_at": 99_999_999_999, "expires_in": "99999999999"]))
        #expect(try oap("token", "work").expect(status: 0).text == "at\n")
    }

    @Test(
        "an expired token of another program is renewed, and one without a refresh token is not handed out",
        arguments: [
            #""expires_at":1700000000000"#, #""expires_at":"2023-11-14T22:13:20Z""#,
            #""expiry":"2023-11-14T23:13:20.5+01:00""#, #""expiry_date":1700000000000"#, #""expires_on":"1700000000""#,
            #""expiresAt":1700000000000"#, #""exp":1700000000"#, #""expires_at":null,"expires":1700000000"#,
        ])
    func foreignTimes(member: String) throws {
        let server = try Responder { _ in .token }
        let text = JSON.object(server.token.with(["client_id": "c"])).text.dropLast() + "," + member + "}"
        let bare = #"{"access_token":"old-access","client_id":"c",\#(member)}"#
        let file = home.path(".local/state/oap/tokens/work.json")
        for isStoredByHand in [false, true] {
            try oap("store", "put", "work", input: .text(String(text))).expect(status: 0)
            if isStoredByHand { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
            let listed = try oap("store", "list", "--jq", ".seconds_left").expect(status: 0)
            listed.expect(output: "0\n")
            try oap("token", "work").expect(status: 0).expect(output: "new-access\n")
            try oap("store", "put", "work", input: .text(bare)).expect(status: 0)
            if isStoredByHand { try Data(bare.utf8).write(to: URL(fileURLWithPath: file)) }
            try oap("token", "work").expect(status: 8)
            try oap("run", "work", "--", "true").expect(status: 8)
        }
        #expect(server.requests.count == 2)
        let piped = try oap("refresh", "--if-expired", input: .text(String(text))).expect(status: 0)
        #expect(try piped.object()["access_token"] == "new-access" && piped.errorText.contains("warning: exp"))
        let seen = try oap("inspect", "-q", ".expires_at", input: .text(bare)).expect(status: 0)
        seen.expect(output: "1700000000\n")
        // A token that is good is passed on with its end in seconds.
        let good = bare.replacing("1700000000", with: "4000000000").replacing("2023", with: "2093")
        let passed = try oap("refresh", "--if-expired", input: .text(good)).expect(status: 0).object()
        #expect(try #require(passed["expires_at"]?.integer) > 3_900_000_000)
    }

    @Test("a refresh token that is null renews nothing")
    func nullRefreshToken() throws {
        let soon = JSON.integer(Int(Date().timeIntervalSince1970) + 20)
        try put([
            "client_id": "c", "access_token": "at", "refresh_token": .null, "expires_at": soon, "expires_in": 3600,
        ])
        #expect(try oap("token", "work").expect(status: 0).text == "at\n")
        #expect(try oap("store", "list", "--jq", ".can_refresh").expect(status: 0).text == "false\n")
    }

    @Test("R-05 a rotated refresh token takes the place of the file that held the old one")
    func rotatedFile() throws {
        let server = try Responder(
            .json(#"{"access_token":"N","token_type":"mac","refresh_token":"RR"}"#), .token)
        let file = try home.write("old", to: "refresh-token")
        try put(server.client.with(["access_token": "at", "refresh_token_file": .string(file), "expires_at": 1]))
        try oap("token", "work").expect(status: 9)
        #expect(try oap("token", "work").expect(status: 0).text == "new-access\n")
        #expect(server.requests.map { $0.bodyText.contains("refresh_token=RR") } == [false, true])
    }

    @Test("R-05 a rotated refresh token is kept where the ID token beside it fails a check")
    func rotatedBesideIDToken() throws {
        let claims = SignedToken.claims
        let other = try SignedToken.signed(claims.with(["sub": "somebody else"]))
        let tokens = #""access_token":"N","token_type":"Bearer","refresh_token":"RR""#
        let server = try Responder(.json(#"{\#(tokens),"id_token":"\#(other)"}"#), .token)
        try put(
            server.client.with([
                "access_token": "at", "refresh_token": "old", "expires_at": 1, "scope": "openid", "id_token": "first",
                "id_token_claims": .object(claims), "issuer": "https://as.example",
                "id_token_signed_response_alg": "HS256", "client_secret": .string(SignedToken.secret),
            ]))
        try oap("token", "work").expect(status: 9).expect(nowhere: "RR")
        let kept = try oap("store", "get", "work").expect(status: 0).object()
        #expect(kept["refresh_token"] == "RR")
        #expect(kept["access_token"] == "at")
        #expect(kept["id_token"] == "first")
        #expect(try oap("token", "work").expect(status: 0).text == "new-access\n")
        #expect(server.requests.map { $0.bodyText.contains("refresh_token=RR") } == [false, true])
    }

    @Test(
        "a profile of another client, issuer or token endpoint gives its secret to no server of the token",
        arguments: ["client_id", "issuer", "token_endpoint"])
    func otherProfile(member: String) throws {
        let server = try Responder { _ in .token }
        try put(
            server.client.with([
                "access_token": "at", "refresh_token": "old", "expires_at": 1, "issuer": "https://as.example",
            ]))
        var profile = server.client.with(["issuer": "https://as.example", "client_secret": "profile-secret"])
        profile[member] = .string("https://other.example/")
        let path = try home.write(JSON.object(profile).text, to: ".config/oap/profiles/work.json")
        chmod(path, 0o600)
        let result = try oap("token", "work").expect(status: 0)
        result.expect(errorLine: "oap: token: warning: the profile is not used: its \(member) is not the token's")
        #expect(server.requests.count == 1)
        #expect(server.requests.allSatisfy { !$0.bodyText.contains("secret") && !$0.head.contains("Basic ") })
        #expect(try oap("store", "get", "work").expect(status: 0).object()["client_secret"] == nil)
    }

    @Test("a token that could not be read again is not stored")
    func tooLarge() throws {
        try put(["access_token": "old"])
        let long = String(repeating: "\u{7F}", count: 9 << 20)
        // Nine million characters, which take six bytes each when they are escaped.
        let result = try oap("store", "put", "work", input: .text(#"{"access_token":"\#(long)"}"#)).expect(status: 11)
        #expect(result.errorText.contains("it would be larger than 16 MiB"))
        #expect(try oap("token", "work").expect(status: 0).text == "old\n")
    }

    @Test("a store is not reached through a symbolic link, with or without a slash behind it")
    func link() throws {
        try put(["access_token": "at"])
        try FileManager.default.createSymbolicLink(
            atPath: home.path("link"), withDestinationPath: home.path(".local/state/oap/tokens"))
        for address in ["file:\(home.path("link"))", "file:\(home.path("link"))/", "file:\(home.path("link"))//"] {
            let result = try oap("token", "work", "--store", address).expect(status: 11)
            #expect(result.errorText.contains("it is a symbolic link"))
        }
    }

    @Test("a profile or preset that others have written, or that is no file, is not used")
    func untrusted() throws {
        for (file, command) in [
            ("profiles/work.json", ["authurl", "-p", "work"]), ("providers/mine.json", ["provider", "mine"]),
        ] {
            let path = try home.write("{}", to: ".config/oap/\(file)")
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
            let program = Program.oap(command, environment: ["HOME": home.path])
            let open = try program.run().expect(status: 11)
            #expect(open.errorText.contains("others can write to it") && open.errorText.contains("chmod go-w"))
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(try program.run().expect(status: 11).errorText.contains("it is not a regular file"))
        }
    }

    @Test("a profile with a secret that others can read is used with a warning, and one without a secret without")
    func openProfile() throws {
        func authurl(_ secret: JSONObject, mode: mode_t, _ options: String...) throws -> ProgramResult {
            let profile: JSONObject = [
                "client_id": "c", "authorization_endpoint": "https://as.example/a", "issuer": "https://as.example",
            ]
            let path = try home.write(JSON.object(profile.with(secret)).text, to: ".config/oap/profiles/work.json")
            chmod(path, mode)
            return try Program.oap(["authurl", "-p", "work"] + options, environment: ["HOME": home.path]).run()
        }
        let secret: JSONObject = ["client_secret": "hunter2"]
        let path = home.path(".config/oap/profiles/work.json")
        // A file of root's may be for a group.
        for mode in geteuid() == 0 ? [mode_t(0o644)] : [0o644, 0o640] {
            try authurl(secret, mode: mode).expect(status: 0).expect(
                errorLine: "oap: authurl: warning: other users can read the client_secret in \(path)")
        }
        #expect(try authurl(secret, mode: 0o644, "--strict").ending != .status(0))
        try authurl(secret, mode: 0o600).expect(status: 0).expectSilence()
        try authurl([:], mode: 0o644).expect(status: 0).expectSilence()
    }

    @Test("what is put without a token says what is to be piped in")
    func nothingToPut() throws {
        let result = try oap("store", "put", "work", input: .text("")).expect(status: 3)
        result.expect(errorLine: "oap: hint: pipe a token document in")
    }
}
