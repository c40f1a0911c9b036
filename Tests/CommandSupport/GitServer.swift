import Foundation
import TestSupport
import Testing
import Wire

/// The real git at the server's end: `git http-backend` with an empty repository `work.git`, for whoever has the
/// password.
struct GitServer {
    /// What tells who comes with which password, and decides.
    typealias Guard = @Sendable (_ user: String, _ password: String) -> Bool

    private let repositories: TemporaryDirectory
    private let responder: Responder

    /// Makes the repository and starts the server.
    init(letsIn: @escaping Guard) throws {
        let repositories = try TemporaryDirectory()
        try Program(path: "/usr/bin/git", arguments: ["init", "--quiet", "--bare", repositories.path("work.git")])
            .run().expect(status: 0)
        self.repositories = repositories
        responder = try Responder { request in
            guard let (user, password) = Self.credentials(of: request), letsIn(user, password) else {
                return .text("no", status: 401, headers: [#"WWW-Authenticate: Basic realm="git""#])
            }
            return (try? Self.answer(request, user: user, folder: repositories.path)) ?? .text("", status: 500)
        }
    }

    /// The address of the server.
    var url: String { responder.url() }

    private static func credentials(of request: Responder.Request) -> (user: String, password: String)? {
        let field = request.headers.first { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") }
        guard let text = field?.value.dropFirst("Basic ".count), let data = Data(base64Encoded: String(text)) else {
            return nil
        }
        let sides = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
        return sides.count == 2 ? (sides[0], sides[1]) : nil
    }

    /// Runs git as a CGI program (RFC 3875).
    private static func answer(_ request: Responder.Request, user: String, folder: String) throws -> Responder.Reply {
        let target = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        func field(_ name: String) -> String {
            request.headers.first { $0.name.lowercased() == name }?.value ?? ""
        }
        var git = Program(path: "/usr/bin/git", arguments: ["http-backend"])
        git.environment = [
            "GIT_PROJECT_ROOT": folder, "GIT_HTTP_EXPORT_ALL": "1", "REQUEST_METHOD": request.method,
            "PATH_INFO": target[0], "QUERY_STRING": target.count > 1 ? target[1] : "", "REMOTE_USER": user,
            "CONTENT_TYPE": field("content-type"), "CONTENT_LENGTH": "\(request.bodySize)",
            "HTTP_CONTENT_ENCODING": field("content-encoding"), "GIT_PROTOCOL": field("git-protocol"),
        ]
        git.input = .bytes(request.body)
        let output = Data(try git.run().expect(status: 0).output)
        guard let end = output.range(of: Data("\r\n\r\n".utf8)) else { return .text("", status: 500) }
        let lines = String(decoding: output[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        return .content(
            Array(output[end.upperBound...]), status: value("Status").flatMap { Int($0.prefix(3)) } ?? 200,
            type: value("Content-Type") ?? "text/plain")
    }
}
