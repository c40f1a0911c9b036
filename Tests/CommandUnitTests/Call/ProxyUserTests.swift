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

    @Test(
        "a proxy that wants a password is named, with how to give it, whatever oap asks for",
        arguments: [
            ["discover", "https://as.example"],
            ["exchange", "-n", "--grant", "client_credentials", "--client-id", "x", "--issuer", "https://as.example"],
            ["refresh"], ["call", "https://api.example/"], ["userinfo", "--userinfo-endpoint", "https://as.example/u"],
        ])
    func login(words: [String]) throws {
        let proxy = try Responder { _ in .text("no", status: 407) }
        let address = "127.0.0.1:\(proxy.port)"
        let cases = [
            (address, address, "http://", "wants a user name and a password"),
            ("http://\(address)", "http://\(address)", "http://", "wants a user name and a password"),
            ("http://me:hunter2hunter2@\(address)", "http://\(address)", "http://", "refuses the user name and the"),
        ]
        for (given, shown, scheme, verdict) in cases {
            let input = words.contains("-n") || words[0] == "discover" ? nil : Self.token
            let result = try Program.oap(
                words, input: input?.input ?? .none, environment: ["https_proxy": given]
            ).run().expect(status: 11).expect(nowhere: "hunter2")
            #expect(result.errorText.contains("the proxy \(shown) \(verdict)"), "\(result)")
            let hint = "export https_proxy=\(scheme)USER:PASSWORD@\(address), and leave -x out"
            result.expect(errorLine: "oap: hint: \(hint)")
        }
    }

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
