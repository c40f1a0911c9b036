import TestSupport
import Testing
import Wire

@testable import OAuth

/// What each provider's answer becomes; the answers are those that its documentation shows.
@Suite("Answers by preset")
struct PresetAnswerTests {
    private func read(
        _ name: String, scope: String = "", status: Int = 200, type: String = "application/json", _ body: String
    ) throws -> TokenResponse {
        try read(PresetRequestTests.document(name, ["scope": .string(scope)]), status: status, type: type, body)
    }

    private func read(
        _ document: Document, status: Int = 200, type: String = "application/json", _ body: String
    ) throws -> TokenResponse {
        let grant = try Grant.scoped(.clientCredentials, document)
        let head = HTTPResponseHead(status: status, headers: [HTTPField("Content-Type", type)])
        return try TokenResponse(
            EndpointResponse(head: head, body: Array(body.utf8)), expecting: .init(grant, of: document))
    }

    @Test("GitHub: the granted scope has commas")
    func github() throws {
        let token = try read(
            "github", scope: "repo gist",
            #"{"access_token":"gho_16C7e42F292c6912E7710c838347Ae178B4a","scope":"repo,gist","token_type":"bearer"}"#)
        #expect(token.scope.values == ["repo", "gist"])
        #expect(token.warnings.isEmpty)
        let form = try read(
            "github", scope: "repo gist", type: "application/x-www-form-urlencoded; charset=utf-8",
            "access_token=gho_16C7e42F292c6912E7710c838347Ae178B4a&scope=repo%2Cgist&token_type=bearer")
        #expect(form.scope.values == ["repo", "gist"])
        let wider = try read(
            "github", scope: "repo", #"{"access_token":"gho_1","scope":"gist,repo","token_type":"bearer"}"#)
        #expect(wider.scope.values == ["gist", "repo"] && wider.warnings == [.scopeWidened(["gist"])])
    }

    @Test("GitHub: an error comes with status 200")
    func githubError() throws {
        let error = #expect(throws: OAuthError.self) {
            try read(
                "github",
                #"{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired."}"#)
        }
        #expect(error?.code == "bad_verification_code")
    }

    private static let slack = #"""
        {"ok":true,"access_token":"xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzzqgy","token_type":"bot",
        "scope":"commands,incoming-webhook","bot_user_id":"U0KRQLJ9H","app_id":"A0KRD7HC3","expires_in":43200,
        "refresh_token":"xoxe-1-bot","team":{"name":"Slack Softball Team","id":"T9TK3CUKW"},
        "enterprise":{"name":"slack-sports","id":"E12345678"},"authed_user":{"id":"U1234","scope":"chat:write",
        "access_token":"xoxp-1234","token_type":"user"}}
        """#

    @Test("bearer_token_types, scope_separator: Slack's bot token is a bearer token")
    func slack() throws {
        let token = try read("slack", scope: "commands incoming-webhook", Self.slack)
        #expect(token.accessToken == "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzzqgy")
        #expect(token.tokenType == "Bearer")
        #expect(token.scope.values == ["commands", "incoming-webhook"])
        #expect(token.expiresIn == 43_200)
        #expect(token.warnings.isEmpty)
    }

    @Test("bearer_token_types: no other type becomes one by it")
    func otherType() throws {
        for type in ["MAC", "dpop"] {
            let error = #expect(throws: OAuthError.self) {
                try read("slack", #"{"access_token":"x","token_type":"\#(type)"}"#)
            }
            #expect(error?.kind == .tokenTypeUnsupported)
        }
    }

    @Test("access_token_path: Slack's user token comes with what stands beside it, and nothing of the bot's")
    func slackUser() throws {
        let token = try read("slack-user", scope: "chat:write", Self.slack)
        #expect(token.accessToken == "xoxp-1234")
        #expect(token.tokenType == "Bearer")
        #expect(token.scope.values == ["chat:write"])
        #expect(token.refreshToken == nil)
        #expect(token.expiresIn == nil)
        #expect(token.others["id"] == .string("U1234"))
        #expect(token.others["team"] != nil)
        #expect(!JSON.object(token.others).text.contains("xox"))
        #expect(token.warnings.isEmpty)
    }

    @Test("access_token_path: an answer without that object is read as it is, as Slack answers a refresh")
    func slackRefresh() throws {
        let token = try read(
            "slack-user",
            #"""
            {"ok":true,"access_token":"xoxe.xoxp-1-new","expires_in":43200,"refresh_token":"xoxe-1-new",
            "token_type":"user","scope":"chat:write"}
            """#)
        #expect(token.accessToken == "xoxe.xoxp-1-new")
        #expect(token.refreshToken == "xoxe-1-new")
    }

    @Test("access_token_path: an object without the token is an error, not the other token")
    func noUserToken() throws {
        let error = #expect(throws: OAuthError.self) {
            try read("slack-user", #"{"ok":true,"access_token":"xoxb-1","token_type":"bot","authed_user":{"id":"U1"}}"#)
        }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.member == "access_token")
    }

    @Test("Slack: an error comes with status 200 and ok false")
    func slackError() throws {
        let error = #expect(throws: OAuthError.self) { try read("slack", #"{"ok":false,"error":"invalid_code"}"#) }
        #expect(error?.code == "invalid_code")
    }

    @Test("access_token_path: a new refresh token beside it is not lost when the answer is refused")
    func rescued() throws {
        let body = #"{"authed_user":{"access_token":"","refresh_token":"r2"},"refresh_token":"bot's"}"#
        let response = EndpointResponse(head: HTTPResponseHead(status: 200), body: Array(body.utf8))
        let shape = try AnswerShape(of: PresetRequestTests.document("slack-user"))
        #expect(response.issuedTokens(shape: shape)["refresh_token"] == .string("r2"))
    }

    @Test("access_token_path: Instagram's token is in the first element of an array, or at the top")
    func instagram() throws {
        let token = try read(
            "instagram",
            #"{"data":[{"access_token":"EAACEd","user_id":"1020","permissions":"instagram_business_basic"}]}"#)
        #expect(token.accessToken == "EAACEd")
        #expect(token.others == ["user_id": .string("1020"), "permissions": .string("instagram_business_basic")])
        #expect(try read("instagram", #"{"access_token":"EAACEd","user_id":1020}"#).accessToken == "EAACEd")
    }

    @Test("access_token_path: a member beside the token that would steer the client is dropped like any other")
    func steering() throws {
        let token = try read("slack-user", #"{"authed_user":{"access_token":"x","token_endpoint":"https://evil"}}"#)
        #expect(token.others.isEmpty)
        #expect(token.warnings.map(\.name).contains("member_dropped"))
    }

    @Test("access_token_path: a path is names with dots between them", arguments: ["", ".", "a.", ".a", "a..b"])
    func badPath(path: String) {
        for name in ["access_token_path", "error_path"] {
            let error = #expect(throws: OAuthError.self) { try AnswerShape(of: Document([name: .string(path)])) }
            #expect(error?.member == name)
        }
    }

    @Test("answer_names: Bitbucket's scopes are the scope")
    func bitbucket() throws {
        let token = try read(
            "bitbucket", scope: "repository account",
            #"""
            {"access_token":"b1","scopes":"repository account","expires_in":7200,"refresh_token":"r1",
            "token_type":"bearer","state":"authorization_code"}
            """#)
        #expect(token.scope.values == ["repository", "account"])
        #expect(token.namesScope)
        #expect(token.others["scopes"] == nil)
    }

    @Test("answer_names: Strava's expires_at and Salesforce's issued_at are passed over without a word")
    func passedOver() throws {
        let strava = try read(
            "strava",
            #"""
            {"token_type":"Bearer","expires_at":1568775134,"expires_in":20566,"refresh_token":"e5n567567",
            "access_token":"a4b945687g","athlete":{"id":1}}
            """#)
        #expect(strava.expiresIn == 20_566)
        #expect(strava.others["expires_at"] == nil)
        #expect(strava.warnings.isEmpty)
        let salesforce = try read(
            "salesforce",
            #"""
            {"access_token":"00DB0000000TfcR!AQQAQFhoK8vTMg","signature":"CMJ4l","instance_url":"https://e.my.salesforce.com",
            "id":"https://login.salesforce.com/id/00DB0000000TfcRMAS/005B0000005Bk90IAC","token_type":"Bearer",
            "issued_at":"1278448384422"}
            """#)
        #expect(salesforce.warnings.isEmpty)
        #expect(salesforce.expiresIn == nil)
        #expect(salesforce.others["instance_url"] == .string("https://e.my.salesforce.com"))
    }

    @Test("answer_names: Mailchimp's token does not expire, which is no oddity")
    func mailchimp() throws {
        let token = try read("mailchimp", #"{"access_token":"0123","expires_in":0,"scope":null}"#)
        #expect(token.expiresIn == nil)
        #expect(token.warnings == [.tokenTypeMissing])
    }

    @Test("answer_names: a member of the right name is not overwritten")
    func bothNames() throws {
        let token = try read("bitbucket", #"{"access_token":"b","token_type":"bearer","scope":"a","scopes":"b"}"#)
        #expect(token.scope.values == ["a"])
    }

    @Test(
        "answer_names: a name that is dropped or renamed makes room for another, in whichever order they are listed",
        arguments: [
            #"{"scope":null,"scopes":"scope"}"#, #"{"scopes":"scope","scope":null}"#,
            #"{"scopes":"scope","scope":"own_scope"}"#,
        ])
    func replacedName(names: String) throws {
        let shape = try AnswerShape(of: Document(["answer_names": try JSON(parsing: names)]))
        let members = shape.normalized(["scope": .string("junk"), "scopes": .string("a b")])
        #expect(members["scope"]?.string == "a b")
        #expect(members["scopes"] == nil)
        #expect(members["own_scope"]?.string == (names.contains("own_scope") ? "junk" : nil))
    }

    @Test("answer_names are names and nulls", arguments: [#"["a"]"#, #"{"a":1}"#, #""a""#])
    func badAnswerNames(names: String) throws {
        let document = Document(["answer_names": try JSON(parsing: names)])
        let error = #expect(throws: OAuthError.self) { try AnswerShape(of: document) }
        #expect(error?.member == "answer_names")
    }

    @Test("error_path: Strava's error is in its list of errors")
    func strava() throws {
        let error = #expect(throws: OAuthError.self) {
            try read(
                "strava", status: 400,
                #"""
                {"message":"Bad Request","errors":[{"resource":"AuthorizationCode","field":"code","code":"invalid"}]}
                """#)
        }
        #expect(error?.kind == .oauth)
        #expect(error?.code == "invalid")
        #expect(error?.codeDescription == "Bad Request")
    }

    @Test("error_path: a number is a code too; nothing there is no error")
    func errorPath() throws {
        let document = Document(["error_path": .string("status.code")])
        let error = #expect(throws: OAuthError.self) {
            try read(document, #"{"status":{"code":41,"message":"m"},"access_token":"x"}"#)
        }
        #expect(error?.code == "41")
        #expect(error?.codeDescription == "m")
        for body in [#"{"status":{"code":""}"#, #"{"status":{"code":null}"#, #"{"status":"code""#, #"{"x":1"#] {
            #expect(try read(document, body + #","access_token":"x"}"#).accessToken == "x")
        }
    }

    @Test("Fitbit: errors are a list, in a shape that needs no preset")
    func fitbit() throws {
        let error = #expect(throws: OAuthError.self) {
            try read(
                "fitbit", status: 400,
                #"{"errors":[{"errorType":"invalid_grant","message":"Refresh token invalid"}],"success":false}"#)
        }
        #expect(error?.code == "invalid_grant")
    }

    @Test("Twitch: the scope is an array; PayPal and Microsoft: a lifetime may be a string")
    func tolerated() throws {
        let twitch = try read(
            "twitch", scope: "channel:moderate chat:edit",
            #"""
            {"access_token":"rfx2uswqe8l4g1mkagrvg5tv0ks3","expires_in":14124,"refresh_token":"5b93",
            "scope":["channel:moderate","chat:edit"],"token_type":"bearer"}
            """#)
        #expect(twitch.scope.values == ["channel:moderate", "chat:edit"])
        #expect(
            try read("paypal", #"{"access_token":"A21","token_type":"Bearer","expires_in":"31668"}"#).expiresIn
                == 31_668)
    }

    @Test("error_path: Twitch's error is its message, beside what its status is called")
    func twitch() throws {
        for body in [
            #"{"status":400,"message":"authorization_pending"}"#,
            #"{"error":"Bad Request","status":400,"message":"authorization_pending"}"#,
        ] {
            let error = #expect(throws: OAuthError.self) { try read("twitch", status: 400, body) }
            #expect(error?.kind == .oauth && error?.code == "authorization_pending")
        }
    }

    @Test("TikTok: the granted scope has commas, and the answer's own members are kept")
    func tiktok() throws {
        let token = try read(
            "tiktok", scope: "user.info.basic video.list",
            #"""
            {"access_token":"act.example12345","expires_in":86400,"open_id":"afd97af1","refresh_expires_in":31536000,
            "refresh_token":"rft.example12345","scope":"user.info.basic,video.list","token_type":"Bearer"}
            """#)
        #expect(token.scope.values == ["user.info.basic", "video.list"])
        #expect(token.others["open_id"] == .string("afd97af1"))
        #expect(token.warnings.isEmpty)
    }
}
