import JOSE
import Sandbox
import Testing
import Wire

extension SandboxResponse {
    /// The content as text.
    var text: String {
        if case .bytes(let bytes) = content { String(decoding: bytes, as: UTF8.self) } else { "\(content)" }
    }

    /// The content as a JSON object.
    func object() throws -> JSONObject { try #require(JSON(parsing: text).object, "\(status) \(text)") }

    /// The content as a JSON array.
    func array() throws -> [JSON] { try #require(JSON(parsing: text).array, "\(status) \(text)") }

    /// The error code in a JSON answer.
    var error: String? { (try? JSON(parsing: text))?.object?["error"]?.string }

    func header(_ name: String) -> String? { headers.first(name) }

    /// The parameters that a redirect has in its query, and its address under an empty name.
    func redirect(_ separator: Character = "?") throws -> [String: String] {
        #expect(status == 303, "\(text)")
        let location = try #require(header("Location"), "\(status) \(text)")
        let parts = location.split(separator: separator, maxSplits: 1).map(String.init)
        var parameters = ["": parts[0]]
        for pair in try FormEncoding.parse(parts.count > 1 ? parts[1] : "") { parameters[pair.name] = pair.value }
        return parameters
    }

    /// The challenge of the response.
    func challenge() throws -> AuthenticationChallenge {
        try #require(AuthenticationChallenge.parse(headers.values(of: "WWW-Authenticate")).first)
    }
}

extension JSONObject {
    /// The string of a member that must be there.
    func text(_ name: String) throws -> String {
        try #require(self[name]?.string, "\(name) in \(JSON.object(self).text)")
    }

    /// The claims of a JWT in a member, its signature not looked at.
    func claims(_ name: String) throws -> JSONObject {
        let token = try JSONWebSignature(parsing: text(name))
        return try #require(JSON(parsing: token.payload).object)
    }
}
