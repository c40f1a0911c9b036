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
    @Test(
        "a note has no secret and at most 512 bytes, and tells the kind of failure",
        arguments: ["", String(repeating: "long ", count: 200), String(repeating: "€", count: 200)])
    func note(more: String) throws {
        let (scene, folder) = (try KeptScene([:]), try TemporaryDirectory(inMemory: true))
        let document: JSONObject = [
            "client_id": "c", "token_endpoint": "https://as.example.com/token", "refresh_token": "refresh-0123456789",
        ]
        let input = try scene.session.inputs.input([], members: document, profile: nil)
        let grant = try input.grant(.refreshToken, extra: [])
        let exchange = try TokenExchange(grant, input: input, over: scene.session.transport)
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
}
