import Foundation
import TestSupport
import Testing
import Wire

/// A running `oap proxy` before an API, with a token that is stored as `work`.
package final class ProxyScene {
    package let home: TemporaryDirectory
    package let running: RunningProgram
    /// The document that the proxy prints.
    package let document: JSONObject
    package static let token = "the-token-of-the-user"

    /// - Parameters:
    ///   - base: the `api_base` of the token.
    ///   - token: further members of it.
    package init(
        _ options: [String] = [], base: String, token: JSONObject = [:], names: [String] = ["work"]
    ) throws {
        home = try TemporaryDirectory()
        var stored: JSONObject = [
            "access_token": .string(Self.token), "token_type": .string("Bearer"), "api_base": .string(base),
        ]
        for member in token.members { stored[member.name] = member.value }
        for name in names { try Self.put(stored, as: name, in: home) }
        running = try Program.oap(["proxy"] + names + options, environment: ["HOME": home.path]).start()
        document = try #require(JSON(parsing: try running.firstLine()).object)
    }

    package static func put(_ token: JSONObject, as name: String, in home: TemporaryDirectory) throws {
        try Program.oap(
            ["store", "put", name], input: .text(JSON.object(token).text), environment: ["HOME": home.path]
        ).run().expect(status: 0)
    }

    package var url: String { document["url"]?.string ?? "" }
    package var key: String { document["key"]?.string ?? "" }
    package var port: Int { WebURL(url)?.port ?? 0 }
    package var authority: String { "127.0.0.1:\(port)" }

    /// Sends a request as it stands, with a `Host` if it has none, and gives back the answer; the connection is closed then.
    package func send(_ line: String, _ fields: [String] = [], _ body: String = "") throws -> ProxyAnswer {
        let host = fields.contains { $0.asciiLowercased.hasPrefix("host") } ? [] : ["Host: \(authority)"]
        let head = ["\(line) HTTP/1.1"] + host + ["Connection: close"] + fields
        return try raw(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// A request for a path below the API.
    package func get(_ path: String, _ fields: [String] = [], method: String = "GET") throws -> ProxyAnswer {
        try send("\(method) /\(key)/work\(path)", fields)
    }

    /// A connection over which a request for a path below the API was sent.
    package func open(_ path: String, _ fields: [String] = []) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        let lines = ["GET /\(key)/work\(path) HTTP/1.1", "Host: \(authority)"] + fields
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return connection
    }

    package func raw(_ text: String) throws -> ProxyAnswer {
        ProxyAnswer(try RawConnection.exchange(text, port: port))
    }
}

/// An answer to the byte.
package struct ProxyAnswer: CustomStringConvertible {
    package let text: String

    init(_ text: String) { self.text = text }

    package var status: Int { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    package var body: String { text.cutting("\r\n\r\n") }
    package var isOwn: Bool { text.contains("\r\nOap-Error: 1\r\n") }
    package var problem: JSONObject { (try? JSON(parsing: body).object) ?? [:] }
    package func field(_ name: String) -> String? {
        text.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    package var description: String { text }
}

extension String {
    fileprivate func cutting(_ separator: String) -> String {
        components(separatedBy: separator).dropFirst().joined(separator: separator)
    }
}
