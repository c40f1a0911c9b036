import TestSupport
import Testing

/// A home whose store holds what a test puts there.
struct StoreHome {
    let home: TemporaryDirectory
    var environment: [String: String] = [:]

    /// A token document with all kinds of secrets.
    static let token = """
        {"issuer":"https://as.example","client_id":"c","scope":"openid email","access_token":"secret-at",\
        "refresh_token":"secret-rt","client_secret":"secret-cs","id_token":"secret-id","expires_at":99999999999}
        """

    init() throws { home = try TemporaryDirectory() }

    var folder: String { ".local/state/oap/tokens" }

    func oap(_ arguments: String..., input: String? = nil) -> Program {
        Program.oap(
            arguments, input: input.map { .text($0) } ?? .none,
            environment: ["HOME": home.path].merging(environment) { $1 })
    }

    func put(_ document: String, as name: String) throws {
        try oap("store", "put", name, input: document).run().expect(status: 0).expect(output: "")
    }

    /// A home with a key, which its programs use.
    func withKey() throws -> StoreHome {
        var home = self
        try oap("store", "key", "-o", self.home.path("key")).run().expect(status: 0).expect(output: "")
        home.environment["OAP_STORE_KEY_FILE"] = self.home.path("key")
        return home
    }
}
