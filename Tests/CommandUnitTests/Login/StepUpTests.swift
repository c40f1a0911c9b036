import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("call, and login --step-up (RFC 9470)", .inProcess)
struct StepUpTests {
    /// A server whose API wants more than the first login.
    private static func server(_ challenge: String, status: Int = 401, acr: String? = nil) throws -> Responder {
        try Responder { request in
            switch request.target {
            case "/api":
                return .text("", status: status, headers: ["WWW-Authenticate: Bearer \(challenge)"])
            case let target where target.hasPrefix("/authorize?"): return LoginHome.consent(to: request)
            default:
                let claims = SignedToken.claims.with(["nonce": .null, "acr": acr.map { .string($0) } ?? .null])
                    .members.filter { !$0.value.isNull }
                let token = try? SignedToken.signed(JSONObject(unique: claims))
                return .json(
                    #"{"access_token":"at","token_type":"Bearer","scope":"a b","id_token":"\#(token ?? "")"}"#)
            }
        }
    }

    /// The parameters of the last authorization request.
    private func asked(_ server: Responder) throws -> [String: String] {
        let target = try #require(server.requests.last { $0.target.hasPrefix("/authorize?") }).target
        return try FormEncoding.parse(String(target.dropFirst("/authorize?".count))).reduce(into: [:]) {
            $0[$1.name] = $1.value
        }
    }

    private func home(_ server: Responder) throws -> LoginHome {
        let home = try LoginHome()
        try home.profile(server, ["scope": "a b", "api_base": .string(server.url("/"))])
        try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        return home
    }

    private func token(_ home: LoginHome) throws -> JSONObject {
        try home.oap(["store", "get", "work"]).run().expect(status: 0).object()
    }

    @Test("the hint is the command, which asks for what the API wanted; the new token has forgotten it")
    func stronger() throws {
        let server = try Self.server(
            #"error="insufficient_user_authentication", acr_values="gold silver", max_age="60""#)
        let home = try home(server)
        let early = try home.oap(["login", "work", "--step-up", "--open"]).run().expect(status: 2)
        #expect(early.errorText.contains("no API has asked for another login"), "\(early)")
        let refused = try home.oap(["call", "work", "/api"]).run().expect(status: 7)
        refused.expect(
            errorLine: "oap: hint: the API requires a stronger or more recent login: oap login work --step-up")
        let wish: JSONObject = ["acr_values": "gold silver", "max_age": 60, "api": .string(server.url())]
        #expect(try token(home)["step_up"] == .object(wish))
        try home.oap(["login", "work", "--step-up", "--open"]).run().expect(status: 0).expect(
            errorLine: "oap: login: \(server.url()) asks for acr_values gold silver, max_age 60")
        let request = try asked(server)
        #expect(request["acr_values"] == "gold silver" && request["max_age"] == "60" && request["scope"] == "a b")
        #expect(try token(home)["step_up"] == nil)
        // The profile does not ask for it ever after.
        try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(try asked(server)["acr_values"] == nil)
    }

    @Test("a scope that an API wants is added to the one of the token, in a batch too")
    func scope() throws {
        let server = try Self.server(#"error="insufficient_scope", scope="c""#, status: 403)
        let home = try home(server)
        var batch = home.oap(["call", "work", "--batch"])
        batch.input = .text("{\"url\":\"/api\"}\n{\"url\":\"/api\"}\n")
        _ = try batch.run()
        try home.oap(["login", "work", "--step-up", "--open"]).run().expect(status: 0).expect(
            errorLine: "oap: login: \(server.url()) asks for scope c (this login: a b c)")
        #expect(try asked(server)["scope"] == "a b c")
    }

    @Test(
        "what the profile or an option demands is not lowered by an API",
        arguments: [
            (["acr_values": "high", "max_age": 300], [], "high low", "300"),
            (["max_age": 300], [], "low", "300"), (["acr_values": "low high"], [], "low high", "9999"),
            (["authorization_params": .object(["acr_values": "high", "max_age": "300"])], [], "high low", "300"),
            (["max_age": "10000"], [], "low", "9999"),
            (["default_acr_values": .strings(["high"]), "default_max_age": 60], [], "high low", "60"),
            (["acr_values": "high"], ["--acr-values", "gold", "--max-age", "5"], "gold", "5"),
        ] as [(JSONObject, [String], String, String)])
    func lowered(members: JSONObject, options: [String], contexts: String, age: String) throws {
        let server = try Self.server(
            #"error="insufficient_user_authentication", acr_values="low", max_age="9999""#)
        let home = try LoginHome()
        try home.profile(server, members.with(["api_base": .string(server.url("/"))]))
        try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        try home.oap(["call", "work", "/api"]).run().expect(status: 7)
        let said = { (name: String, value: String, sent: String) in
            "\(name) \(value)" + (value == sent ? "" : " (this login: \(sent))")
        }
        try home.oap(["login", "work", "--step-up", "--open"] + options).run().expect(status: 0).expect(
            errorLine: "oap: login: \(server.url()) asks for \(said("acr_values", "low", contexts)), "
                + said("max_age", "9999", age))
        #expect(try asked(server)["acr_values"] == contexts && asked(server)["max_age"] == age)
    }

    @Test(
        "claims that an API wants are asked for beside those of the profile, which stay, and not beside an option",
        arguments: [
            ([:], [], #"{"access_token":{"a":{"value":"low"},"b":null}}"#),
            (
                ["claims": .object(["access_token": .object(["a": .object(["value": "high"]), "c": .null])])], [],
                #"{"access_token":{"a":{"value":"high"},"c":null,"b":null}}"#
            ),
            (
                ["claims": .object(["access_token": .object(["a": .null])])], [],
                #"{"access_token":{"a":{"value":"low"},"b":null}}"#
            ),
            (
                ["authorization_params": .object(["claims": #"{"userinfo":{"a":null}}"#])], [],
                #"{"userinfo":{"a":null},"access_token":{"a":{"value":"low"},"b":null}}"#
            ),
            ([:], ["--claims", #"{"userinfo":{}}"#], #"{"userinfo":{}}"#),
        ] as [(JSONObject, [String], String)])
    func claims(members: JSONObject, options: [String], claims: String) throws {
        let wanted = #"{"access_token":{"a":{"value":"low"},"b":null}}"#
        let server = try Self.server(
            "error=\"insufficient_claims\", claims=\"\(Base64.encodeURL(Array(wanted.utf8)))\"")
        let home = try LoginHome()
        try home.profile(server, members.with(["api_base": .string(server.url("/"))]))
        try home.oap(["login", "work", "--open"]).run().expect(status: 0)
        try home.oap(["call", "work", "/api"]).run().expect(status: 7)
        try home.oap(["login", "work", "--step-up", "--open"] + options).run().expect(status: 0).expect(
            errorLine: "oap: login: \(server.url()) asks for claims \(wanted)")
        #expect(try asked(server)["claims"] == claims)
    }

    @Test("another API is not believed, nor is a value that is no list of words")
    func disbelieved() throws {
        let server = try Self.server(#"error="insufficient_user_authentication", acr_values="a;b$(x)""#)
        let home = try home(server)
        try home.oap(["call", "work", "/api"]).run().expect(status: 7)
        #expect(try token(home)["step_up"] == nil)
        let other = try Self.server(#"error="insufficient_user_authentication", acr_values="low""#)
        try home.oap(["call", "work", other.url("/api"), "--allow-origin", other.url()]).run().expect(status: 7)
        #expect(try token(home)["step_up"] == nil)
    }

    @Test("what an API asks that the login does not name is not kept: the hint has it in the options")
    func elsewhere() throws {
        let home = try home(try Self.server("", acr: "gold"))
        let other = try Self.server(
            #"error="insufficient_user_authentication", acr_values="gold silver", max_age="60""#)
        let refused = try home.oap(["call", "work", other.url("/api"), "--allow-origin", other.url()]).run()
        refused.expect(status: 7).expect(
            errorLine: "oap: hint: the API requires a stronger or more recent login: oap login work "
                + "--acr-values 'gold silver' --max-age 60")
        #expect(try token(home)["step_up"] == nil)
    }
}
