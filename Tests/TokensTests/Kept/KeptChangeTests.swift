import OAuth
import TestSupport
import Testing
import TokenStore
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// What is remembered between two uses of a kept token.
@Suite("What is noted of a kept token")
struct KeptChangeTests {
    private func document(_ members: JSONObject = [:]) -> JSONObject {
        let now = Script().beginning
        let document: JSONObject = [
            "client_id": "c", "token_endpoint": "https://as.example.com/token", "token_type": "Bearer",
            "access_token": "at-0", "expires_in": 3600, "expires_at": .integer(now + 3600),
        ]
        return document.with(members)
    }

    @Test("the refusal of an API is noted of the token that it refused, where nothing renews that")
    func refused() throws {
        for (refused, members, isNoted) in [
            ("at-0", [:], true), ("at-9", [:], false), ("at-0", ["refresh_token": "rt-0"], false),
        ] as [(String, JSONObject, Bool)] {
            let scene = try KeptScene(document(members))
            try scene.script.run(try scene.token.markRefused(refused, isCertain: true)).get()
            #expect(try (scene.stored["refused_at"] != nil) == isNoted, "\(refused)")
        }
    }

    @Test("a token that was stored by hand is not locked by the refusal of one API, since no login replaces it")
    func refusedByHand() throws {
        let now = Script().beginning
        let scene = try KeptScene(["access_token": "at-0", "expires_at": .integer(now + 3600)])
        try scene.script.run(try scene.token.markRefused("at-0", isCertain: true)).get()
        #expect(try scene.stored["refused_at"] == nil && scene.stored["unauthorized_at"] != nil)
        #expect(try scene.script.run(try scene.token.current(minimum: nil)).get()["access_token"] == "at-0")
        try scene.script.run(try scene.token.markRevoked(["at-0"])).get()
        let result = scene.script.run(try scene.token.current(minimum: nil))
        guard case .failure(let failure) = result else {
            Issue.record("a revoked token was used")
            return
        }
        #expect(failure.hint == "nothing says where it is from: store a new token with oap store put work")
    }

    @Test("an ID token that a renewal has not replaced is not renewed again: it is used until its end")
    func finalIDToken() throws {
        let now = Script().beginning
        let claims: JSONObject = ["exp": .integer(now + 30), "iat": .integer(now - 3570)]
        let header = Base64.encodeURL(Array(#"{"alg":"RS256"}"#.utf8))
        let text = "\(header).\(Base64.encodeURL(JSON.object(claims).bytes)).AA"
        let scene = try KeptScene(document(["refresh_token": "rt-0", "id_token": .string(text)]))
        scene.script.answer = { _ in
            Script.json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-1"}"#)
        }
        for _ in 1...3 {
            let handed = try scene.script.run(try scene.token.handed(minimum: nil, isIDToken: true)).get()
            #expect(handed.access.token == text)
            scene.script.pass(seconds: 5)
        }
        #expect(scene.script.requests.count == 1)
        scene.script.pass(seconds: 30)
        #expect(throws: Failure.self) {
            try scene.script.run(try scene.token.handed(minimum: nil, isIDToken: true)).get()
        }
        #expect(scene.script.requests.count == 1)
    }

    @Test("a renewal that failed is tried again after two seconds, and then after a pause that doubles")
    func pauses() throws {
        let end = Script().beginning + 50
        let scene = try KeptScene(document(["refresh_token": "rt-0", "expires_at": .integer(end)]))
        scene.script.answer = { _ in Script.json("", status: 503) }
        var counts: [Int] = []
        for _ in 0...7 {
            let kept = try scene.script.run(try scene.token.current(minimum: nil)).get()
            #expect(kept["access_token"] == "at-0")
            counts.append(scene.script.requests.count)
            scene.script.pass(seconds: 1)
        }
        #expect(counts == [1, 1, 2, 2, 2, 2, 3, 3])
    }

    @Test("a token that is bound to a key is renewed with that key alone: with another one nothing is sent")
    func otherKey() throws {
        let key = try DPoPBinding.newKey()
        for (thumbprint, count) in [(try DPoPBinding(key: key).thumbprint, 1), ("another", 0)] {
            let scene = try KeptScene(
                document([
                    "refresh_token": "rt-0", "token_type": "DPoP", "expires_at": .integer(Script().beginning - 1),
                    "dpop_key": .string(key), "dpop_jkt": .string(thumbprint),
                ]))
            scene.script.answer = { _ in Script.json(#"{"access_token":"at-1","token_type":"DPoP"}"#) }
            let result = scene.script.run(try scene.token.current(minimum: nil))
            if case .failure(let failure) = result, count == 0 { #expect(failure.kind == .keyInvalid) }
            #expect(scene.script.requests.count == count)
        }
    }

    @Test("what an API asks of the next login is noted of the token that it was asked for, and of no newer one")
    func stepUp() throws {
        let wish: JSONObject = ["scope": "more"]
        for (asked, noted) in [("at-9", nil), ("at-0", JSON.object(wish))] {
            let scene = try KeptScene(document())
            try scene.script.run(try scene.token.keepStepUp(wish, for: asked)).get()
            #expect(try scene.stored["step_up"] == noted)
        }
    }

    @Test("a token that lives for seconds is renewed two seconds before its end, while the process keeps it")
    func shortLived() throws {
        let end = Script().beginning + 10
        let scene = try KeptScene(
            document(["refresh_token": "rt-0", "expires_in": 10, "expires_at": .integer(end)]))
        let keeper = try scene.script.run(
            TokenKeeper.begun(try scene.token, minimum: nil, scene.session.diagnostics)
        ).get()
        let wait = keeper.next.milliseconds(since: scene.script.now)
        #expect((8000...8100).contains(wait), "\(wait)")
    }

    @Test("after a renewal that brought a token that is due at once, the next one waits")
    func stillDue() {
        let script = Script()
        let record = RenewalRecord(World.played(by: script))
        record.begin()
        record.succeed(isStillDue: true)
        #expect(!record.mayBegin)
        script.pass(seconds: 2)
        #expect(record.mayBegin)
        record.begin()
        record.succeed(isStillDue: false)
        #expect(record.mayBegin)
    }

    @Test("a code that is bound to a key is not exchanged with another one, and a new login may have another")
    func begunWithOtherKey() throws {
        let key = try DPoPBinding.newKey()
        let members: JSONObject = ["client_id": "c", "dpop_key": .string(key), "dpop_jkt": "another"]
        let input = try KeptScene([:]).session.inputs.input([], members: members, profile: nil)
        #expect(throws: Failure.self) { try input.withBinding(isBegun: true) }
        let new = try input.withBinding().document.members["dpop_jkt"]?.string
        #expect(try new == DPoPBinding(key: key).thumbprint)
    }

    @Test("the secret that a server issues to a client takes the place of the file that its profile named")
    func issuedSecret() throws {
        let scene = try KeptScene([:], words: ["register", "work", "--update"])
        let inputs = scene.session.inputs
        try inputs.profiles.write(["client_id": "c", "client_secret_file": "/old"], as: "work")
        try #require(try ManagedClient(inputs)).update(from: ["client_id": "c", "client_secret": "new"])
        let kept = try inputs.profiles.read("work")
        #expect(kept["client_secret"] == "new")
        #expect(kept["client_secret_file"] == nil)
    }

    @Test("a token that nothing renews, and that has less left than is asked for, is used with a warning")
    func tooShort() throws {
        let end = Script().beginning + 300
        for (minimum, isTold) in [(299, false), (300, true), (nil, false)] {
            let scene = try KeptScene(document(["expires_at": .integer(end)]))
            let kept = try scene.script.run(try scene.token.current(minimum: minimum)).get()
            #expect(kept["access_token"] == "at-0")
            #expect(scene.effects.said.contains("the token until it expires in 5 min") == isTold)
        }
    }

    @Test("who has waited long for the lock makes few attempts: its holder has made them all, and failed")
    func waited() throws {
        for (wait, isPatient) in [(1500, true), (4000, false)] {
            let end = Script().beginning - 1
            let scene = try KeptScene(
                document(["refresh_token": "rt-0", "expires_at": .integer(end)]), words: ["refresh", "work"])
            let store = try scene.session.inputs.store()
            var held =
                try scene.script.run(store.hold(TokenName("work")) { .done(.success($0)) }).get()
                as (any HeldToken)?
            withExtendedLifetime(held) {}
            scene.script.meanwhile = { [script = scene.script] in if script.passed >= wait { held = nil } }
            scene.script.answer = { _ in Script.json("", status: 503) }
            #expect(throws: Failure.self) { try scene.script.run(try scene.token.current(minimum: nil)).get() }
            #expect((scene.script.requests.count > 3) == isPatient, "\(scene.script.requests.count)")
        }
    }

    @Test("an ID token that has expired is not used where its renewal fails, and one that has not is, with a warning")
    func expiredIDToken() throws {
        for left in [-1, 0, 20] {
            let claims: JSONObject = ["exp": .integer(Script().beginning + left)]
            let header = Base64.encodeURL(Array(#"{"alg":"RS256"}"#.utf8))
            let text = "\(header).\(Base64.encodeURL(JSON.object(claims).bytes)).AA"
            let scene = try KeptScene(document(["refresh_token": "rt-0", "id_token": .string(text)]))
            scene.script.answer = { _ in Script.json("", status: 503) }
            let result = scene.script.run(try scene.token.handed(minimum: nil, isIDToken: true))
            #expect((try? result.get().access.token) == (left > 0 ? text : nil))
            #expect(scene.effects.said.contains("oap uses the old ID token") == (left > 0))
        }
    }

    @Test("a renewal that failed is tried again when the server wants it, but after five minutes at the latest")
    func retryAfter() {
        for (wanted, wait) in [(nil, 2), (60, 60), (86_400, 300)] as [(Int?, Int)] {
            let script = Script()
            let record = RenewalRecord(World.played(by: script))
            record.begin()
            var failure = Failure(.unavailable, .network, "it is busy")
            failure.retryAfter = wanted
            record.fail(failure)
            script.pass(seconds: Double(wait) - 0.1)
            #expect(!record.mayBegin)
            script.pass(seconds: 0.2)
            #expect(record.mayBegin)
        }
    }

    @Test("a refresh token of an answer that is of no use takes the place of the old one, its file and its end")
    func rotated() throws {
        let folder = try TemporaryDirectory(inMemory: true)
        let file = try folder.write("rt-0\n", to: "refresh")
        let scene = try KeptScene(
            document([
                "refresh_token_file": .string(file),
                "refresh_token_expires_at": .integer(Script().beginning + 60),
                "expires_at": .integer(Script().beginning - 1),
            ]))
        scene.script.answer = { _ in Script.json(#"{"access_token":"a","token_type":"odd","refresh_token":"rt-1"}"#) }
        #expect(throws: Failure.self) { try scene.script.run(try scene.token.current(minimum: nil)).get() }
        let stored = try scene.stored
        #expect(stored["refresh_token"] == "rt-1")
        #expect(stored["refresh_token_file"] == nil)
        #expect(stored["refresh_token_expires_at"] == nil)
    }

    @Test("a token is forgotten once: then, and under any other name, none is stored")
    func forgotten() throws {
        let scene = try KeptScene(document())
        try scene.script.run(try scene.token.forget()).get()
        for name in ["work", "other"] {
            let failure = #expect(throws: Failure.self) {
                try scene.script.run(try scene.session.login(name).forget()).get()
            }
            #expect(failure?.kind == .loginNeeded)
        }
    }

    @Test("the key of an option takes the place of the profile's in each form, and the same key leaves it as it is")
    func newKey() throws {
        for (path, command) in [("/new", nil), ("/old", "x")] as [(String, JSON?)] {
            let scene = try KeptScene([:], words: ["register", "work", "--update"])
            let inputs = scene.session.inputs
            let profile: JSONObject = ["client_id": "c", "client_key_file": "/old", "client_key": "x"]
            try inputs.profiles.write(profile, as: "work")
            try #require(try ManagedClient(inputs)).update(from: ["client_id": "c", "client_key_file": .string(path)])
            let kept = try inputs.profiles.read("work")
            #expect(kept["client_key_file"] == .string(path))
            #expect(kept["client_key"] == command)
        }
    }
}
