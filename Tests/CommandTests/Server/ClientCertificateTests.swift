import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The client certificate")
struct ClientCertificateTests {
    @Test("the client certificate is shown to the token endpoint, and to nobody who serves keys", arguments: [0, 1])
    func keys(origin: Int) throws {
        let peer = try CertificatePeer([
            "/token": #"{"access_token":"a","token_type":"Bearer","id_token":"e30.e30."}"#, "/keys": #"{"keys":[]}"#,
        ])
        let document: JSONObject = [
            "client_id": "client", "code": "the-code", "redirect_uri": "http://127.0.0.1:1/cb", "scope": "openid",
            "issuer": "https://as.example", "token_endpoint": .string(peer.origins[0] + "/token"),
            "jwks_uri": .string(peer.origins[origin] + "/keys"),
        ]
        // The ID token is no good; what matters is who was asked before, and with which certificate.
        try Program.oap(["exchange"] + peer.options, input: document.input).run().expect(status: 9)
        #expect(try peer.requests() == ["\(origin + 1) /keys -", "1 /token client"])
    }

    @Test(
        "the client certificate is shown to a userinfo endpoint at the origin of the token endpoint, and to none elsewhere",
        arguments: [(0, "client"), (1, "-")])
    func userinfo(origin: Int, name: String) throws {
        let peer = try CertificatePeer([
            "/token": #"{"access_token":"a","token_type":"Bearer"}"#, "/userinfo": #"{"sub":"7","name":"Ada"}"#,
        ])
        let person = try LoginHome()
        let browsing = try LoginHome.server()
        defer { withExtendedLifetime(browsing) {} }
        try person.profile(
            browsing,
            [
                "token_endpoint": .string(peer.origins[0] + "/token"),
                "userinfo_endpoint": .string(peer.origins[origin] + "/userinfo"),
            ])
        let result = try person.oap(["login", "work", "--open"] + peer.options).run().expect(status: 0)
        result.expect(errorLine: "oap: login: logged in as Ada")
        #expect(try peer.requests() == ["1 /token client", "\(origin + 1) /userinfo \(name)"])
    }
}
