import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// The client modules of the OpenID Foundation's conformance suite for FAPI 2.0 Final, by name: the 24 of the Security
/// Profile, and the 8 that Message Signing adds. The suite itself needs a network; ``FAPIServer`` does what its modules do.
@Suite("FAPI 2.0 client modules", .inProcess)
struct FAPIModuleTests {
    /// What the client must do.
    enum Verdict: Sendable {
        /// Get the token, and use it at the API.
        case succeeds
        /// Stop after the metadata.
        case stopsAtDiscovery
        /// Stop before the token request.
        case stopsAtResponse
        /// Stop after the token response: no userinfo, no API.
        case stopsAtToken
    }

    struct Module: Sendable, CustomTestStringConvertible {
        let name: String
        let verdict: Verdict
        var isSigned = false
        /// Whether only tokens that are bound to a key have it.
        var isOfKeys = false
        let fault: @Sendable (inout FAPIServer.Fault) -> Void

        init(
            _ name: String, _ verdict: Verdict, isSigned: Bool = false, isOfKeys: Bool = false,
            _ fault: @escaping @Sendable (inout FAPIServer.Fault) -> Void = { _ in }
        ) {
            (self.name, self.verdict, self.fault) = (name, verdict, fault)
            (self.isSigned, self.isOfKeys) = (isSigned, isOfKeys)
        }

        var testDescription: String { name }
    }

    private static let past = JSON.integer(Int(Date().timeIntervalSince1970) - 360)

    static let modules: [Module] = [
        Module("client-test-happy-path", .succeeds),
        Module("client-test-discovery-issuer-mismatch", .stopsAtDiscovery) { $0.metadata = ["issuer": "+1"] },
        Module("client-test-invalid-iss", .stopsAtToken) { $0.idToken = ["iss": "+1"] },
        Module("client-test-invalid-aud", .stopsAtToken) { $0.idToken = ["aud": "+1"] },
        Module("client-test-invalid-secondary-aud", .stopsAtToken) { $0.idToken = ["aud": .strings(["c", "c1"])] },
        Module("client-test-invalid-null-alg", .stopsAtToken) { $0.idTokenAlgorithm = "none" },
        Module("client-test-invalid-alternate-alg", .stopsAtToken) { $0.idTokenAlgorithm = "RS256" },
        Module("client-test-invalid-expired-exp", .stopsAtToken) { $0.idToken = ["exp": past] },
        Module("client-test-invalid-missing-exp", .stopsAtToken) { $0.idToken = ["exp": .null] },
        Module("client-test-invalid-missing-aud", .stopsAtToken) { $0.idToken = ["aud": .null] },
        Module("client-test-invalid-missing-iss", .stopsAtToken) { $0.idToken = ["iss": .null] },
        Module("client-test-valid-aud-as-array", .succeeds) { $0.idToken = ["aud": .strings(["c"])] },
        Module("client-test-invalid-nonce", .stopsAtToken) { $0.idToken = ["nonce": "+1"] },
        Module("client-test-invalid-missing-nonce", .stopsAtToken) { $0.idToken = ["nonce": .null] },
        Module("client-test-invalid-authorization-response-iss", .stopsAtResponse) { $0.response = ["iss": "+1"] },
        Module("client-test-remove-authorization-response-iss", .stopsAtResponse) { $0.response = ["iss": .null] },
        Module("client-test-ensure-authorization-response-with-invalid-state-fails", .stopsAtResponse) {
            $0.response = ["state": "+1"]
        },
        Module("client-test-ensure-authorization-response-with-invalid-missing-state-fails", .stopsAtResponse) {
            $0.response = ["state": .null]
        },
        Module("client-test-token-endpoint-response-without-expires_in", .succeeds) {
            $0.tokens = ["expires_in": .null]
        },
        Module("client-test-token-type-case-insensitivity", .succeeds) { $0.invertsTokenType = true },
        Module("client-test-rs-dpop-auth-scheme-case-insensitivity", .succeeds, isOfKeys: true) { $0.scheme = "dPoP" },
        Module("client-test-happy-path-no-dpop-nonce", .succeeds, isOfKeys: true) { $0.wantsNonce = false },
        Module("client-refresh-token-test", .succeeds) { $0.renewals = 2 },
        // Message Signing
        Module("client-test-ensure-jarm-without-iss-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["iss": .null]
        },
        Module("client-test-ensure-jarm-with-invalid-iss-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["iss": "+1"]
        },
        Module("client-test-ensure-jarm-without-aud-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["aud": .null]
        },
        Module("client-test-ensure-jarm-with-invalid-aud-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["aud": "+1"]
        },
        Module("client-test-ensure-jarm-without-exp-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["exp": .null]
        },
        Module("client-test-ensure-jarm-with-expired-exp-fails", .stopsAtResponse, isSigned: true) {
            $0.response = ["exp": past]
        },
        Module("client-test-ensure-jarm-with-invalid-sig-fails", .stopsAtResponse, isSigned: true) {
            $0.breaksSignature = true
        },
        Module("client-test-ensure-jarm-signature-is-not-none", .stopsAtResponse, isSigned: true) {
            $0.responseAlgorithm = "none"
        },
    ]

    /// A later module of the suite: the endpoints of the metadata themselves want the certificate.
    static let withoutAliases = Module("client-test-happy-path-no-mtls-endpoint-aliases", .succeeds) {
        $0.hasAliases = false
    }

    /// The one module of the 32 that no client of plain FAPI runs: it is about a claim of Open Banking UK.
    static let elsewhere = ["client-test-invalid-openbanking-intent-id"]

    @Test("every module of the suite is here, or is not one of plain FAPI")
    func complete() {
        #expect(Self.modules.count { !$0.isSigned } + Self.elsewhere.count == 24)
        #expect(Self.modules.count(where: \.isSigned) == 8 && Set(Self.modules.map(\.name)).count == 31)
    }

    @Test("FAPI 2.0 Security Profile Final, by name: fapi2-security-profile-final-", arguments: modules)
    func plain(module: Module) throws { try run(module, ["--response-mode", module.isSigned ? "jwt" : "query"]) }

    @Test(
        "FAPI 2.0 Message Signing Final, with signed requests and responses: fapi2-security-profile-final-",
        arguments: modules.filter { !$0.name.contains("authorization-response-iss") })
    func signed(module: Module) throws { try run(module, ["--response-mode", "jwt", "--jar"]) }

    @Test(
        "the same where the client has a certificate, and tokens are bound to it (RFC 8705): mtls, mtls",
        arguments: modules.filter { !$0.isOfKeys } + [withoutAliases])
    func certificates(module: Module) throws {
        try run(module, ["--response-mode", module.isSigned ? "jwt" : "query"], as: .certificates)
    }

    static let mixedRuns: [(FAPIVariant, Module)] = FAPIVariant.mixed.flatMap { variant in
        (modules.filter { $0.verdict == .succeeds } + [withoutAliases])
            .filter { variant.binding == .key || !$0.isOfKeys }.map { (variant, $0) }
    }

    @Test("the same where only the client, or only the token, is one of the certificate", arguments: mixedRuns)
    func mixed(variant: FAPIVariant, module: Module) throws {
        try run(module, ["--response-mode", "query"], as: variant)
    }

    @Test("requests are signed with a key, also by a client that is known by its certificate")
    func signedWithCertificate() throws {
        try run(Self.modules[0], ["--response-mode", "jwt", "--jar"], as: .certificates)
    }

    @Test("a login warns where the metadata does not say that the server checks PKCE, and --strict refuses it")
    func challengesUnlisted() throws {
        let warning = "the server's metadata does not offer PKCE with S256 (FAPI 2.0, section 5.3.2.2)"
        for isListed in [false, true] {
            var fault = FAPIServer.Fault()
            if !isListed { fault.metadata = ["code_challenge_methods_supported": .null] }
            let server = try FAPIServer(fault)
            let home = try LoginHome()
            let key = home.home.path("key")
            try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
            let login = [
                "login", "work", "--fapi2", "--issuer", server.issuer, "--client-id", "c", "--scope", "openid",
                "--client-key-file", key, "--timeout", "2", "--open",
            ]
            if !isListed {
                try home.oap(login + ["--strict"]).run().expect(status: 10).expect(
                    errorLine: "oap: login: \(warning)")
            }
            let result = try home.oap(login).run().expect(status: 0)
            #expect(result.errorText.contains("oap: login: warning: \(warning)\n") != isListed, "\(result)")
        }
    }

    private func run(_ module: Module, _ options: [String], as variant: FAPIVariant = .keys) throws {
        var fault = FAPIServer.Fault()
        module.fault(&fault)
        let server = try FAPIServer(fault, variant)
        let home = try LoginHome()
        var login = [
            "login", "work", "--fapi2", "--issuer", server.issuer, "--client-id", "c", "--scope", "openid accounts",
            "--api-base", server.api, "--token-endpoint-auth-method", variant.method, "--timeout", "2", "--open",
        ]
        if variant.authentication == .key || options.contains("--jar") {
            let key = home.home.path("key")
            try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
            login += ["--client-key-file", key]
        }
        if variant.binding == .certificate {
            try home.home.write(#"{"tls_client_certificate_bound_access_tokens":true}"#, to: LoginHome.profile)
        }
        let result = try home.oap(login + server.options + options).run()
        if module.verdict == .succeeds {
            result.expect(status: 0)
            for _ in 0..<fault.renewals { _ = try home.oap(["call", "work", "/accounts"]).run() }
            try home.oap(["call", "work", "/accounts"]).run().expect(status: 0)
            #expect(server.served > 0)
        } else {
            #expect(result.ending != .status(0), "\(result)")
            try home.oap(["token", "work"]).run().expect(status: 8)
        }
        let asked = Set(server.requests.map(\.path))
        switch module.verdict {
        case .succeeds: break
        case .stopsAtDiscovery: #expect(asked.isDisjoint(with: ["/par", "/authorize", "/token"]))
        case .stopsAtResponse: #expect(asked.contains("/authorize") && !asked.contains("/token"))
        case .stopsAtToken: #expect(asked.contains("/token") && asked.isDisjoint(with: ["/accounts", "/userinfo"]))
        }
        #expect(server.complaint == nil, "\(result)")
    }
}
