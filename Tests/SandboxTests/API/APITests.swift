import Sandbox
import Testing
import Wire

@Suite("The API") struct APITests {
    @Test(
        "the sandbox's API challenges a request without a token, with nothing said of an error",
        arguments: ["/user", "/user/repos", "/gists/starred", "/echo", "/status/200", "/events", "/userinfo"])
    func noToken(path: String) throws {
        let response = try Scene().get(path)
        let challenge = try response.challenge()
        #expect(response.status == 401 && challenge.scheme == "bearer" && challenge["error"] == nil)
    }

    @Test("the sandbox's API refuses a token that is unknown, expired or revoked with invalid_token")
    func invalidToken() throws {
        let scene = try Scene { $0.accessTokenLifetime = 2 }
        let token = try scene.accessToken()
        scene.now += 1
        #expect(scene.call("/user", token).status == 200)
        scene.now += 1
        for token in [token, "access_x"] {
            let response = scene.call("/user", token)
            #expect(response.status == 401)
            #expect(try response.challenge()["error"] == "invalid_token")
        }
    }

    @Test("the API takes the scheme token of GitHub, a status 401 has a challenge, and userinfo takes a form")
    func otherWays() throws {
        let scene = try Scene()
        let token = try scene.login().text("access_token")
        #expect(scene.send("GET", "/user", headers: [HTTPField("Authorization", "token \(token)")]).status == 200)
        #expect(try scene.call("/status/401", token).challenge()["error"] == "invalid_token")
        #expect(scene.post("/userinfo", ["access_token": token]).status == 200)
        #expect(scene.post("/echo", ["access_token": token]).status == 401)
    }

    @Test("a list with cursors is whole, in pages that the cursors lead through, and takes no other cursor")
    func cursors() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        var (ids, cursors): ([String], [String?]) = ([], [])
        var page = try scene.call("/notifications", token).object()
        while true {
            ids += page["notifications"]?.array?.compactMap { $0.object?["id"]?.string } ?? []
            cursors.append(page["next_cursor"]?.string)
            guard let cursor = page["next_cursor"]?.string else { break }
            page = try scene.call("/notifications", token, ["cursor": cursor]).object()
        }
        #expect(ids == (1...55).map(String.init) && cursors.count == 3 && page["next_cursor"] == .null)
        for cursor in ["x", "55", Base64.encodeURL(Array("55".utf8))] {
            #expect(scene.call("/notifications", token, ["cursor": cursor]).status == 400)
        }
    }

    @Test("the sandbox's API refuses a token without the scope with 403 and names it")
    func insufficientScope() throws {
        let scene = try Scene()
        let token = try scene.accessToken(scope: "user")
        for (path, scope) in [("/user/repos", "repo"), ("/gists/starred", "gist"), ("/userinfo", "openid")] {
            let response = scene.call(path, token)
            let challenge = try response.challenge()
            #expect(response.status == 403)
            #expect(challenge["error"] == "insufficient_scope" && challenge["scope"] == scope)
        }
    }

    @Test("the sandbox's API refuses a token in the URL, two of them, and other schemes")
    func invalidRequest() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        let field = HTTPField("Authorization", "Bearer \(token)")
        #expect(scene.call("/user", token, ["access_token": token]).status == 400)
        #expect(try scene.get("/user", headers: [field, field]).challenge()["error"] == "invalid_request")
        #expect(scene.get("/user", headers: [HTTPField("Authorization", "Basic \(token)")]).status == 401)
        #expect(scene.get("/user", headers: [HTTPField("authorization", "BEARER \(token)")]).status == 200)
    }

    @Test("userinfo speaks of the person as far as the scope goes, and of nobody to a client alone")
    func userinfo() throws {
        let scene = try Scene()
        let claims = try scene.call("/userinfo", scene.login().text("access_token")).object()
        #expect(claims.members.map(\.name) == ["sub", "email", "email_verified"])
        let all = try scene.login(["scope": "openid profile"]).text("access_token")
        #expect(try scene.call("/userinfo", all).object()["preferred_username"] == .string("ada"))
        let alone = scene.call("/userinfo", try scene.accessToken())
        #expect(alone.status == 403)
    }

    @Test(
        "the sandbox's API lists every repository once, page by page, as Link leads",
        arguments: [nil, "1000", "100", "7", "0", "x"])
    func paging(size: String?) throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        var query = Form(dictionaryLiteral: ("per_page", size), ("sort", "name")).text
        var names: [String] = []
        var pages = 0
        while true {
            let authorization = HTTPField("Authorization", "Bearer \(token)")
            let response = scene.send("GET", "/user/repos", query: query, headers: [authorization])
            names += try response.array().compactMap { $0.object?["full_name"]?.string }
            pages += 1
            let link = response.header("Link") ?? ""
            guard let next = link.firstMatch(of: /<([^>]*)\?([^>]*)>; rel="next"/) else { break }
            #expect(next.1 == Scene.issuer + "/user/repos")
            query = String(next.2)
        }
        let expected = [nil: 11, "1000": 4, "100": 4, "7": 46, "0": 11, "x": 11][size]
        #expect(pages == expected)
        #expect(names.count == 321 && Set(names).count == 321)
        #expect(query.contains("sort=name"))
    }

    @Test("the sandbox's API leads back from the last page, and shows an empty one beyond")
    func lastPage() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        let last = scene.call("/user/repos", token, ["per_page": "100", "page": "4"])
        #expect(try last.array().count == 21)
        #expect(
            last.header("Link") == """
                <\(Scene.issuer)/user/repos?per_page=100&page=3>; rel="prev", \
                <\(Scene.issuer)/user/repos?per_page=100&page=1>; rel="first"
                """)
        #expect(try scene.call("/user/repos", token, ["page": "999999999"]).array().isEmpty)
        #expect(scene.call("/gists/starred", token).status == 403)
        #expect(try scene.call("/gists/starred", scene.accessToken(scope: "gist")).array().count == 30)
    }

    @Test("the sandbox's API has public gists for those who have no token, and no other resource")
    func publicGists() throws {
        let scene = try Scene()
        let gists = scene.send("GET", "/gists/public", query: "per_page=100")
        #expect(try gists.status == 200 && gists.array().count == 60)
        for path in ["/user", "/user/repos", "/gists/starred", "/events"] {
            #expect(scene.send("GET", path).status == 401, "\(path)")
        }
    }

    @Test(
        "the sandbox's API takes numbers of any length, and leads back from beyond the end",
        arguments: ["5", "0000000000005", "9999999999", "9223372036854775807", "100000000000000000000000000000000"])
    func beyondTheEnd(page: String) throws {
        let scene = try Scene()
        let beyond = scene.call("/user/repos", try scene.accessToken(), ["per_page": "9999999999", "page": page])
        #expect(try beyond.array().isEmpty)
        #expect(
            beyond.header("Link") == """
                <\(Scene.issuer)/user/repos?per_page=9999999999&page=4>; rel="prev", \
                <\(Scene.issuer)/user/repos?per_page=9999999999&page=1>; rel="first"
                """)
    }

    @Test("a repository has what the well-known listing has, and is the same each time")
    func repository() throws {
        let scenes = [try Scene(), try Scene()]
        let listings = try scenes.map { try $0.call("/user/repos", $0.accessToken()).array() }
        #expect(listings[0] == listings[1])
        let repository = try #require(listings[0].first?.object)
        for name in ["id", "name", "full_name", "private", "owner", "html_url", "fork", "stargazers_count", "language"]
        {
            #expect(repository[name] != nil, "\(name)")
        }
    }

    @Test("echo tells the request, its credentials masked, whatever the method")
    func echo() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        let headers = [
            HTTPField("Authorization", "Bearer \(token)"), HTTPField("X-A", "1"), HTTPField("x-a", "2"),
        ]
        let response = scene.send("DELETE", "/echo", query: "a=b+c", headers: headers, body: Array(#"{"x":1}"#.utf8))
        #expect(!response.text.contains(token))
        let echo = try response.object()
        #expect(echo["method"] == .string("DELETE") && echo["query"] == .object(["a": .string("b c")]))
        #expect(
            echo["headers"] == .object(["authorization": .string("Bearer ***"), "x-a": .string("1, 2")]))
        #expect(echo["body"] == .string(#"{"x":1}"#) && echo["json"] == .object(["x": .number("1")]))
        let binary = try scene.send("POST", "/echo", headers: headers, body: [0xFF, 0]).object()
        #expect(binary["body_base64"] == .string("/wA=") && binary["body"] == nil)
    }

    @Test("the sandbox's API takes names that are repeated and values that are empty, which echo tells")
    func repeatedParameters() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        let echo = try scene.call("/echo", token, ["a": "1", "b": "", "a": "2", "a": "1"]).object()
        #expect(
            echo["query"] == .object(["a": .array([.string("1"), .string("2"), .string("1")]), "b": .string("")]))
        let list = scene.call("/user/repos", token, ["type": "all", "type": "owner", "per_page": "7"])
        #expect(try list.array().count == 7)
        #expect(try #require(list.header("Link")).contains("?type=all&type=owner&per_page=7&page=2>"))
        #expect(scene.call("/events", token, ["a": "1", "a": "2"]).status == 200)
        #expect(scene.call("/userinfo", try scene.login().text("access_token"), ["a": "1", "a": "2"]).status == 200)
        for first in [token, ""] {
            let parameters: Form = ["access_token": first, "access_token": token]
            #expect(scene.call("/echo", token, parameters).error == "invalid_request")
        }
        let twice: Form = ["state": "a", "state": "b"]
        let asked = scene.get("/authorize", Form(pairs: Scene.authorization.pairs + twice.pairs))
        #expect(asked.status == 400, "an endpoint of OAuth takes a parameter once")
    }

    @Test("status, delay and bytes do as they are told")
    func told() throws {
        let scene = try Scene()
        let token = try scene.accessToken()
        for status in [200, 204, 304, 404, 418, 503] {
            let response = scene.call("/status/\(status)", token, method: "POST")
            #expect(response.status == status)
            #expect(response.text.isEmpty == [204, 304].contains(status))
        }
        let slow = scene.call("/delay/1.5", token)
        #expect(slow.status == 200 && slow.delay == 1.5)
        #expect(scene.call("/bytes/1000", token).content == .filler(.init(count: 1000)))
        #expect(scene.call("/bytes/999999999", token).content == .filler(.init(count: 999_999_999)))
        #expect(scene.call("/bytes/1000", token, method: "POST").status == 405)
    }

    @Test("events have a limit a minute, and say so")
    func rateLimit() throws {
        let scene = try Scene { $0.rateLimit = 2 }
        let token = try scene.accessToken()
        scene.now = 1_800_000_010
        for remaining in ["1", "0"] {
            let response = scene.call("/events", token)
            #expect(response.status == 200 && response.header("x-ratelimit-remaining") == remaining)
            #expect(response.header("x-ratelimit-limit") == "2")
        }
        let refused = scene.call("/events", token)
        #expect(refused.status == 429 && refused.header("Retry-After") == "50")
        #expect(refused.header("x-ratelimit-reset") == "1800000060")
        scene.now += 50
        #expect(scene.call("/events", token).status == 200)
    }

    @Test("a HEAD is answered as a GET, for whoever sends it to leave the content out")
    func head() throws {
        let scene = try Scene()
        #expect(scene.call("/user", try scene.accessToken(), method: "HEAD").status == 200)
    }
}
