import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap revoke", .inProcessWithoutPauses)
struct RevokeTests {
    private func document(_ server: Responder) -> JSONObject {
        server.token.with(["revocation_endpoint": .string(server.url("/revoke"))])
    }

    private func sent(_ server: Responder) throws -> [[String]] {
        try server.requests.map { try FormEncoding.parse($0.bodyText).map { "\($0.name)=\($0.value)" } }
    }

    @Test("RV-01 oap revoke revokes the refresh token first, then the access token, and says so")
    func both() throws {
        let server = try Responder(.text(""), .text("<p>ok"))
        let result = try Program.oap(["revoke"], input: document(server).input).run().expect(status: 0)
        result.expect(output: #"{"revoked":["refresh_token","access_token"]}"# + "\n").expectSilence()
        #expect(
            try sent(server) == [
                ["token=old-refresh", "token_type_hint=refresh_token", "client_id=client"],
                ["token=old-access", "token_type_hint=access_token", "client_id=client"],
            ])
        #expect(server.requests.allSatisfy { $0.target == "/revoke" && $0.method == "POST" })
    }

    @Test("a token that is not to be revoked is not read, so that its pipe needs no writer")
    func unreadPipe() throws {
        let server = try Responder { _ in .text("") }
        let home = try TemporaryDirectory()
        try #require(mkfifo(home.path("pipe"), 0o600) == 0)
        var document = document(server)
        document["refresh_token"] = nil
        document["refresh_token_file"] = .string(home.path("pipe"))
        var program = Program.oap(["revoke", "--token-type-hint", "access_token"], input: document.input)
        program.deadline = .seconds(15)
        try program.run().expect(status: 0).expect(output: #"{"revoked":["access_token"]}"# + "\n")
    }

    @Test("RV-01 oap revoke revokes one alone, also from a file, a variable, or the store, where it stays")
    func one() throws {
        let server = try Responder { _ in .text("") }
        let home = try TemporaryDirectory()
        let type = ["--token-type-hint", "access_token"]
        let only = #"{"revoked":["access_token"]}"# + "\n"
        try Program.oap(["revoke"] + type, input: document(server).input).run().expect(output: only)
        let environment = ["HOME": home.path]
        try Program.oap(["store", "put", "work"], input: document(server).input, environment: environment).run()
            .expect(status: 0)
        let file = home.path("token.json")
        try Program.oap(["store", "get", "work", "-o", file], environment: environment).run().expect(status: 0)
        try Program.oap(["revoke", "--token-file", file] + type).run().expect(output: only).expectSilence()
        _ = try home.write("{}", to: ".config/oap/profiles/work.json")
        try Program.oap(["revoke", "-p", "work"] + type, environment: environment).run().expect(output: only)
        try Program.oap(["store", "get", "work"], environment: environment).run().expect(status: 0)
        let bare = [
            "OAP_CLIENT_ID": "client", "OAP_REVOCATION_ENDPOINT": server.url("/revoke"),
            "OAP_ACCESS_TOKEN": "old-access",
        ]
        try Program.oap(["revoke", "-n"], environment: bare).run().expect(output: only)
        #expect(try sent(server).count == 4)
        #expect(try sent(server).allSatisfy { $0.first == "token=old-access" })
    }

    @Test("oap revoke --raw revokes the one token on standard input, and nothing that the client has")
    func raw() throws {
        let server = try Responder { _ in .text("") }
        let environment = ["HOME": try TemporaryDirectory().path]
        let kept = document(server).with(["derived_tokens": .array([.object(["access_token": "other"])])])
        try Program.oap(["store", "put", "work"], input: kept.input, environment: environment).run().expect(status: 0)
        let words = ["revoke", "--raw", "-p", "work"]
        try Program.oap(words, input: .text("agents\n"), environment: environment).run().expect(status: 0)
            .expect(output: #"{"revoked":["access_token"]}"# + "\n").expectSilence()
        try Program.oap(
            words + ["--token-type-hint", "refresh_token"], input: .text("r"), environment: environment
        ).run().expect(status: 0)
        #expect(
            try sent(server) == [
                ["token=agents", "token_type_hint=access_token", "client_id=client"],
                ["token=r", "token_type_hint=refresh_token", "client_id=client"],
            ])
        try Program.oap(["revoke", "--raw"], input: .text("agents\n"), environment: environment).run()
            .expect(status: 2)
        try Program.oap(["token", "work"], environment: environment).run().expect(output: "old-access\n")
    }

    @Test(
        "a revoked token that is stored is not used again, nor one that was got from its login",
        arguments: [["--raw", "-p", "work"], ["-p", "work"], ["-p", "work", "--token-type-hint", "access_token"]])
    func stored(words: [String]) throws {
        let server = try Responder { request in
            guard request.target != "/revoke" else { return .text("") }
            return .json(#"{"access_token":"new","token_type":"Bearer","expires_in":3600}"#)
        }
        let environment = ["HOME": try TemporaryDirectory().path]
        let other: JSONObject = ["access_token": "other", "request": .object(["scope": "a"])]
        let kept = document(server).with(["derived_tokens": .array([.object(other)])])
        try Program.oap(["store", "put", "work"], input: kept.input, environment: environment).run().expect(status: 0)
        for token in words[0] == "--raw" ? ["other", "old-access"] : ["old-access"] {
            try Program.oap(["revoke"] + words, input: .text(token), environment: environment).run().expect(status: 0)
        }
        let stored = try Program.oap(["store", "get", "work"], environment: environment).run().object()
        #expect(stored["refused_at"]?.integer != nil)
        #expect((stored["derived_tokens"] == nil) == !words.contains("access_token"))
        try Program.oap(["token", "work"], environment: environment).run().expect(output: "new\n")
    }

    @Test("RV-02 a server that is busy has revoked nothing: exit 6, with the time to wait")
    func busy() throws {
        let busy = Responder.Reply.text("", status: 503, headers: ["Retry-After: 60"])
        let server = try Responder(busy, busy)
        let result = try Program.oap(["revoke", "--retry-max-time", "10"], input: document(server).input).run()
            .expect(status: 6)
        let error = try result.object()
        #expect(error["retry_after"] == 60 && error["retryable"] == true && error["stage"] == "revoke")
        #expect(result.errorText.contains("the refresh_token is not revoked: "))
        #expect(result.errorText.contains("assume that the token is still valid"))
        result.expect(nowhere: "old-refresh")
        #expect(server.requests.count == 1, "a server that is busy is not asked for the other")
    }

    @Test("RV-02 a failure after the first token says what is revoked and what is not")
    func half() throws {
        let server = try Responder(.text(""), .json(#"{"error":"invalid_client"}"#, status: 401))
        let result = try Program.oap(["revoke"], input: document(server).input).run().expect(status: 4)
        result.expect(errorLine: "oap: revoke: the refresh_token is revoked")
        #expect(try result.object()["error"] == "invalid_client")
    }

    @Test("RV-02 a server that revokes one type only has done all it can")
    func oneType() throws {
        let unsupported = Responder.Reply.json(#"{"error":"unsupported_token_type"}"#, status: 400)
        let server = try Responder(.text(""), unsupported)
        try Program.oap(["revoke"], input: document(server).input).run().expect(status: 0)
            .expect(output: #"{"revoked":["refresh_token"]}"# + "\n")
        let other = try Responder(unsupported, .text(""))
        let result = try Program.oap(["revoke"], input: document(other).input).run().expect(status: 4)
        result.expect(errorLine: "oap: revoke: the access_token is revoked")
    }

    @Test("RV-02 invalid_token counts as revoked with status 400 alone: with 401 the client was refused")
    func invalidToken() throws {
        let answer = { (status: Int) in Responder.Reply.json(#"{"error":"invalid_token"}"#, status: status) }
        let known = try Responder(answer(400), answer(400))
        let result = try Program.oap(["revoke"], input: document(known).input).run().expect(status: 0)
        result.expect(errorLine: "oap: revoke: warning: the server says that the token was not valid any more")
        let refusing = try Responder(answer(401), answer(401))
        try Program.oap(["revoke"], input: document(refusing).input).run().expect(status: 4)
    }

    @Test("oap revoke authenticates as the server lists for revocation, unless an option says otherwise")
    func method() throws {
        let server = try Responder { _ in .text("") }
        let client = document(server).with(["client_secret": "s3cret", "refresh_token": .null])
        let cases: [(own: String, listed: [JSON]?, options: [String], usesHeader: Bool)] = [
            ("client_secret_post", ["client_secret_basic"], [], true),
            ("client_secret_basic", ["client_secret_post"], [], false),
            ("client_secret_post", ["client_secret_basic", "client_secret_post"], [], false),
            ("client_secret_post", ["private_key_jwt"], [], false), ("client_secret_post", nil, [], false),
            (
                "client_secret_post", ["client_secret_basic"],
                ["--token-endpoint-auth-method", "client_secret_post"], false
            ),
        ]
        for (own, listed, options, usesHeader) in cases {
            var input = client.with(["token_endpoint_auth_method": .string(own)])
            input["revocation_endpoint_auth_methods_supported"] = listed.map { .array($0) }
            try Program.oap(["revoke"] + options, input: input.input).run().expect(status: 0)
            let request = try #require(server.requests.last)
            #expect((request.headers.first("Authorization") != nil) == usesHeader, "\(own) \(listed ?? [])")
            #expect(request.bodyText.contains("client_secret=s3cret") != usesHeader)
        }
    }

    @Test("a server that hangs up is not asked for the second token")
    func hangUp() throws {
        let server = try Responder { _ in .reset }
        let result = try Program.oap(["revoke", "--retry", "2"], input: document(server).input).run()
            .expect(status: 6)
        #expect(result.errorText.contains("the refresh_token is not revoked: "), "\(result)")
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.bodyText.contains("token=old-refresh") })
    }

    @Test("a login stays where the server does not answer about another token of it: that would be known no more")
    func ofLogin() throws {
        let server = try Responder { _ in .reset }
        let managed = try ManagedHome(expiresIn: 1000)
        let derived: JSONObject = [
            "request": .object(["scope": "a"]), "access_token": "derived-access", "expires_at": 9_999_999_999,
        ]
        try managed.put(
            managed.stored().with([
                "revocation_endpoint": .string(server.url("/revoke")), "derived_tokens": .array([.object(derived)]),
            ]))
        let before = try managed.stored()
        #expect(try managed.oap("logout", "work").run().ending != .status(0))
        #expect(!server.requests.isEmpty)
        #expect(server.requests.allSatisfy { $0.bodyText.contains("token=derived-access") })
        #expect(try managed.stored() == before)
    }

    @Test("a token that the server repeats in its error is masked")
    func masked() throws {
        let server = try Responder(
            .json(#"{"error":"invalid_request","error_description":"bad old-refresh"}"#, status: 400))
        try Program.oap(["revoke"], input: document(server).input).run().expect(status: 4).expect(
            nowhere: "old-refresh")
    }

    @Test("oap revoke sends nothing where something is missing")
    func missing() throws {
        let server = try Responder()
        let inputs: [(JSONObject, String)] = [
            (server.token, "revocation_endpoint"), (document(server).with(["client_id": .null]), "client_id"),
            (server.client.with(["revocation_endpoint": .string(server.url("/revoke"))]), "access_token"),
        ]
        for (input, member) in inputs {
            let result = try Program.oap(["revoke"], input: input.input).run().expect(status: 3)
            #expect(result.errorText.contains("\(member) is missing"), "\(result)")
        }
        let plain = document(server).with(["revocation_endpoint": "http://as.example/revoke"])
        try Program.oap(["revoke"], input: plain.input).run().expect(status: 9)
        try Program.oap(
            ["revoke", "--token-type-hint", "refresh_token"],
            input: document(server).with(["revocation_style": "github"]).input
        ).run().expect(status: 2)
        #expect(server.connectionCount == 0)
    }
}
