import Foundation
import PlaySupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Another token of the same login", .inProcessWithoutPauses)
struct DerivedTokenTests: DerivedTokens {
    let managed: ManagedHome
    let server: Responder

    init() throws {
        managed = try ManagedHome(expiresIn: 1000)
        server = try Self.tokenServer()
        try put(["scope": "a b", "token_endpoint": .string(server.url("/token"))])
    }

    @Test("a refresh brings it, its refresh token is the login's, and the login's own token and scope stay")
    func refreshed() throws {
        #expect(try token("--scope", "b") == "new-1")
        #expect(try form(0) == ["grant_type=refresh_token", "refresh_token=rt-0", "scope=b", "client_id=c"])
        #expect(try token("--scope", " b ") == "new-1" && token() == "at-0")
        #expect(try token("--resource", "https://r.example/x") == "new-2")
        #expect(
            try form(1) == [
                "grant_type=refresh_token", "refresh_token=rt-1", "resource=https://r.example/x", "client_id=c",
            ])
        #expect(try token("--audience", "one", "--audience", "two") == "new-3")
        #expect(try form(2).contains("audience=one") && form(2).contains("audience=two"))
        #expect(try token("--audience", "two", "--audience", "one") == "new-3" && token("--scope", "b") == "new-1")
        #expect(server.requests.count == 3)
        let stored = try managed.stored()
        #expect(stored["refresh_token"] == "rt-3" && stored["scope"] == "a b" && stored["access_token"] == "at-0")
        // A renewal of the login leaves them alone.
        try managed.oap("refresh", "-p", "work").run().expect(status: 0)
        #expect(try form(3) == ["grant_type=refresh_token", "refresh_token=rt-3", "client_id=c"])
        #expect(try token("--scope", "b") == "new-1" && token() == "new-4")
    }

    @Test("--access-only leaves out of the document all that renews or gets another token")
    func accessOnly() throws {
        #expect(try token("--scope", "b") == "new-1")
        let foreign: JSONObject = [
            "client_secret": "s3cret", "refreshToken": "s3cret", "device_secret": "s3cret", "id_token": "s3cret",
            "authed_user": .object(["refresh_token": "s3cret"]), "token_params": .object(["password": "s3cret"]),
            "api_headers": .object(["X-Version": "2"]), "registration_access_token": "s3cret",
            "resource": "https://r.example",
            "client_key_file": "/s3cret", "api_base": "https://r.example",
        ]
        try managed.put(try managed.stored().with(foreign))
        let document = try managed.oap("token", "work", "--document", "--access-only").run().expect(status: 0).object()
        #expect(document["access_token"] == "at-0" && document["expires_at"] != nil && document["client_id"] == "c")
        #expect(!JSON.object(document).text.contains("s3cret"), "\(document)")
        #expect(document["api_headers"] != nil && document["resource"] != nil && document["api_base"] != nil)
        try managed.oap("token", "work", "--document", "-o", "f", "--mode", "0644").run().expect(status: 2)
        for name in ["refresh_token", "client_secret", "derived_tokens", "grant_type"] {
            #expect(document[name] == nil, "\(name)")
        }
        try managed.oap("token", "work", "--access-only").run().expect(status: 2)
        let filter = try managed.oap("token", "work", "--access-only", "--jq", ".refresh_token").run()
        filter.expect(status: 0).expect(output: "null\n")
        // A machine that has this document alone is told who renews the token, not to log in.
        let host = try #require(document["renewed_by"]?.string)
        #expect(host == ProcessInfo.processInfo.hostName)
        try managed.put(document.with(["expires_at": 1000]))
        let reader = try managed.oap("token", "work").run().expect(status: 8)
        #expect(reader.errorText.contains("it is renewed by \(host)"), "\(reader)")
        #expect(reader.errorText.contains("have \(host) send a new one"), "\(reader)")
        #expect(!reader.errorText.contains("oap login"), "\(reader)")
    }

    @Test("a machine's token is asked for by its grant again")
    func machine() throws {
        try put([
            "grant_type": "client_credentials", "token_endpoint_auth_method": "none", "refresh_token": nil,
            "resource": "https://own.example", "token_params": .object(["audience": "own"]),
        ])
        #expect(try token("--resource", "https://r.example") == "new-1")
        #expect(
            try form(0) == [
                "grant_type=client_credentials", "scope=a b", "resource=https://r.example", "audience=own",
                "client_id=c",
            ])
        #expect(try token("--scope", "c", "--audience", "other") == "new-2")
        #expect(
            try form(1).filter { $0.hasPrefix("audience") || $0.hasPrefix("scope") } == ["scope=c", "audience=other"])
        #expect(try token() == "at-0")
    }

    @Test("an exchange trades the login's access token, which is renewed first if it has expired")
    func exchanged() throws {
        #expect(try token("--exchange", "--audience", "x") == "new-1")
        #expect(try form(0).contains("subject_token=at-0") && !form(0).contains { $0.hasPrefix("scope") })
        try put(["expires_at": .integer(1), "token_endpoint": .string(server.url("/token"))])
        #expect(try token("--exchange", "--scope", "a") == "new-3")
        #expect(try form(2).contains("subject_token=new-2") && form(2).contains("scope=a"))
        #expect(try managed.stored()["refresh_token"] == "rt-2" && token() == "new-2")
    }

    @Test("what is refused loses nothing, and says which step it was")
    func refused() throws {
        let beyond = try managed.oap("token", "work", "--scope", "c").run().expect(status: 2)
        #expect(beyond.errorText.contains("scope c was not granted") && server.requests.isEmpty, "\(beyond)")
        let target = try managed.oap("token", "work", "--resource", "https://refused.example").run().expect(status: 4)
        #expect(target.errorText.contains("getting another token of work"), "\(target)")
        target.expect(
            errorLine: "oap: hint: a login for all its resources can have tokens for each: oap login work --resource A "
                + "--resource B")
        try managed.oap("token", "work", "--resource", "https://ended.example").run().expect(status: 8)
        #expect(try managed.stored()["refresh_token"] == "rt-0" && token() == "at-0")
        try put(["refresh_token": nil])
        let alone = try managed.oap("token", "work", "--scope", "a", "--error-document", "/dev/stdout").run()
        #expect(alone.text.contains(#""error":"nothing_to_renew_with""#) && alone.errorText.contains("--exchange"))
    }

    @Test("a refresh token that another machine has used meanwhile is read once more")
    func otherMachine() throws {
        let file = managed.file
        let endpoint = try Responder { request in
            guard !request.bodyText.contains("refresh_token=rt-9") else {
                return .json(#"{"access_token":"narrow","token_type":"Bearer","refresh_token":"rt-10"}"#)
            }
            let newer = (try? String(contentsOfFile: file, encoding: .utf8))?.replacing("t-0", with: "t-9")
            try? Data((newer ?? "").utf8).write(to: URL(fileURLWithPath: file))
            return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        try put(["token_endpoint": .string(endpoint.url("/token"))])
        #expect(try token("--scope", "b") == "narrow" && token() == "at-9" && endpoint.requests.count == 2)
        #expect(try managed.stored()["refresh_token"] == "rt-10")
    }

    @Test("its document is for its own places alone, and gets no further token")
    func document() throws {
        try managed.home.write(
            #"{"client_id":"c","api_base":"https://api.example"}"#, to: ".config/oap/profiles/work.json")
        let words = ["token", "work", "--resource", "https://r.example/x", "--document"]
        let document = try managed.oap(words).run().expect(status: 0).object()
        #expect(document["access_token"] == "new-1" && document["resource"] == .strings(["https://r.example/x"]))
        #expect(document["api_base"] == "https://r.example/x")
        #expect(document["refresh_token"] == nil && document["derived_tokens"] == nil)
        var call = managed.oap("call", "https://api.example/", "--dry-run")
        call.input = .text(JSON.object(document).text)
        try call.run().expect(status: 9)
    }

    @Test("oap call sends it, to its own place alone, and renews it before its end and after a 401")
    func called() throws {
        let refused = Mutex(0)
        let api = try Responder { request in
            let field = request.headers.first { $0.name == "Authorization" }?.value ?? ""
            let isFirst =
                request.target.hasSuffix("/refused")
                && refused.withLock {
                    $0 += 1; return $0 == 1
                }
            return isFirst
                ? .text("", status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""]) : .text(field)
        }
        let call = ["call", "-p", "work", "--resource", api.url("/base")]
        #expect(try managed.oap(call + ["/me"]).run().expect(status: 0).text == "Bearer new-1")
        #expect(api.requests[0].target == "/base/me")
        #expect(try managed.oap(call + ["/refused"]).run().expect(status: 0).text == "Bearer new-2")
        try expireOthers()
        #expect(try managed.oap(call + ["/me"]).run().expect(status: 0).text == "Bearer new-3")
        #expect(try token() == "at-0" && token("--resource", api.url("/base")) == "new-3")
        try managed.oap(call + ["https://elsewhere.example/"]).run().expect(status: 9)
        let named = ["call", "-p", "work", "--audience", "x"]
        let lost = try managed.oap(named + ["/me", "--dry-run"]).run().expect(status: 2)
        #expect(
            lost.errorText.contains("the token has no api_base") && lost.errorText.contains("--api-base"), "\(lost)")
        let base = ["--api-base", api.url("/other"), "--dry-run"]
        #expect(try managed.oap(named + ["/me"] + base).run().expect(status: 0).text.contains(api.url("/other/me")))
        let dry = try managed.oap(["call", "-p", "work", api.url("/x"), "--scope", "a", "--dry-run"]).run()
        #expect(dry.expect(status: 0).text.contains("Bearer $OAP_ACCESS_TOKEN") && server.requests.count == 3)
    }

    @Test("one that an API refuses, and that nothing can get again, is not handed out again; the login's stays")
    func refusedByAPI() throws {
        let api = try Responder { _ in
            .text("", status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        }
        let options = ["--resource", api.url("/base")]
        #expect(try token("--resource", api.url("/base")) == "new-1")
        try put(["refresh_token": nil])
        try managed.oap(["call", "-p", "work", "/me"] + options).run().expect(status: 8)
        #expect(try managed.stored()["derived_tokens"] == nil && token() == "at-0")
        try managed.oap(["token", "work"] + options).run().expect(status: 8)
    }

    @Test("oap call exchanges the login's token for it, which is renewed first if it has expired")
    func calledWithExchange() throws {
        let api = try Responder { request in
            .text(request.headers.first { $0.name == "Authorization" }?.value ?? "")
        }
        try put(["expires_at": .integer(1)])
        let call = ["call", "-p", "work", "--exchange", "--audience", api.url(), api.url("/me")]
        #expect(try managed.oap(call).run().expect(status: 0).text == "Bearer new-2")
        #expect(try form(1).contains("subject_token=new-1") && token() == "new-1")
        #expect(try managed.oap(call).run().expect(status: 0).text == "Bearer new-2" && server.requests.count == 2)
    }

    @Test("oap revoke ends it with the login's tokens, unless one of these is named")
    func revoked() throws {
        let revocations = try Responder { _ in .text("") }
        try put(["revocation_endpoint": .string(revocations.url("/revoke"))])
        #expect(try token("--scope", "b") == "new-1")
        let one = try managed.oap("revoke", "-p", "work", "--token-type-hint", "access_token").run()
        #expect(one.expect(status: 0).text == #"{"revoked":["access_token"]}"# + "\n")
        let all = try managed.oap("revoke", "-p", "work").run().expect(status: 0)
        #expect(all.text == #"{"revoked":["refresh_token","access_token","derived_tokens"]}"# + "\n")
        let revoked = try revocations.requests.map {
            try FormEncoding.parse($0.bodyText).first { $0.name == "token" }?.value
        }
        #expect(revoked == ["at-0", "new-1", "rt-1", "at-0"])
    }

    @Test("oap store list names it without the token, and oap logout revokes it first")
    func ended() throws {
        let revocations = try Responder { _ in .text("") }
        try put(["revocation_endpoint": .string(revocations.url("/revoke"))])
        #expect(try token("--scope", "b") == "new-1")
        let list = try managed.oap("store", "list", "--jq", ".derived_tokens[0].scope", "-r").run()
        #expect(list.expect(status: 0).text == "b\n")
        #expect(try !managed.oap("store", "list").run().expect(status: 0).text.contains("new-1"))
        try managed.oap("logout", "work").run().expect(status: 0)
        let revoked = try revocations.requests.map {
            try FormEncoding.parse($0.bodyText).first { $0.name == "token" }?.value
        }
        #expect(revoked == ["new-1", "rt-1", "at-0"])
        try managed.oap("token", "work", "--scope", "b").run().expect(status: 8)
    }
}
