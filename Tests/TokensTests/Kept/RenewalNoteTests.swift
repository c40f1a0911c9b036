import Errands
import OAuth
import TestSupport
import Testing
import TokenStore
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// What the lock of a token remembers of a failed renewal.
@Suite("Notes of failed renewals")
struct RenewalNoteTests {
    private func exchange(_ kind: Grant.Kind, _ members: JSONObject, in scene: KeptScene) throws -> TokenExchange {
        let client: JSONObject = ["client_id": "c", "token_endpoint": "https://as.example.com/token"]
        let input = try scene.session.inputs.input([], members: client.with(members), profile: nil)
        return try TokenExchange(try input.grant(kind, extra: []), input: input, over: scene.session.transport)
    }

    @Test(
        "a note has no secret and at most 512 bytes, and tells the kind of failure",
        arguments: ["", String(repeating: "long ", count: 200), String(repeating: "€", count: 200)])
    func note(more: String) throws {
        let folder = try TemporaryDirectory(inMemory: true)
        let exchange = try exchange(.refreshToken, ["refresh_token": "refresh-0123456789"], in: try KeptScene([:]))
        let lock = try StoreLock(folder.path + "/lock")
        var error = OAuthError(.invalidResponse, "the server says refresh-0123456789\(more)", status: 200)
        error.hint = "use another than refresh-0123456789\(more)"
        FailedRenewal.note(.unusable(.refused(error), refreshToken: nil, revocation: nil), of: exchange, in: lock)
        let text = String(decoding: lock.note, as: UTF8.self)
        #expect(lock.note.count <= 512)
        #expect(try JSON(parsing: lock.note).object?["at"] != nil, "it is whole: \(text)")
        #expect(!text.contains("0123456789"), "\(text)")
        let failure = FailedRenewal.heard(by: exchange, since: 0, in: lock)
        #expect(failure?.kind == .invalidResponse)
        #expect(failure?.exit == .badAnswer)
    }

    @Test("a note says how long the server still wants to be left alone, and one of a later time does not count")
    func times() throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let exchange = try exchange(.refreshToken, ["refresh_token": "r"], in: scene)
        let lock = try StoreLock(folder.path + "/lock")
        var error = OAuthError(.httpStatus, "it is busy", status: 429)
        error.retryAfter = 60
        FailedRenewal.note(.refused(error), of: exchange, in: lock)
        scene.script.pass(seconds: 10)
        #expect(FailedRenewal.heard(by: exchange, since: 0, in: lock)?.retryAfter == 50)
        scene.script.pass(seconds: -20)
        #expect(FailedRenewal.heard(by: exchange, since: 0, in: lock) == nil)
    }

    @Test("a token ends what was noted of a failure before it")
    func ended() throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let exchange = try exchange(.refreshToken, ["refresh_token": "r"], in: scene)
        let lock = try StoreLock(folder.path + "/lock")
        let error = OAuthError(.oauth, "no", code: "invalid_scope", status: 400)
        FailedRenewal.note(.refused(error), of: exchange, in: lock)
        #expect(FailedRenewal.heard(by: exchange, since: 0, in: lock) != nil)
        let answer = Script.json(#"{"access_token":"a","token_type":"Bearer"}"#)
        FailedRenewal.note(scene.script.run(exchange.receive(answer, 0)), of: exchange, in: lock)
        #expect(FailedRenewal.heard(by: exchange, since: 0, in: lock) == nil)
    }

    @Test("a password that may have arrived is not sent by those that come next, though its answer was lost")
    func password() throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let exchange = try exchange(Grant.Kind(named: "password"), ["username": "u", "password": "p"], in: scene)
        let lock = try StoreLock(folder.path + "/lock")
        for isSent in [false, true] {
            let lost = HTTPError.network(stage: .read, message: "connection reset", requestSent: isSent)
            FailedRenewal.note(.lost(lost), of: exchange, in: lock)
            #expect((FailedRenewal.heard(by: exchange, since: .max, in: lock) != nil) == isSent)
        }
    }

    @Test("a refusal keeps others off for a minute, and each further one for twice as long, up to sixteen minutes")
    func doubled() throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let exchange = try exchange(.refreshToken, ["refresh_token": "r"], in: scene)
        let lock = try StoreLock(folder.path + "/lock")
        var times: [Int] = []
        for _ in 1...7 {
            let error = OAuthError(.oauth, "no", code: "invalid_scope", status: 400)
            FailedRenewal.note(.refused(error), of: exchange, in: lock)
            let start = scene.script.seconds
            while FailedRenewal.heard(by: exchange, since: .max, in: lock) != nil { scene.script.pass(seconds: 1) }
            times.append(scene.script.seconds - start)
        }
        #expect(times == [60, 120, 240, 480, 960, 960, 960])
    }

    @Test("a code of the server that is no short word is not noted")
    func oddCode() throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let exchange = try exchange(.refreshToken, ["refresh_token": "r"], in: scene)
        let lock = try StoreLock(folder.path + "/lock")
        let long = String(repeating: "a", count: 100)
        for (code, isNoted) in [("invalid_scope", true), ("a b", false), ("\u{1B}[2J", false), (long, false)] {
            FailedRenewal.note(.refused(OAuthError(.oauth, "no", code: code, status: 400)), of: exchange, in: lock)
            #expect(try JSON(parsing: lock.note).object?["error"] == (isNoted ? .string(code) : nil))
            #expect(FailedRenewal.heard(by: exchange, since: 0, in: lock)?.message.contains(code) == isNoted)
        }
    }

    @Test("a refusal of the client says how to register another one, at an address that a shell takes as it is")
    func forgotten() throws {
        let registered: JSONObject = ["client_id_issued_at": 1, "issuer": "https://as.example.com"]
        for (members, address) in [
            ([:], "--issuer https://as.example.com "),
            (["resource": "https://r.example/x"], "--resource https://r.example/x "),
            (["issuer": "https://as.example.com/$(id)"], ""), (["resource": "a b"], "--issuer https://as.example.com "),
        ] as [(JSONObject, String)] {
            let client = try #require(ForgottenClient(registered.with(members), named: "work"))
            let command = "oap login work \(address)--register --save-profile"
            #expect(client.hint(afterRefusal: "it may be wrong").hasSuffix("register another client: \(command)"))
            #expect(!client.hint(afterRefusal: "it may be wrong").contains("it may be wrong"), "it has no secret")
        }
        #expect(ForgottenClient(["client_id": "c", "issuer": "https://as.example.com"], named: "work") == nil)
    }

    @Test("while a login of the name goes on, a refused renewal says to wait for its end")
    func loginUnderWay() throws {
        for isPending in [true, false] {
            let document: JSONObject = [
                "client_id": "c", "token_endpoint": "https://as.example.com/token", "refresh_token": "r",
                "access_token": "a", "expires_at": .integer(Script().beginning - 1),
            ]
            let scene = try KeptScene(document)
            scene.script.answer = { _ in Script.json(#"{"error":"invalid_grant"}"#, status: 400) }
            let mark =
                isPending
                ? try LoginMark(try TokenName("work"), in: try scene.session.environment.folders.logins()) : nil
            let failure = #expect(throws: Failure.self) {
                try scene.script.run(try scene.token.current(minimum: nil)).get()
            }
            #expect((failure?.kind == .loginPending) == isPending)
            #expect((failure?.hint?.contains("oap login work is under way") == true) == isPending)
            withExtendedLifetime(mark) {}
        }
    }
}
