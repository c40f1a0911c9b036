import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("Where the metadata of an issuer sends a login")
struct LoginPlacesTests {
    private static let server: JSONObject = [
        "issuer": "https://as.example", "authorization_endpoint": "https://as.example/a",
        "token_endpoint": "https://as.example/t", "backchannel_authentication_endpoint": "https://as.example/b",
        "device_authorization_endpoint": "https://as.example/d",
    ]

    private static let care = "log in only if the browser shows a page of https://as.example: the code goes there"

    private static let confirm =
        "confirm only a login of https://as.example: whoever passes on a request can have got it from another server"
    private static let promise = "authorization_response_iss_parameter_supported"

    /// What a document says beside the endpoints, and the line of its login.
    struct Case {
        var more: JSONObject = [:]
        let code: LoginWay.Code
        let line: String?
    }

    private func places(
        _ more: JSONObject = [:], for code: LoginWay.Code = .redirect, hasCertificate: Bool = false,
        besides known: JSONObject = [:], _ choice: LoginPlaces.Choice = .init(isByAddress: true)
    ) throws -> LoginPlaces? {
        var (document, before) = (Document(Self.server.with(more)), Document(known))
        (document.hasCertificate, before.hasCertificate) = (hasCertificate, hasCertificate)
        return try LoginPlaces(of: document, besides: before, for: code, choice)
    }

    private static let aliases: JSONObject = [
        "mtls_endpoint_aliases": .object(["token_endpoint": "https://evil.example/t"])
    ]

    @Test("with a certificate, the code goes to the alias of the token endpoint, which is what is said and refused")
    func alias() throws {
        let sentence =
            "the login page is at https://as.example, the code goes to https://evil.example, and the issuer is "
            + "https://as.example"
        #expect(try places(Self.aliases, hasCertificate: true)?.notice == sentence)
        #expect(try places(Self.aliases)?.notice?.hasPrefix("log in only if") == true)
        // A person has named the endpoints, and metadata brings the alias.
        #expect(try places(Self.aliases, hasCertificate: true, besides: Self.server)?.notice == sentence)
        #expect(try places(Self.aliases, besides: Self.server) == nil)
        let first = LoginPlaces.Choice(isByAddress: false, isFirst: true)
        let error = #expect(throws: Failure.self) {
            try places(Self.aliases, hasCertificate: true, first)?.check(isStrict: false)
        }
        #expect(error?.exit == .insecure && error?.message.hasPrefix(sentence) == true)
        try places(Self.aliases, first)?.check(isStrict: false)
    }

    @Test(
        "only what the redirect proves makes the line needless, and nothing does where none is redirected",
        arguments: [
            Case(code: .redirect, line: care), Case(code: .paste, line: care),
            Case(more: [promise: .bool(true)], code: .redirect, line: nil),
            Case(more: [promise: .bool(false)], code: .redirect, line: care),
            Case(more: ["response_mode": "query.jwt"], code: .paste, line: nil),
            Case(more: ["profile": "fapi2"], code: .redirect, line: nil),
            Case(more: ["issuer": .null], code: .redirect, line: care),
            Case(more: [promise: .bool(true)], code: .backchannel, line: confirm),
            // The page of a device flow is not known yet.
            Case(code: .device, line: nil),
        ])
    func proof(_ proof: Case) throws {
        let (more, code, line) = (proof.more, proof.code, proof.line)
        #expect(try places(more, for: code)?.notice == line)
        #expect(try places(more, for: code, .init(isByAddress: false))?.notice == nil)
        guard code != .device else { return }
        let check = { try places(more, for: code)?.check(isStrict: true) }
        if line == nil { try check() } else { #expect(throws: Failure.self) { try check() } }
        try places(more, for: code)?.check(isStrict: false)
    }
}
