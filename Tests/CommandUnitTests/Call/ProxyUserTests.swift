import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("The user and the password of a proxy", .inProcess)
struct ProxyUserTests {
    private static let proxies = ["", "http://", "http:", "socks5h://", "HTTP://"].flatMap { scheme in
        ["hunter2hunter2", "hunter2/hunter2", "hunter2 hunter2", "hunter2@hunter2", "hunter2?hunter2#"].map {
            "\(scheme)admin:\($0)@proxy.example:3128"
        }
    }

    private static let token: JSONObject = [
        "client_id": "c", "token_endpoint": "https://as.example/t", "refresh_token": "rt", "access_token": "at",
        "token_type": "Bearer",
    ]

    @Test("--dry-run shows the proxy of an option and of a document without them", arguments: proxies)
    func dryRun(proxy: String) throws {
        let document = Self.token.with(["proxy": .string(proxy)])
        for (words, input) in [
            (["call", "--anonymous", "https://api.example/", "-x", proxy], Self.token), (["refresh"], document),
            (["call", "https://api.example/"], document), (["refresh", "-x", proxy], Self.token),
        ] {
            let result = try Program.oap(words + ["--dry-run"], input: input.input).run().expect(status: 0)
            #expect(result.text.contains("***@proxy.example:3128"), "\(result)")
            #expect(!result.text.contains("hunter2"), "\(result)")
        }
    }
}
