import TestSupport
import Testing
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
}
