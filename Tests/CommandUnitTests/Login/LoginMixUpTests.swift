import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("A login whose server names places of another server", .inProcess)
struct LoginMixUpTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// An honest server, which logs everybody in for a redirect URI with this path, or below it.
    private func honest(for path: String? = nil) throws -> Responder {
        try Responder { request in
            let uri = MCPServer.query(of: request)["redirect_uri"].flatMap { WebURL($0) }
            guard request.target.hasPrefix("/authorize?"), path == nil || uri?.path.hasPrefix(path ?? "") == true else {
                return .text("", status: 400)
            }
            return LoginHome.consent(to: request)
        }
    }

    /// A server with an API, which registers everybody, and names places of its own, or of another server.
    ///
    /// - Parameters:
    ///   - metadata: metadata that goes before its own.
    ///   - page: the `verification_uri` of its device flow; `$` stands for its address.
    private func server(_ metadata: JSONObject = [:], page: String = "") throws -> Responder {
        try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/oauth-protected-resource/mcp":
                return .json(#"{"resource":"$/mcp","authorization_servers":["$"]}"#.replacing("$", with: address))
            case "/.well-known/openid-configuration":
                var own: JSONObject = ["issuer": .string(address)]
                for (name, path) in [
                    ("authorization", "authorize"), ("token", "token"), ("registration", "register"),
                    ("device_authorization", "device"),
                ] { own["\(name)_endpoint"] = .string("\(address)/\(path)") }
                return .json(JSON.object(own.with(metadata)).text)
            case "/register":
                return .json(#"{"client_id":"public-there","token_endpoint_auth_method":"none"}"#, status: 201)
            case "/device":
                let code = #""device_code":"d","user_code":"ABCD","expires_in":60,"interval":1"#
                return .json(#"{\#(code),"verification_uri":"\#(page)"}"#.replacing("$", with: address))
            case "/token": return .json(#"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#)
            case let target where target.hasPrefix("/authorize?"):
                guard let page = metadata["redirecting"]?.string else { return LoginHome.consent(to: request) }
                return .redirect(302, to: page + target)
            default: return .text("", status: 404)
            }
        }
    }

    /// What is said where only the browser shows whose page it is.
    private func care(_ server: Responder) -> String {
        "oap: login: log in only if the browser shows a page of \(server.url()): the code goes there"
    }

    private func login(_ words: String...) throws -> ProgramResult {
        try person.oap(["login", "work", "--timeout", "5"] + words).run()
    }

    private func isUntouched(_ server: Responder) -> Bool {
        server.registrations.isEmpty && server.tokenRequests.isEmpty && server.authorizations.isEmpty
    }

    @Test("a first login by address is refused before anything is registered, and names all places")
    func refused() throws {
        let honest = try honest()
        let server = try server(["authorization_endpoint": .string(honest.url("/authorize"))])
        for words in [["--resource", server.url("/mcp")], ["--issuer", server.url()]] {
            let result = try person.oap(["login", "work", "--open", "--register"] + words).run().expect(status: 9)
            result.expect(
                errorLine: "oap: login: the login page is at \(honest.url()), the code goes to \(server.url()), and "
                    + "the issuer is \(server.url()): this may be a mix-up attack")
            #expect(result.errorText.contains("--authorization-endpoint \(honest.url("/authorize"))"), "\(result)")
        }
        try login("--open", "--resource", server.url("/mcp"), "--client-id", "c").expect(status: 9)
        #expect(isUntouched(server) && honest.requests.isEmpty)
        try person.oap(["profile", "show", "work"]).run().expect(status: 11)
    }

    @Test("a token endpoint at another origin than login page and issuer is refused likewise")
    func receiver() throws {
        let other = try honest()
        let server = try server(["token_endpoint": .string(other.url("/token"))])
        let result = try login("--open", "--register", "--issuer", server.url()).expect(status: 9)
        #expect(result.errorText.contains("the code goes to \(other.url()),"), "\(result)")
        #expect(isUntouched(server) && other.requests.isEmpty)
    }

    @Test("a server that promises to name itself in the redirect is asked, and its redirect must do so")
    func promised() throws {
        let honest = try honest()
        let server = try server([
            "authorization_endpoint": .string(honest.url("/authorize")),
            "authorization_response_iss_parameter_supported": .bool(true),
        ])
        let result = try login("--open", "--register", "--resource", server.url("/mcp")).expect(status: 9)
        #expect(result.errorText.contains("the login page is at \(honest.url()),"), "\(result)")
        #expect(honest.authorizations.count == 1 && server.tokenRequests.isEmpty)
    }

    @Test("a page that the user names is used, and so is one of an issuer and a client that the user names")
    func named() throws {
        let honest = try honest()
        let server = try server(["authorization_endpoint": .string(honest.url("/authorize"))])
        let notice =
            "oap: login: the login page is at \(honest.url()), the code goes to \(server.url()), and the "
            + "issuer is \(server.url())"
        let option = ["--authorization-endpoint", honest.url("/authorize")]
        let words = ["login", "work", "--open", "--register", "--resource", server.url("/mcp")]
        try person.oap(words + option).run().expect(status: 0).expect(errorLine: notice)
        #expect(server.tokenRequests.count == 1)
        try login("--open").expect(status: 0).expect(errorLine: notice)
        let other = ["login", "other", "--open", "--issuer", server.url(), "--client-id", "c"]
        try person.oap(other).run().expect(status: 0).expect(errorLine: notice)
        try person.oap(["login", "other", "--open"]).run().expect(status: 0).expect(errorLine: notice)
    }

    @Test("nothing is said of places that a profile names, as those of a preset, or of one origin")
    func known() throws {
        let honest = try honest()
        let server = try server(page: "https://pages.example/device")
        try person.profile(
            server,
            [
                "issuer": "https://accounts.example", "authorization_endpoint": .string(honest.url("/authorize")),
                "device_authorization_endpoint": .string(server.url("/device")),
            ])
        let result = try login("--open").expect(status: 0)
        #expect(!result.errorText.contains("the login page is"), "\(result)")
        let device = try person.oap(["login", "work", "--device"]).run().expect(status: 0)
        #expect(!device.errorText.contains("the login page is"), "\(device)")
        let words = ["login", "own", "--open", "--register", "--resource", server.url("/mcp")]
        let own = try person.oap(words).run().expect(status: 0)
        #expect(!own.errorText.contains("the login page is"), "\(own)")
    }

    @Test("a client that oap registers has a redirect path for its issuer, which no client of another server has")
    func path() throws {
        let honest = try honest(for: "/callback")
        let server = try server(["redirecting": .string(honest.url())])
        try person.oap(
            ["login", "work", "--open", "--timeout", "0.3", "--register", "--resource", server.url("/mcp")]
        ).run().expect(status: 6)
        #expect(honest.authorizations.count == 1 && server.tokenRequests.isEmpty)
        let own = try self.server()
        try person.oap(["login", "own", "--open", "--register", "--issuer", own.url()]).run().expect(status: 0)
        let paths = try [server, own].map { server in
            let uri = try #require(server.registrations.first?["redirect_uris"]?.strings?.first)
            #expect(try #require(WebURL(uri)?.port) > 0)
            return try #require(WebURL(uri)?.path)
        }
        #expect(paths[0] != paths[1] && paths.allSatisfy { $0.hasSuffix("/callback") && $0.utf8.count == 34 })
        #expect(own.authorizations.first?["redirect_uri"].flatMap { WebURL($0) }?.path == paths[1])
    }

    @Test("a client with another path goes on; the next client gets the path of the issuer, and keeps the port")
    func earlier() throws {
        let server = try server()
        let free = try Responder(.token)
        let port = free.port
        free.stop()
        let uri = "http://127.0.0.1:\(port)/callback"
        let profile: JSONObject = [
            "issuer": .string(server.url()), "redirect_uri": .string(uri), "registration_access_token": "r",
            "registration_client_uri": .string(server.url("/c")),
        ]
        try person.profile(server, profile)
        try login("--open").expect(status: 0)
        #expect(server.authorizations.last?["redirect_uri"] == uri)
        try login("--open", "--register", "--save-profile").expect(status: 0)
        let renewed = try #require(server.authorizations.last?["redirect_uri"])
        let place = "http://127.0.0.1:\(port)/"
        #expect(renewed.hasPrefix(place) && renewed.hasSuffix("/callback"))
        #expect(renewed.utf8.count == place.utf8.count + 33)
        let words = ["login", "own", "--open", "--register", "--issuer", server.url()]
        try person.oap(words + ["--redirect-uri", "http://127.0.0.1:0/callback"]).run().expect(status: 0)
        #expect(server.authorizations.last?["redirect_uri"].flatMap { WebURL($0) }?.path == "/callback")
    }

    @Test("in the device flow, the page at which the code is typed is compared, and iss is no help")
    func device() throws {
        let server = try server(
            ["authorization_response_iss_parameter_supported": .bool(true)], page: "https://good.example/device")
        let sentence =
            "the login page is at https://good.example, the device code goes to \(server.url()), and the "
            + "issuer is \(server.url())"
        let words = ["login", "work", "--device", "--register", "--resource", server.url("/mcp")]
        // The client is registered before the page is known; a second try is no more welcome.
        for _ in 1...2 {
            let result = try person.oap(words).run().expect(status: 9)
            result.expect(errorLine: "oap: login: \(sentence): this may be a mix-up attack")
            #expect(!result.errorText.contains("ABCD") && server.tokenRequests.isEmpty, "\(result)")
        }
        let other = ["login", "other", "--device", "--issuer", server.url(), "--client-id", "c"]
        try person.oap(other).run().expect(status: 0).expect(errorLine: "oap: login: \(sentence)")
        let elsewhere = try self.server(["device_authorization_endpoint": .string(server.url("/device"))])
        let third = ["login", "third", "--device", "--register", "--resource", elsewhere.url("/mcp")]
        let refused = try person.oap(third).run().expect(status: 9)
        #expect(refused.errorText.contains("the device code comes from \(server.url()),"), "\(refused)")
        let named = third + ["--device-authorization-endpoint", server.url("/device")]
        try person.oap(named).run().expect(status: 0)
    }

    @Test("at a server by address that does not promise iss, what to look for is said above the URL, each time")
    func care() throws {
        let honest = try honest()
        let server = try server(["redirecting": .string(honest.url())])
        let words = [
            ["--register", "--resource", server.url("/mcp")], ["--register", "--issuer", server.url()],
            ["--resource", server.url("/mcp"), "--client-id", "c"],
        ]
        for (number, words) in words.enumerated() {
            let login = ["login", "n\(number)", "--open"]
            let result = try person.oap(login + words).run().expect(status: 0).expect(errorLine: care(server))
            let (text, page) = (result.errorText, server.url("/authorize?"))
            let (said, shown) = (text.firstRange(of: care(server)), text.firstRange(of: page))
            #expect(try #require(said).lowerBound < #require(shown).lowerBound, "\(result)")
            try person.oap(login).run().expect(status: 0).expect(errorLine: care(server))
        }
        let own = ["login", "own", "--open", "--issuer", server.url(), "--client-id", "c"]
        #expect(try !person.oap(own).run().expect(status: 0).errorText.contains("log in only if"))
        let promising = try MCPServer().start()
        let promised = ["login", "promised", "--open", "--register", "--strict", "--resource", promising.url("/mcp")]
        #expect(try !person.oap(promised).run().expect(status: 0).errorText.contains("log in only if"))
    }

    @Test("with --strict such a login is refused before anything is registered, unless an option names the page")
    func strict() throws {
        let server = try server()
        let words = ["login", "work", "--open", "--strict", "--register", "--resource", server.url("/mcp")]
        for more in [[], ["--device"]] {
            let own = words.filter { more.isEmpty || $0 != "--open" } + more
            let result = try person.oap(own).run().expect(status: 9)
            let lack = "\(server.url()) does not promise iss (RFC 9207)"
            result.expect(
                errorLine: "oap: login: \(more.isEmpty ? lack : "a device code can come from another server"): "
                    + "this may be a mix-up attack")
            let (option, path) =
                more.isEmpty ? ("authorization", "authorize") : ("device-authorization", "device")
            result.expect(
                errorLine: "oap: hint: only if \(server.url()) is the server that you mean, name the endpoint that is "
                    + "meant: --\(option)-endpoint \(server.url("/\(path)"))")
        }
        #expect(isUntouched(server))
        try person.oap(words + ["--authorization-endpoint", server.url("/authorize")]).run().expect(status: 0)
            .expect(errorLine: care(server))
    }

    @Test("a server that takes every path below the registered one does not take that of another issuer")
    func below() throws {
        let honest = try honest(for: "/callback")
        let server = try server(["redirecting": .string(honest.url())])
        try login("--open", "--timeout", "0.3", "--register", "--issuer", server.url()).expect(status: 6)
        #expect(honest.authorizations.count == 1 && server.tokenRequests.isEmpty)
    }

    @Test("a client that is the same everywhere goes to no new server without iss, unless an option names the page")
    func everywhere() throws {
        let honest = try honest()
        let metadata: JSONObject = [
            "redirecting": .string(honest.url()), "client_id_metadata_document_supported": .bool(true),
        ]
        let (server, url) = (try server(metadata), "https://app.example/oap.json")
        for words in [
            ["--resource", server.url("/mcp"), "--client-metadata-document", url],
            ["--issuer", server.url(), "--client-metadata-document", url, "--register"],
            ["--issuer", server.url(), "--client-id", url],
        ] {
            let login = ["login", "work", "--open"] + words
            try person.oap(login).run().expect(status: 9).expect(
                errorLine: "oap: login: the client is the same at every server, and \(server.url()) does not promise "
                    + "iss (RFC 9207): this may be a mix-up attack")
        }
        #expect(isUntouched(server) && honest.requests.isEmpty)
        let named = ["login", "work", "--open", "--issuer", server.url(), "--client-id", url]
        try person.oap(named + ["--authorization-endpoint", server.url("/authorize")]).run().expect(status: 0)
            .expect(errorLine: care(server))
        // The server is in the profile from then on.
        try person.oap(["logout", "work", "--local"]).run().expect(status: 0)
        try person.oap(["login", "work", "--open"]).run().expect(status: 0).expect(errorLine: care(server))
    }

    @Test("whoever shows a device code can have it from elsewhere, which is said whatever the server promises")
    func deviceCare() throws {
        let home = try server(["authorization_response_iss_parameter_supported": .bool(true)], page: "$/type")
        let said =
            "log in only if the browser shows a page of \(home.url()): "
            + "whoever shows a code can have got it from another server"
        try person.oap(["login", "home", "--device", "--register", "--issuer", home.url()]).run().expect(status: 0)
            .expect(errorLine: "oap: login: \(said)")
        let pipe = try person.oap(["device", "-p", "home"]).run().expect(status: 0)
        pipe.expect(errorLine: "oap: device: \(said)")
        try person.oap(["device", "-p", "home", "--strict"]).run().expect(status: 9)
    }

    @Test("authurl says the same of a document that discover and register have made from an address")
    func pipe() throws {
        let server = try server()
        let said = "oap: authurl: log in only if the browser shows a page of \(server.url()): the code goes there"
        let resource = try person.oap(["discover", "--resource", server.url("/mcp")]).run().expect(status: 0).object()
        var register = person.oap(["register"])
        register.input = try person.oap(["discover", server.url()]).run().expect(status: 0).object().input
        let registered = try register.run().expect(status: 0).object().with(["client_id_issued_at": 1])
        let shared = registered.with(["client_id_issued_at": .null, "client_id": "https://app.example/oap.json"])
        for document in [resource.with(["client_id": "c"]), registered, shared.with(["redirect_uris": .null])] {
            var authurl = person.oap(["authurl"])
            authurl.input = document.input
            try authurl.run().expect(status: 0).expect(errorLine: said)
            authurl = person.oap(["authurl", "--strict"])
            authurl.input = document.input
            try authurl.run().expect(status: 9)
            let promised = document.with(["authorization_response_iss_parameter_supported": .bool(true)])
            let own = document.with([
                "client_id": "c", "resource": .null, "redirect_uris": .null, "client_id_issued_at": .null,
            ])
            for quiet in [promised, own] {
                authurl.input = quiet.input
                try authurl.run().expect(status: 0).expectSilence()
            }
        }
    }
}
