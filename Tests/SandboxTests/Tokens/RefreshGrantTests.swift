import JOSE
import Sandbox
import Testing
import Wire

@Suite("The refresh grant") struct RefreshGrantTests {
    @Test("the refresh grant gives a new access token and leaves the refresh token as it is")
    func refresh() throws {
        let scene = try Scene()
        let login = try scene.login()
        scene.now += 100
        let form: Form = ["grant_type": "refresh_token", "refresh_token": try login.text("refresh_token")]
        for _ in 0..<2 {
            let answer = try scene.token(form).object()
            #expect(try answer.text("access_token") != login.text("access_token"))
            #expect(answer["refresh_token"] == nil && answer["scope"] == login["scope"])
        }
    }

    @Test("the refresh grant gives an ID token of the same login, without the nonce")
    func idToken() throws {
        let scene = try Scene()
        let login = try scene.login()
        scene.now += 100
        let answer = try scene.token([
            "grant_type": "refresh_token", "refresh_token": try login.text("refresh_token"),
        ]).object()
        let (old, new) = (try login.claims("id_token"), try answer.claims("id_token"))
        for name in ["iss", "sub", "aud", "auth_time"] { #expect(new[name] == old[name]) }
        #expect(new["iat"] == .integer(scene.now) && new["nonce"] == nil && new["at_hash"] != old["at_hash"])
    }

    @Test("the refresh grant rotates: each refresh token serves once, a second use revokes the whole family")
    func rotation() throws {
        let scene = try Scene { $0.rotatesRefreshTokens = true }
        var tokens = [try scene.login()]
        for _ in 0..<3 {
            let refresh = try #require(tokens.last).text("refresh_token")
            tokens.append(try scene.token(["grant_type": "refresh_token", "refresh_token": refresh]).object())
        }
        #expect(Set(try tokens.map { try $0.text("refresh_token") }).count == 4)
        for token in tokens { #expect(scene.call("/user", try token.text("access_token")).status == 200) }
        let other = try scene.login()

        let reused = scene.token(["grant_type": "refresh_token", "refresh_token": try tokens[1].text("refresh_token")])
        #expect(reused.status == 400 && reused.error == "invalid_grant")
        for token in tokens { #expect(scene.call("/user", try token.text("access_token")).status == 401) }
        let last = scene.token(["grant_type": "refresh_token", "refresh_token": try tokens[3].text("refresh_token")])
        #expect(last.error == "invalid_grant")
        #expect(scene.call("/user", try other.text("access_token")).status == 200, "another login is another family")
    }

    @Test("R-13 the refresh grant rotates for a client without a secret, asked or not")
    func publicClient() throws {
        let scene = try Scene()
        let id: Form = ["client_id": "sandbox-public"]
        let login = try scene.token(Scene.exchange(scene.code(id)).with(id), headers: []).object()
        let form = id.with(["grant_type": "refresh_token", "refresh_token": try login.text("refresh_token")])
        let answer = try scene.token(form, headers: []).object()
        #expect(try answer.text("refresh_token") != login.text("refresh_token"))
        #expect(scene.token(form, headers: []).error == "invalid_grant")
    }

    @Test("the refresh grant narrows the scope of the access token, and never widens it")
    func scope() throws {
        let scene = try Scene()
        let form: Form = ["grant_type": "refresh_token", "refresh_token": try scene.login().text("refresh_token")]
        let narrow = try scene.token(form.with(["scope": "repo"])).object()
        #expect(narrow["scope"] == .string("repo") && narrow["id_token"] == nil)
        let email = try scene.token(form.with(["scope": "email"])).object().text("access_token")
        #expect(scene.call("/user/repos", email).status == 403)
        #expect(scene.token(form.with(["scope": "repo gist"])).error == "invalid_scope")
        #expect(try scene.token(form).object()["scope"] == .string("openid email repo"))
    }

    @Test("the refresh grant says whether a scope value exceeds the grant or is not available")
    func excess() throws {
        let scene = try Scene()
        let form: Form = ["grant_type": "refresh_token", "refresh_token": try scene.login().text("refresh_token")]
        for (value, reason) in [
            ("gist", "the scope value gist exceeds the scope that the user granted"),
            ("mail", "the scope value mail is unknown, or not available to this client"),
        ] {
            let response = scene.token(form.with(["scope": "repo \(value)"]))
            #expect(response.status == 400 && response.error == "invalid_scope")
            #expect(try response.object().text("error_description") == reason)
        }
    }

    @Test("the refresh grant refuses a token that is unknown, another client's, an access token, or two weeks old")
    func refused() throws {
        let scene = try Scene()
        let login = try scene.login()
        let token = try login.text("refresh_token")
        for (form, headers, error) in [
            (["refresh_token": nil], nil, "invalid_request"), (["refresh_token": "refresh_x"], nil, "invalid_grant"),
            (["refresh_token": try login.text("access_token")], nil, "invalid_grant"),
            (["refresh_token": token, "client_id": "sandbox-public"], [], "invalid_grant"),
        ] as [(Form, [HTTPField]?, String)] {
            let response = scene.token(form.with(["grant_type": "refresh_token"]), headers: headers)
            #expect(response.error == error, "\(response.text)")
        }
        scene.now += 14 * 86_400
        #expect(scene.token(["grant_type": "refresh_token", "refresh_token": token]).error == "invalid_grant")
    }

    @Test("the refresh grant gives no refresh token to a client that may not use one")
    func notRegistered() throws {
        let scene = try Scene()
        let client = try scene.register([
            "redirect_uris": .array([.string(Scene.redirectURI)]), "token_endpoint_auth_method": .string("none"),
            "grant_types": .array([.string("authorization_code")]), "id_token_signed_response_alg": .string("ES256"),
        ])
        let id: Form = ["client_id": try client.text("client_id")]
        let answer = try scene.token(Scene.exchange(scene.code(id)).with(id), headers: []).object()
        #expect(answer["access_token"] != nil && answer["refresh_token"] == nil)
    }
}
