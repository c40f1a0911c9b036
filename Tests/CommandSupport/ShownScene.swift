import Foundation
import TestSupport
import Testing
import Wire

/// A home with a client, a login that has expired, and a server that repeats what it is sent.
struct ShownScene {
    static let verifier = "s3cret-verifier-verifier-verifier-verifier-verifier"
    let home: TemporaryDirectory
    let server: Responder

    init() throws {
        home = try TemporaryDirectory()
        server = try Responder { Self.reply(to: $0) }
        try home.write(
            JSON.object(document.with(["redirect_uri": "http://127.0.0.1:0/callback"])).text,
            to: ".config/oap/profiles/person.json")
        var put = oap(["store", "put", "work"])
        put.input = document.with(["expires_at": 1]).input
        try put.run().expect(status: 0)
    }

    /// A client, a flow and a token in one.
    private var document: JSONObject {
        var document: JSONObject = [
            "client_id": "c", "client_secret": "s3cret-client", "scope": "a", "issuer": .string(server.url()),
            "redirect_uri": "http://127.0.0.1/callback", "code": "s3cret-code", "code_verifier": .string(Self.verifier),
            "access_token": "s3cret-access", "token_type": "Bearer", "refresh_token": "s3cret-refresh",
            "initial_access_token": "s3cret-initial", "api_base": .string(server.url("/api")),
            "id_token": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.s3cretAA",
        ]
        let endpoints = [
            "token", "device_authorization", "pushed_authorization_request", "revocation", "authorization", "userinfo",
            "introspection", "registration",
        ]
        for name in endpoints { document["\(name)_endpoint"] = .string(server.url("/\(name)")) }
        document["authorization_endpoint"] = .string(server.url("/authorize"))
        return document
    }

    func oap(_ words: some Sequence<String>, _ other: JSONObject? = nil) -> Program {
        let words = words.map { $0 == "URL" ? server.url() : $0 }
        var program = Program.oap(words, environment: ["HOME": home.path, "BROWSER": LoginHome.browser])
        program.environment["ACTIONS_ID_TOKEN_REQUEST_URL"] = server.url("/identity")
        program.environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] = "s3cret-request"
        let takesDocument = [
            "authurl", "ciba", "device", "exchange", "refresh", "verify", "introspect", "revoke", "end-session",
            "register",
        ].contains(words[0])
        if takesDocument, !words.contains("-p") { program.input = (other ?? document).input }
        return program
    }

    /// The files of the home, and what is in them.
    func files() throws -> [String: Data] {
        let paths = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return paths.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: home.path($1)) ?? Data() }
    }

    private static func reply(to request: Responder.Request) -> Responder.Reply {
        let host = request.headers.first { $0.name == "Host" }?.value ?? ""
        let echo = ["X-Echo: s3cret-refresh", "Set-Cookie: sid=s3cret-cookie"]
        switch request.target.prefix(while: { $0 != "?" }) {
        case "/authorize": return LoginHome.consent(to: request, with: "code=s3cret-code")
        case "/token":
            return .json(
                #"{"access_token":"s3cret-new","token_type":"Bearer","expires_in":3600,"refresh_token":"s3cret-next","#
                    + #""note":"s3cret-new, s3cret-next"}"#, headers: echo)
        case "/device_authorization":
            return .json(
                #"{"device_code":"s3cret-device","user_code":"AB-CD","verification_uri":"https://as.example/d","#
                    + #""expires_in":60,"interval":1}"#, headers: echo)
        case "/pushed_authorization_request":
            return .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201, headers: echo)
        case "/introspection": return .json(#"{"active":true,"note":"s3cret-access"}"#, headers: echo)
        case "/userinfo": return .json(#"{"sub":"7","api_key":"s3cret-key"}"#, headers: echo)
        case "/registration":
            return .json(
                #"{"client_id":"n","client_secret":"s3cret-issued","client_secret_expires_at":0,"#
                    + #""registration_access_token":"s3cret-rat","registration_client_uri":"http://\#(host)/r","#
                    + #""redirect_uris":["http://127.0.0.1/callback"],"note":"s3cret-issued"}"#, status: 201)
        case let path where path.hasPrefix("/.well-known/"):
            return .json(
                #"{"issuer":"http://\#(host)","token_endpoint":"http://\#(host)/token","#
                    + #""jwks_uri":"http://\#(host)/jwks","end_session_endpoint":"http://\#(host)/end"}"#)
        case "/identity":
            return .json(
                #"{"value":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.s3cretAA"}"#,
                headers: ["X-Echo: s3cret-request"])
        case "/revocation": return .text("", headers: echo)
        case "/jwks": return .json(#"{"keys":[]}"#)
        default: return .text("<a><SessionToken>s3cret-xml</SessionToken></a> s3cret-new", headers: echo)
        }
    }
}
