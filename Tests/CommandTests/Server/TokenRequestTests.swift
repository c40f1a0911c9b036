import TestSupport
import Testing
import Wire

@Suite("The request to the token endpoint, as a process")
struct TokenRequestTests {
    @Test("a message names the endpoint that failed, its role and its place")
    func place() throws {
        let keys = ["scope": "openid", "issuer": "https://as.example"] as JSONObject
        let responder = try Responder { request in .text("no", status: request.target.hasPrefix("/keys") ? 404 : 503) }
        let flow = responder.flow.with(keys).with(["jwks_uri": .string(responder.url("/keys?secret=x"))])
        try Program.oap(["exchange"], input: flow.input).run().expect(status: 10).expect(
            errorLine: "oap: exchange: the jwks_uri \(responder.url("/keys")) answered 404")
        try Program.oap(["exchange"], input: responder.flow.input).run().expect(status: 12)
            .expect(errorLine: "oap: exchange: the token endpoint \(responder.url("/token")) answered 503: no")
            .expect(errorLine: "oap: hint: the code may be used up; begin again with oap authurl")
        let missing = try Responder(.text("no", status: 404))
        try Program.oap(["exchange"], input: missing.flow.input).run().expect(status: 10)
            .expect(errorLine: "oap: hint: check whether the URL of the endpoint is right")
        responder.stop()
        for (document, place) in [
            (flow, "the jwks_uri \(responder.url("/keys"))"),
            (responder.flow, "the token endpoint \(responder.url("/token"))"),
        ] {
            try Program.oap(["exchange"], input: document.input).run().expect(status: 6).expect(
                errorLine: "oap: exchange: \(place): connection to 127.0.0.1 port \(responder.port) refused")
        }
    }
}
