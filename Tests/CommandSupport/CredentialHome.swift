import Foundation
import TestSupport
import Testing
import Wire

/// A home with a token and a profile that says where it is for, and the programs that ask for it.
struct CredentialHome {
    /// The home.
    let managed: ManagedHome
    private let origins: [String]

    /// Stores a token that is fresh.
    ///
    /// - Parameter origins: the `api_origins` of the profile.
    init(origins: [String] = [], expiresIn seconds: Int = 1000) throws {
        managed = try ManagedHome(expiresIn: seconds)
        self.origins = origins
        try profile("work", ["client_id": "c", "api_origins": .strings(origins)])
    }

    /// Writes a profile.
    func profile(_ name: String, _ members: JSONObject) throws {
        try managed.home.write(JSON.object(members).text, to: ".config/oap/profiles/\(name).json")
    }

    /// The helper of a protocol, with what a program asks it.
    func ask(_ words: String..., input: String = "", environment: [String: String] = [:]) throws -> ProgramResult {
        var program = managed.oap(["credential"] + words)
        program.input = .text(input)
        program.environment.merge(environment) { $1 }
        return try program.run()
    }

    /// Puts a token with an ID token that ends then.
    ///
    /// - Returns: the ID token.
    @discardableResult
    func putIDToken(expiresIn seconds: Int) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = #"{"iss":"https://as.example","iat":\#(now - 100),"exp":\#(now + seconds)}"#
        let token = Base64.encodeURL(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64.encodeURL(Array(claims.utf8)) + "."
        try managed.put(try managed.stored().with(["id_token": .string(token)]))
        try profile("work", ["client_id": "c", "api_origins": .strings(origins)])
        return token
    }

    /// A program from the folder of `Tests/Peers/install`, or of the system, which finds the helpers of `examples/`.
    func program(_ name: String, _ arguments: [String]) throws -> Program {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        let own = "\(cache)/oap-tests/helpers/bin/\(name)"
        let path = FileManager.default.isExecutableFile(atPath: own) ? own : "/usr/bin/\(name)"
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(name) is missing: run Tests/Peers/install")
        var program = Program(path: path, arguments: arguments)
        let folders = [
            "\(Fixture.project)/examples", (Program.oapPath as NSString).deletingLastPathComponent, "/usr/bin", "/bin",
        ]
        program.environment = ["HOME": managed.home.path, "PATH": folders.joined(separator: ":")]
        program.directory = managed.home.path
        return program
    }
}
