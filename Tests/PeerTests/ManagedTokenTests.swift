import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// What oap keeps of a server that rotates refresh tokens, and voids all when one is used twice.
    @Suite("A token that oap keeps, of django-oauth-toolkit,")
    struct ManagedTokenTests {
        private let login: Login
        private let token: JSONObject
        private let home: TemporaryDirectory

        init() throws {
            login = Login(peer: try Peer.shared(.django))
            token = try login.token(try login.client("cli-public"))
            home = try TemporaryDirectory()
            let profiles = home.path(".config/oap/profiles")
            try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
            try home.write(JSON.object(try login.client("cli-public")).text, to: ".config/oap/profiles/work.json")
        }

        @Test("a token of django-oauth-toolkit is renewed once for two hundred processes at the moment of expiry")
        func singleFlight() throws {
            try keep(token.with("expires_at", .integer(1)))
            let before = try tokenRequests()
            let commands = [
                ["token", "work"], ["call", "-p", "work", try userinfo, "--jq", ".sub", "-r"],
                ["refresh", "-p", "work", "--if-expired", "--jq", ".access_token", "-r"],
            ]
            let running = try (0..<200).map { try oap(commands[$0 % 3]).start() }
            let subject = try #require(token["id_token_claims"]?.object?["sub"]?.string)
            let lines = try running.map { try $0.finish().expect(status: 0).text }
            let renewed = try #require(lines.first)
            #expect(renewed.count > 10 && renewed != (token["access_token"]?.string ?? "") + "\n")
            #expect(lines.enumerated().allSatisfy { $1 == ($0 % 3 == 1 ? subject + "\n" : renewed) })
            #expect(try tokenRequests() == before + 1)
        }

        @Test("a token of django-oauth-toolkit is renewed after a 401, once another has taken its place there")
        func superseded() throws {
            let newer = try login.oap(["refresh"], token).expect(status: 0).object()
            try keep(newer.with("access_token", token["access_token"]))
            let before = try tokenRequests()
            try oap(["call", "-p", "work", try userinfo]).run().expect(status: 0)
            #expect(try tokenRequests() == before + 1)
            let kept = try oap(["token", "work"]).run().expect(status: 0).text
            #expect(kept != (newer["access_token"]?.string ?? "") + "\n")
            try oap(["call", "-p", "work", try userinfo]).run().expect(status: 0)
            #expect(try tokenRequests() == before + 1)
        }

        @Test("a token of django-oauth-toolkit is worth nothing when its refresh token was used elsewhere")
        func usedElsewhere() throws {
            try keep(token)
            try login.oap(["refresh"], token).expect(status: 0)
            let before = try tokenRequests()
            let refused = try oap(["call", "-p", "work", try userinfo]).run().expect(status: 8)
            #expect(refused.output.isEmpty && refused.errorText.contains("invalid_grant"), "\(refused)")
            #expect(refused.errorText.contains("log in again"))
            try oap(["token", "work"]).run().expect(status: 8)
            #expect(try tokenRequests() == before + 1)
        }

        private func keep(_ token: JSONObject) throws {
            var put = oap(["store", "put", "work"])
            put.input = .text(JSON.object(token).text)
            try put.run().expect(status: 0)
        }

        private func oap(_ arguments: [String]) -> Program {
            .oap(arguments, environment: ["HOME": home.path])
        }

        private var userinfo: String {
            get throws { try #require(token["userinfo_endpoint"]?.string) }
        }

        private func tokenRequests() throws -> Int {
            try login.peer.log().components(separatedBy: "\"POST /o/token/ ").count - 1
        }
    }
}
