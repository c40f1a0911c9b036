import Foundation
import TestSupport
import Testing
import Wire

/// What the tests of `oap` against real servers do again and again: a client document, a login, a token.
struct Login {
    /// The server.
    let peer: Peer

    /// The address at which every client of the peers is registered.
    static let redirectURI = "http://127.0.0.1:8765/callback"

    /// The scope that brings an ID token and a refresh token, as each server wants to be asked for them.
    var scope: String { isGlewlwyd ? "openid email offline_access" : "openid email" }

    /// Whether it is glewlwyd.
    var isGlewlwyd: Bool { peer.description["name"]?.string == "glewlwyd" }

    /// A client document that asks for `scope` and knows how the server wants HTTP Basic.
    func client(_ name: String, scope: String? = nil) throws -> JSONObject {
        var client = try peer.client(name)
        client["redirect_uris"] = nil
        client["redirect_uri"] = .string(Self.redirectURI)
        client["scope"] = .string(scope ?? self.scope)
        client["basic_encoding"] = peer.description["quirks"]?.object?["basic_encoding"]
        return client
    }

    /// Runs `oap authurl`.
    func flow(_ client: JSONObject, _ arguments: String...) throws -> JSONObject {
        try oap(["authurl"] + arguments, client).expect(status: 0).object()
    }

    /// Logs in, and hands what the browser was redirected to, to `oap callback-parse`.
    func code(_ flow: JSONObject) throws -> JSONObject {
        let url = try #require(flow["authorization_url"]?.string)
        return try oap(["callback-parse", try peer.authorize(url)], flow).expect(status: 0).object()
    }

    /// The whole way to a token.
    func token(_ client: JSONObject, environment: [String: String] = [:]) throws -> JSONObject {
        try oap(["exchange"], try code(try flow(client)), environment).expect(status: 0).object()
    }

    /// Runs `oap` on a document.
    func oap(
        _ arguments: [String], _ document: JSONObject, _ environment: [String: String] = [:]
    ) throws -> ProgramResult {
        try Program.oap(arguments, input: .text(JSON.object(document).text), environment: environment).run()
    }
}

extension JSONObject {
    /// The object with a member set, or without it.
    func with(_ name: String, _ value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
