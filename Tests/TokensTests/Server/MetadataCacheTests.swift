import TestSupport
import Testing
import Wire

@testable import Sessions
@testable import Shell
@testable import Tokens

/// What of servers is kept for later commands (`--cache`).
@Suite("The cache of metadata")
struct MetadataCacheTests {
    private static let address = "https://as.example.com/.well-known/openid-configuration"

    private func scene(_ words: String...) throws -> KeptScene {
        try KeptScene([:], words: ["refresh", "work"] + words)
    }

    @Test("what one address says is not taken for what all addresses say, and what all say does for one")
    func whole() throws {
        let cache = try #require(try scene("--cache", "60").session.transport.cache)
        let response = try Script.json(#"{"a":1}"#).get()
        for isWhole in [false, true] {
            cache.store(response, from: Self.address, isWhole: isWhole)
            #expect(cache.response(from: Self.address)?.body == response.body)
            #expect((cache.response(from: Self.address, isWhole: true) != nil) == isWhole)
            #expect(cache.response(from: Self.address + "/") == nil)
        }
    }

    @Test("an entry is as old as the option allows, and no older than the server says")
    func age() throws {
        for (header, limit) in [(nil, 60), ("max-age=10", 10), ("max-age=100", 60), ("no-store", 0)] as [(String?, Int)]
        {
            let scene = try scene("--cache", "60")
            let cache = try #require(scene.session.transport.cache)
            let headers = header.map { [HTTPField("Cache-Control", $0)] } ?? []
            cache.store(try Script.json("{}").get(), from: Self.address)
            cache.store(try Script.json("{}", headers: headers).get(), from: Self.address)
            scene.script.pass(seconds: Double(limit) - 1)
            #expect((cache.response(from: Self.address) != nil) == (limit > 0))
            scene.script.pass(seconds: 1)
            #expect(cache.response(from: Self.address) == nil)
            scene.script.pass(seconds: -100)
            #expect(cache.response(from: Self.address) == nil, "it is from the future")
        }
    }

    @Test("there is one with the option alone, and none where a request is only shown")
    func shown() throws {
        #expect(try scene().session.transport.cache == nil)
        #expect(try scene("--cache", "60").session.transport.cache != nil)
        #expect(try scene("--cache", "60", "--dry-run").session.transport.cache == nil)
    }
}
