import Foundation
import TestSupport
import Testing
import Wire

/// The home of a person who logs in, with a browser that needs no hands.
struct LoginHome {
    let home: TemporaryDirectory

    /// A browser that goes where it is sent and follows every redirect.
    static let browser = "curl -sSL -o /dev/null"

    init() throws { home = try TemporaryDirectory() }

    func oap(_ arguments: [String], _ environment: [String: String] = [:]) -> Program {
        let own = ["HOME": home.path, "BROWSER": Self.browser]
        return Program.oap(arguments, environment: own.merging(environment) { $1 })
    }

    /// `oap login work --paste` at a terminal.
    func typing() throws -> RunningProgram {
        var program = oap(["login", "work", "--paste"])
        program.input = .terminal
        return try program.start()
    }

    /// A server that logs everybody in: its authorization endpoint redirects at once.
    static func server(
        _ token: String = #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#,
        userinfo: String = #"{"sub":"7","name":"Ada\u001b[2J"}"#
    ) throws -> Responder {
        try Responder { request in
            guard request.target.hasPrefix("/authorize?") else {
                return request.target == "/userinfo" ? .json(userinfo) : .json(token)
            }
            return consent(to: request)
        }
    }

    /// The redirect that answers an authorization request at once.
    static func consent(to request: Responder.Request, with answer: String = "code=the-code") -> Responder.Reply {
        let query = (try? FormEncoding.parse(String(request.target.dropFirst("/authorize?".count)))) ?? []
        let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
        let redirect = "\(value("redirect_uri"))?\(answer)&state=\(value("state"))"
        return .text("", status: 302, headers: ["Location: \(redirect)"])
    }

    /// The path of the profile `work`.
    static let profile = ".config/oap/profiles/work.json"

    /// Writes the profile `work` for a client of the server.
    func profile(_ server: Responder, _ more: JSONObject = [:]) throws {
        let client = server.client.with(["authorization_endpoint": .string(server.url("/authorize"))]).with(more)
        try home.write(JSON.object(client).text, to: Self.profile)
    }

    /// The profile `work`.
    func profile() throws -> JSONObject {
        try #require(JSON(parsing: Array(try home.read(Self.profile).utf8)).object)
    }

    /// The token that is stored as `work`.
    func stored() throws -> JSONObject {
        try oap(["token", "work", "--document"]).run().expect(status: 0).object()
    }
}
