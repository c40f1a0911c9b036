import Foundation
import TestSupport
import Testing
import Wire

/// Tests of a token that a machine gets for itself, by the name ci.
protocol MachineTokens {
    var home: TemporaryDirectory { get }
    var endpoint: Responder { get }
}

extension MachineTokens {
    /// An authorization server that issues the same token each time.
    static func tokenServer() throws -> Responder {
        try Responder { _ in
            .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"scope":"read"}"#)
        }
    }

    @discardableResult func logIn(_ arguments: String...) throws -> ProgramResult { try logIn(arguments) }

    @discardableResult func logIn(_ arguments: [String]) throws -> ProgramResult {
        try oap(
            ["login", "ci", "--grant", "client_credentials", "--client-id", "m", "--token-endpoint"]
                + [endpoint.url("/token")] + arguments
        ).run().expect(status: 0)
    }

    func oap(_ arguments: String...) -> Program { oap(arguments) }

    func oap(_ arguments: [String]) -> Program {
        .oap(arguments, environment: ["HOME": home.path, "OAP_CLIENT_SECRET": "s3cret-value"])
    }

    var file: String { home.path(".local/state/oap/tokens/ci.json") }

    func stored() throws -> JSONObject {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret-value"))
        return try #require(JSON(parsing: bytes).object)
    }

    func put(_ token: JSONObject) throws {
        try Data(JSON.object(token).bytes).write(to: URL(fileURLWithPath: file))
    }

    func expire() throws { try put(stored().with(["expires_at": .integer(1)])) }
}
