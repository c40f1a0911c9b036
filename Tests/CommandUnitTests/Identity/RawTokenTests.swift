import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A token alone on standard input", .inProcess)
struct RawTokenTests {
    @Test("introspect --raw asks about it, with the client of the options or of a profile")
    func introspect() throws {
        let server = try Responder { _ in .json(#"{"active":true}"#) }
        let options = [
            "--introspection-endpoint", server.url("/i"), "--client-id", "rs", "--token-endpoint-auth-method",
        ]
        try Program.oap(["introspect", "-n", "--raw"] + options + ["none"], input: .text("opaque\n")).run()
            .expect(status: 0).expect(output: #"{"active":true}"# + "\n")
        #expect(server.requests.last?.bodyText == "token=opaque&token_type_hint=access_token&client_id=rs")
        let home = try StoreHome()
        let profile: JSONObject = ["client_id": "p", "introspection_endpoint": .string(server.url("/i"))]
        try home.oap("profile", "set", "rs", input: JSON.object(profile).text).run().expect(status: 0)
        try home.oap("introspect", "-p", "rs", "--raw", input: "other").run().expect(status: 0)
        #expect(server.requests.last?.bodyText == "token=other&token_type_hint=access_token&client_id=p")
        try home.oap("introspect", "rs", "--raw", input: "third").run().expect(status: 0)
        #expect(server.requests.last?.bodyText == "token=third&token_type_hint=access_token&client_id=p")
        try Program.oap(["introspect", "--raw"], input: .text("x")).run().expect(status: 2)
    }

    @Test("an opaque token as the operand of inspect and verify is not taken for a name alone")
    func operand() throws {
        let token = "0paqueTokenOfAServer0123"
        for result in [
            try Program.oap(["inspect", token]).run(),
            try Program.oap(["verify", "--type", "access_token", token]).run(),
        ] {
            result.expect(status: 8)
            #expect(result.errorText.contains("if it is an opaque token, only its server can say"), "\(result)")
        }
    }

    @Test("a token on standard input beside a name stays there, and the token that OAP_PROFILE names is said")
    func beside() throws {
        let server = try Responder { _ in .json(#"{"active":true}"#) }
        let home = try StoreHome()
        let token: JSONObject = [
            "access_token": "stored", "client_id": "c", "introspection_endpoint": .string(server.url("/i")),
        ]
        try home.oap("store", "put", "work", input: JSON.object(token).text).run().expect(status: 0)
        try home.oap("introspect", "-p", "work", input: "an-opaque-token").run().expect(status: 0).expectSilence()
        let line = "the token of work is meant, which OAP_PROFILE names"
        var introspect = home.oap("introspect", "--strict", input: "an-opaque-token")
        introspect.environment["OAP_PROFILE"] = "work"
        try introspect.run().expect(status: 0).expect(errorLine: "oap: introspect: \(line)")
        var verify = home.oap("verify", "--type", "access_token", input: "an-opaque-token")
        verify.environment["OAP_PROFILE"] = "work"
        try verify.run().expect(status: 9).expect(errorLine: "oap: verify: \(line)")
        verify.arguments = ["verify"]
        try verify.run().expect(status: 3).expect(errorLine: "oap: verify: \(line)")
        var inspect = home.oap("inspect", input: "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhIn0.")
        inspect.environment["OAP_PROFILE"] = "work"
        try inspect.run().expect(status: 0).expect(errorLine: "oap: inspect: \(line)")
        verify.arguments += ["--token-file", "-"]
        #expect(try !verify.run().errorText.contains(line))
    }

    @Test("userinfo --raw asks with it")
    func userinfo() throws {
        let server = try Responder { _ in .json(#"{"sub":"7"}"#) }
        let words = ["userinfo", "-n", "--raw", "--userinfo-endpoint", server.url("/u")]
        try Program.oap(words, input: .text("bare\n")).run().expect(status: 0).expect(output: #"{"sub":"7"}"# + "\n")
        #expect(server.requests.last?.headers.first("Authorization") == "Bearer bare")
        try Program.oap(words, input: .text("two\nlines\n")).run().expect(status: 3).expect(nowhere: "Bearer")
    }

    @Test("inspect --raw takes a JWT, and says of another token that it is opaque")
    func inspect() throws {
        let text = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhIn0."
        let result = try Program.oap(["inspect", "--raw", "--jq", ".iss", "-r"], input: .text(text + "\n")).run()
        result.expect(status: 0).expect(output: "a\n")
        let opaque = try Program.oap(["inspect", "--raw"], input: .text("xyz")).run().expect(status: 3)
        #expect(opaque.errorText.contains("the token is opaque"), "\(opaque)")
    }
}
