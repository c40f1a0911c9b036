import Testing
import Wire

@testable import Sandbox

@Suite("A table of values that expire") struct ExpiringTableTests {
    @Test("a table of values that expire finds a value until it expires, once when it is removed")
    func lookup() {
        var table = ExpiringTable<Int>(capacity: 4096)
        table.insert(1, for: "a", lifetime: 10, now: 100)
        #expect(table.value("a", now: 109) == 1 && table.value("a", now: 110) == nil)
        table.replace("a", with: 2)
        table.replace("b", with: 2)
        #expect(table.value("a", now: 109) == 2 && table.value("b", now: 109) == nil)
        #expect(table.remove("a", now: 109) == 2 && table.remove("a", now: 109) == nil)
    }

    @Test("a table of values that expire lets go of what has expired when something new comes")
    func sweep() {
        var table = ExpiringTable<Int>(capacity: 4096)
        for number in 0..<1000 { table.insert(number, for: "\(number)", lifetime: 10, now: number) }
        #expect(table.count == 10)
        #expect(table.value("999", now: 999) == 999 && table.value("989", now: 999) == nil)
    }

    @Test("a table of values that expire keeps the whole server small, however many requests come")
    func server() throws {
        let scene = try Scene { $0.rotatesRefreshTokens = true }
        let server = scene.server
        (server.codes, server.accessTokens) = (ExpiringTable(capacity: 20), ExpiringTable(capacity: 20))
        (server.refreshTokens, server.pushedRequests) = (ExpiringTable(capacity: 20), ExpiringTable(capacity: 20))
        (server.devices, server.userCodes) = (ExpiringTable(capacity: 20), ExpiringTable(capacity: 20))
        var refresh = try scene.login().text("refresh_token")
        for _ in 0..<100 {
            refresh = try scene.token(["grant_type": "refresh_token", "refresh_token": refresh]).object()
                .text("refresh_token")
            _ = try scene.code()
            _ = scene.post("/par", Scene.authorization, headers: [Scene.basic()])
            _ = scene.post("/device_authorization", ["client_id": "sandbox-public"])
        }
        let counts = [
            server.codes.count, server.accessTokens.count, server.refreshTokens.count, server.pushedRequests.count,
            server.devices.count, server.userCodes.count,
        ]
        #expect(counts.allSatisfy { $0 == 20 }, "\(counts)")
        #expect(scene.token(["grant_type": "refresh_token", "refresh_token": refresh]).status == 200)
    }

    @Test("a table of values that expire never holds more than its capacity, and lets the oldest go")
    func capacity() {
        var table = ExpiringTable<Int>(capacity: 100)
        for number in 0..<10_000 {
            table.insert(number, for: "\(number)", lifetime: 10_000, now: 0)
            if number % 3 == 0 { _ = table.remove("\(number)", now: 0) }
        }
        #expect(table.count <= 100)
        #expect(table.value("9998", now: 0) == 9998 && table.value("9800", now: 0) == nil)
    }
}
