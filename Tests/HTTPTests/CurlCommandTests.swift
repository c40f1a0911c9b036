import HTTP
import TestSupport
import Testing
import Wire

@Suite("Requests as curl command lines")
struct CurlCommandTests {
    private let token = CurlCommand.Secret(variable: "OAP_ACCESS_TOKEN", value: "2YotnFZFEjr1zCsicMWpAA")

    private func get(_ url: String, _ headers: HTTPField...) -> HTTPRequest {
        HTTPRequest(method: "GET", url: url, headers: headers)
    }

    @Test("a curl line does not say again what curl accepts by itself")
    func defaultAccept() {
        #expect(
            CurlCommand(get("https://api.example/", HTTPField("Accept", "*/*"))).text == "curl https://api.example/")
        #expect(CurlCommand(get("https://api.example/")).text == "curl -H Accept: https://api.example/")
    }

    @Test("the access token is a variable in double quotes")
    func bearer() {
        let request = get("https://api.example/a?b=c", HTTPField("Authorization", "Bearer \(token.value)"))
        #expect(
            CurlCommand(request, secrets: [token]).text
                == #"curl -H "Authorization: Bearer $OAP_ACCESS_TOKEN" -H Accept: 'https://api.example/a?b=c'"#)
    }

    @Test(
        "headers and parameters that are credentials by their name are variables even when nobody named them a secret")
    func unnamedSecrets() {
        let request = get(
            "https://api.example/?api_key=k3y&x=1", HTTPField("Authorization", "Basic YTpi"),
            HTTPField("X-Api-Key", "k"), HTTPField("Cookie", "a=b"))
        #expect(
            CurlCommand(request).text == #"""
                curl -H "Authorization: Basic $OAP_SECRET_AUTHORIZATION" -H "X-Api-Key: $OAP_SECRET_X_API_KEY" \#
                -H "Cookie: $OAP_SECRET_COOKIE" -H Accept: "https://api.example/?api_key=$OAP_SECRET_API_KEY&x=1"
                """#)
    }

    @Test("a secret in another form than its own is masked, for the variable would not be right there")
    func encodedSecret() {
        let secret = CurlCommand.Secret(variable: "S", value: "a/b+c=d")
        #expect(
            CurlCommand(get("https://api.example/a%2Fb%2Bc%3Dd"), secrets: [secret]).text
                == "curl -H Accept: 'https://api.example/***'")
        let basic = Base64.encode(Array("id:a/b+c=d".utf8))
        #expect(
            !CurlCommand(get("https://api.example/", HTTPField("X-B", basic)), secrets: [secret]).text
                .contains(basic.suffix(8)))
    }

    @Test(
        "members of JSON that are credentials by their name are variables, under any label",
        arguments: ["application/json", "application/x-www-form-urlencoded", ""])
    func jsonMembers(type: String) {
        let content =
            #"{"client_id":"c", "client_secret" : "s\"1\\", "a":[{"refresh_token":"r}"},"password"],"#
            + #""pass\u0077ord":12e+3,"assertion":null,"token":{"x":"client_secret"},"id_token":"","api_key":"open"#
        let request = HTTPRequest(
            method: "POST", url: "https://api.example/",
            headers: type.isEmpty ? [] : [HTTPField("Content-Type", type)], body: Array(content.utf8))
        let shown =
            #"'{"client_id":"c", "client_secret" : "'"$OAP_SECRET_CLIENT_SECRET"'", "a":[{"refresh_token":"'"#
            + #""$OAP_SECRET_REFRESH_TOKEN"'"},"password"],"pass\u0077ord":'"$OAP_SECRET_PASSWORD"',"assertion":null,"#
            + #""token":{"x":"'"$OAP_SECRET_TOKEN"'"},"id_token":"","api_key":"'"$OAP_SECRET_API_KEY" "#
        let text = CurlCommand(request).text
        #expect(text.contains(shown), "\(text)")
    }

    @Test("the parameters of a form and the members of JSON are hidden by name, of other content the known secrets")
    func content() {
        var request = HTTPRequest(
            method: "POST", url: "https://api.example/",
            headers: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("code=abc&x=y".utf8))
        #expect(CurlCommand(request).text.hasSuffix(#"--data-raw "code=$OAP_SECRET_CODE&x=y" https://api.example/"#))
        request.headers = [HTTPField("Content-Type", "application/json")]
        request.body = Array(#"{"x":"abc","t":"\#(token.value)"}"#.utf8)
        #expect(
            CurlCommand(request, secrets: [token]).text.hasSuffix(
                #"--data-raw '{"x":"abc","t":"'"$OAP_ACCESS_TOKEN"'"}' https://api.example/"#))
    }

    @Test("credentials by their name are hidden in content of any label", arguments: ["text/plain", "text/csv", ""])
    func anyLabel(type: String) {
        for (content, shown) in [
            ("Password=hush", "\"Password=$OAP_SECRET_PASSWORD\""),
            ("a=b&passwd=hush", "\"a=b&passwd=$OAP_SECRET_PASSWD\""), ("secret=hush", "\"secret=$OAP_SECRET_SECRET\""),
            ("2fa_token=hush", "\"2fa_token=$OAP_SECRET_2FA_TOKEN\""),
            (#"{"private_key":"hush"}"#, #"'{"private_key":"'"$OAP_SECRET_PRIVATE_KEY"'"}'"#),
        ] {
            let request = HTTPRequest(
                method: "POST", url: "https://api.example/",
                headers: type.isEmpty ? [] : [HTTPField("Content-Type", type)], body: Array(content.utf8))
            let text = CurlCommand(request).text
            #expect(text.contains("--data-raw \(shown) "), "\(text)")
        }
    }

    @Test("a URL of a server chooses no variable of the user's", arguments: ["GITHUB_TOKEN", "OAP_ACCESS_TOKEN"])
    func foreignVariable(name: String) {
        #expect(
            CurlCommand(get("https://api.example/?\(name)=aaaaaaaa"), secrets: [token]).text
                == "curl -H Accept: \"https://api.example/?\(name)=$OAP_SECRET_\(name)\"")
    }

    @Test(
        "each string in the value of a member that is a credential by its name is hidden, in content and in a header",
        arguments: [
            #"{"access_token":"hush"}"#, #"{"password":["hush"]}"#, #"{"token":{"value":"hush"},"x":"shown"}"#,
            #"{"secrets":[{"a":["x","hush"]},{"b":"hush"}],"x":"shown"}"#,
            #"{"password" : [ "a\"]}" , "hush" ] ,"x":"shown"}"#,
            #"{"token":["hush"#, #"{"token":{"a":"#,
        ])
    func nestedMembers(json: String) {
        var request = get("https://api.example/", HTTPField("X-Plain", json))
        let field = CurlCommand(request).text
        request = HTTPRequest(method: "POST", url: "https://api.example/", body: Array(json.utf8))
        for text in [field, CurlCommand(request).text] {
            #expect(!text.contains("hush") && text.contains("shown") == json.contains("shown"), "\(text)")
            #expect(text.contains("OAP_SECRET_") == json.contains("hush"), "\(text)")
        }
    }

    @Test("content that is binary or long is left to standard input, that of a file to the file")
    func contentElsewhere() {
        var request = HTTPRequest(method: "PUT", url: "https://api.example/", body: [0, 1, 2])
        #expect(
            CurlCommand(request).text == "curl -X PUT -H Accept: -H Content-Type: --data-binary @- https://api.example/"
        )
        request.body = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
        #expect(CurlCommand(request).text.contains("--data-binary @- "))
        request.body = nil
        #expect(CurlCommand(request, contentFile: "a b.bin").text.contains("--data-binary '@a b.bin' "))
    }

    @Test("a variable before a letter is put in braces, and a backquote keeps the rest in single quotes")
    func quoting() {
        #expect(
            CurlCommand(get("https://api.example/\(token.value)x"), secrets: [token]).text
                == #"curl -H Accept: "https://api.example/${OAP_ACCESS_TOKEN}x""#)
        #expect(
            CurlCommand(get("https://api.example/", HTTPField("X-A", "`id`\(token.value)'$x")), secrets: [token]).text
                == #"curl -H 'X-A: `id`'"$OAP_ACCESS_TOKEN"''\''$x' -H Accept: https://api.example/"#)
    }

    @Test(
        "a shell that runs the line sends what the client would send",
        arguments: [
            HTTPRequest(method: "GET", url: "/a/../b?q={1,2}&r=[1-3]"),
            HTTPRequest(method: "HEAD", url: "/"),
            HTTPRequest(method: "DELETE", url: "/it's", headers: [HTTPField("X-Quote", #"'"\$(id)`id`!"#)]),
            HTTPRequest(method: "POST", url: "/", headers: [HTTPField("X-Empty", "")]),
            HTTPRequest(method: "POST", url: "/", body: Array("x'\u{301}; exit 1; :'\u{301}'\u{200D}'\u{FE0F}".utf8)),
            HTTPRequest(method: "POST", url: "/", body: Array("@etc\n\"it's\" $HOME\n".utf8)),
            HTTPRequest(
                method: "PATCH", url: "/?access_token=2YotnFZFEjr1zCsicMWpAA",
                headers: [
                    HTTPField("Authorization", "Bearer 2YotnFZFEjr1zCsicMWpAA"),
                    HTTPField("Content-Type", "application/json"),
                ], body: Array(#"{"a":"2YotnFZFEjr1zCsicMWpAA!"}"#.utf8)),
        ])
    func roundTrip(request: HTTPRequest) throws {
        let responder = try Responder(.text(""), .text(""))
        var request = request
        request.url = responder.url(request.url)
        var options = TransportOptions()
        options.compressed = false
        _ = try HTTPClient(options: options).send(request, maximumBody: 100)

        let command = CurlCommand(request, secrets: [token]).text
        #expect(!command.contains(token.value))
        try Program.shell(command, shell: "/bin/sh", environment: ["OAP_ACCESS_TOKEN": token.value]).run()
            .expect(status: 0)

        let requests = responder.requests
        try #require(requests.count == 2)
        let fields = requests.map { request in
            request.headers.filter { $0.name != "User-Agent" }.map { "\($0.name): \($0.value)" }.sorted()
        }
        #expect(fields[0] == fields[1])
        #expect(requests[0].method == requests[1].method && requests[0].target == requests[1].target)
        #expect(requests[0].body == requests[1].body)
    }
}
