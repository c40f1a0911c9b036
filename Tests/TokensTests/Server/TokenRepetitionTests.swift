import Calls
import Errands
import JOSE
import OAuth
import TestSupport
import Testing
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// What of a token request may be used up, and so is not sent again, and what is revoked.
@Suite("Token requests that may be sent again")
struct TokenRepetitionTests {
    private static let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(inMemory: true) }

    private func exchange(
        _ grant: String, _ members: JSONObject, in scene: KeptScene? = nil
    ) throws -> TokenExchange {
        let scene = try scene ?? KeptScene([:])
        let client: JSONObject = ["client_id": "c", "token_endpoint": "https://as.example.com/token"]
        let input = try scene.session.inputs.input([], members: client.with(members), profile: nil)
        let made = try input.grant(Grant.Kind(named: grant), extra: [])
        return try TokenExchange(made, input: input, over: scene.session.transport)
    }

    /// Requests with an assertion that another run of a program may replace, and with none.
    private func repeated() throws -> (assertion: TokenExchange, client: TokenExchange) {
        let file = try folder.write("a.b.c\n", to: "assertion")
        return (
            try exchange(Self.bearer, ["assertion_file": .string(file)]),
            try exchange("client_credentials", ["client_secret": "s"])
        )
    }

    @Test("what is used up is sent once, and a password, for which the server counts")
    func kinds() throws {
        #expect(try exchange("password", ["username": "u", "password": "p"]).repetition == .unsent)
        #expect(try exchange(Self.bearer, ["assertion": "a.b.c"]).repetition == .unsent)
        #expect(try exchange("refresh_token", ["refresh_token": "r"]).repetition == .deferred)
        for (type, repetition) in [("id_token", .unsent), ("access_token", .always)] as [(String, Repetition)] {
            let parameters: JSONObject = [
                "subject_token_type": .string("urn:ietf:params:oauth:token-type:\(type)")
            ]
            let members: JSONObject = ["subject_token": "a.b.c", "token_params": .object(parameters)]
            #expect(try exchange("token-exchange", members).repetition == repetition, "\(type)")
        }
        #expect(try exchange("urn:x:own", [:]).repetition == .deferred)
        let (assertion, client) = try repeated()
        #expect(assertion.repetition == .always)
        #expect(client.repetition == .always)
    }

    @Test("under a further claim an assertion that may have arrived is not sent again, and what did not arrive is")
    func further() throws {
        let (assertion, client) = try repeated()
        for (isSent, isOfAssertion) in [(true, false), (false, true)] {
            let lost = TokenExchange.Outcome.lost(
                .network(stage: .read, message: "connection reset", requestSent: isSent))
            #expect(assertion.mayRepeat(lost, as: .lasting) == isOfAssertion)
            #expect(client.mayRepeat(lost, as: .lasting))
            #expect(!client.mayRepeat(lost, as: .none))
            #expect(client.mayRepeat(lost, as: .hasty) != isSent)
        }
        let failed = TokenExchange.Outcome.refused(OAuthError(.httpStatus, "it failed", status: 503))
        #expect(!assertion.mayRepeat(failed, as: .lasting))
        #expect(client.mayRepeat(failed, as: .lasting))
    }

    @Test("a token in a file is sent again only when it is another, and a refusal says that it may have been used")
    func unchangedFile() throws {
        for (isReplaced, count) in [(false, 1), (true, 2)] {
            let scene = try KeptScene([:])
            let file = try folder.write("a.b.c\n", to: "subject")
            let parameters: JSONObject = ["subject_token_type": "urn:ietf:params:oauth:token-type:access_token"]
            let members: JSONObject = ["subject_token_file": .string(file), "token_params": .object(parameters)]
            let exchange = try exchange("token-exchange", members, in: scene)
            scene.script.answer = { [folder] _ in
                let number = scene.script.requests.count
                if isReplaced { _ = try? folder.write("d.e.\(number)\n", to: "subject") }
                return Script.json("", status: number < 2 ? 503 : 400)
            }
            _ = scene.script.run(try exchange.attempt())
            #expect(scene.script.requests.count == count)
            let failure = exchange.failure(OAuthError(.oauth, "refused", code: "invalid_grant", status: 400))
            #expect(failure.hint?.hasPrefix("\(file) holds one token") == true, "\(failure.hint ?? "")")
        }
    }

    @Test("a further attempt of a token request has the client's secret that its file has by then")
    func rotated() throws {
        let scene = try KeptScene([:])
        let file = try folder.write("before\n", to: "secret")
        let members: JSONObject = [
            "client_secret_file": .string(file), "token_endpoint_auth_method": "client_secret_post",
        ]
        var exchange = try exchange("client_credentials", members, in: scene)
        try folder.write("after\n", to: "secret")
        var further = try scene.script.run(exchange.remade()).get()
        #expect(String(decoding: try exchange.message().body ?? [], as: UTF8.self).contains("client_secret=before"))
        #expect(String(decoding: try further.message().body ?? [], as: UTF8.self).contains("client_secret=after"))
    }

    @Test("a client's JWT that goes to another host than the issuer it is for is a warning, unless the two are known")
    func foreignIssuer() throws {
        let members: JSONObject = [
            "client_secret": "of thirty-two bytes, as HS256 needs", "token_endpoint_auth_method": "client_secret_jwt",
        ]
        func said(_ others: JSONObject) throws -> String {
            let scene = try KeptScene([:])
            _ = try exchange("client_credentials", members.with(others), in: scene)
            return scene.effects.said
        }
        let foreign: JSONObject = ["issuer": "https://other.example.com"]
        let warning = "the client's JWT is for https://other.example.com, but goes to https://as.example.com/token, "
        #expect(try said(foreign).contains(warning))
        #expect(try said(foreign.with(["assertion_audience": "issuer"])).contains(warning))
        for others in [
            ["issuer": "https://as.example.com"], foreign.with(["assertion_audience": "token_endpoint"]),
            foreign.with(["token_endpoint_auth_method": "client_secret_post"]),
        ] as [JSONObject] {
            #expect(try said(others) == "", "\(others)")
        }
    }

    @Test("a refresh token may be used up where its answer was lost, is of no use, or is that of a server that failed")
    func doubts() throws {
        let renewal = try exchange("refresh_token", ["refresh_token": "r"])
        let fault = ServerFault.refused(OAuthError(.invalidResponse, "it is no token", status: 200))
        for (outcome, isDoubtful) in [
            (.unusable(fault, refreshToken: nil, revocation: nil), true),
            (.unusable(fault, refreshToken: "new", revocation: nil), false),
            (.lost(.network(stage: .read, message: "", requestSent: true)), true),
            (.lost(.network(stage: .connect, message: "", requestSent: false)), false),
            (.refused(OAuthError(.oauth, "", status: 400)), false),
            (.refused(OAuthError(.httpStatus, "", status: 408)), true),
            (.refused(OAuthError(.httpStatus, "", status: 500)), true),
        ] as [(TokenExchange.Outcome, Bool)] {
            #expect(renewal.isDoubtful(outcome) == isDoubtful, "\(outcome)")
        }
    }

    @Test("of a grant whose answer is of no use the new tokens are revoked, and none that the document had before")
    func revoked() throws {
        let scene = try KeptScene([:])
        let exchange = try exchange(
            "client_credentials",
            [
                "client_secret": "s", "revocation_endpoint": "https://as.example.com/revoke",
                "access_token": "old", "refresh_token": "kept",
            ], in: scene)
        let answer = Script.json(#"{"access_token":"new","token_type":"other"}"#)
        scene.script.answer = { _ in Script.json("") }
        let result = scene.script.run(exchange.finish(scene.script.run(exchange.receive(answer, 0))))
        #expect(throws: Failure.self) { try result.get() }
        let bodies = scene.script.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.count == 1)
        #expect(bodies.allSatisfy { $0.contains("token=new") })
    }

    @Test("the keys of an issuer are fetched without the certificate of the client, since they are public")
    func publicKeys() throws {
        let scene = try KeptScene([:])
        let members: JSONObject = [
            "client_id": "c", "issuer": "https://as.example.com", "jwks_uri": "https://as.example.com/keys",
        ]
        let input = try scene.session.inputs.input([], members: members, profile: nil)
        var withCertificate: [Bool] = []
        scene.script.answer = { request in
            withCertificate.append(request.withCertificate)
            return Script.json(#"{"keys":[]}"#)
        }
        let expected = try JWTExpectation(for: .idToken, of: input.document)
        _ = try scene.script.run(
            JWTCheck(expected, of: input, over: scene.session.transport).withKey(for: nil)
        ).get()
        #expect(withCertificate == [false])
    }

    @Test("where the server refuses one token of a login, the other is revoked all the same")
    func oneRefused() throws {
        let scene = try KeptScene([:])
        let members: JSONObject = [
            "client_id": "c", "revocation_endpoint": "https://as.example.com/revoke", "access_token": "a",
            "refresh_token": "r",
        ]
        let input = try scene.session.inputs.input([], members: members, profile: nil)
        scene.script.answer = { [script = scene.script] _ in
            script.requests.count == 1 ? Script.json(#"{"error":"invalid_request"}"#, status: 400) : Script.json("")
        }
        let outcome = scene.script.run(
            try TokenRevocation(of: input, type: nil, over: scene.session.transport).run())
        #expect(outcome.revoked == [.access])
        #expect(outcome.failure != nil)
    }

    @Test("202 without a token means to ask again for who polls, and nothing for any other grant")
    func accepted() throws {
        for (grant, members, isPolled) in [
            ("urn:ietf:params:oauth:grant-type:device_code", ["device_code": "d"], true),
            ("refresh_token", ["refresh_token": "r"], false),
            ("client_credentials", ["client_secret": "s"], false),
        ] as [(String, JSONObject, Bool)] {
            let scene = try KeptScene([:])
            let exchange = try exchange(grant, members, in: scene)
            let outcome = scene.script.run(exchange.receive(Script.json("{}", status: 202), 0))
            var code: String?
            if case .refused(let error) = outcome { code = error.code }
            #expect(code == (isPolled ? "authorization_pending" : nil), "\(grant)")
            #expect(exchange.isDoubtful(outcome) != isPolled)
        }
    }

    @Test("keys from the cache that lack the key of a JWT are fetched anew, once, and no others are")
    func cachedKeys() throws {
        func key(_ name: String) throws -> JSON {
            let key = try #require(try SigningKey(generatedFor: .es256).privateKey())
            return .object(key.changed(by: ["kid": .string(name), "d": .null]))
        }
        func token(_ name: String) throws -> JSONWebToken {
            let header: JSONObject = ["alg": "ES256", "kid": .string(name)]
            return try JSONWebToken(parsing: "\(Base64.encodeURL(JSON.object(header).bytes)).e30.AA", as: .idToken)
        }
        let scene = try KeptScene([:], words: ["refresh", "work", "--cache", "60"])
        let members: JSONObject = [
            "client_id": "c", "issuer": "https://as.example.com", "jwks_uri": "https://as.example.com/keys",
            "id_token_signed_response_alg": "ES256",
        ]
        let input = try scene.session.inputs.input([], members: members, profile: nil)
        let expected = try JWTExpectation(for: .idToken, of: input.document)
        let keys = JSON.object(["keys": .array([try key("new")])]).text
        var answers = [JSON.object(["keys": .array([try key("old")])]).text, keys, keys][...]
        scene.script.answer = { _ in Script.json(answers.popFirst() ?? "") }
        for (name, count) in [(nil, 1), ("old", 1), ("new", 2), ("new", 2), ("none", 3)] as [(String?, Int)] {
            let check = JWTCheck(expected, of: input, over: scene.session.transport)
            _ = try scene.script.run(check.withKey(for: try name.map(token))).get()
            #expect(scene.script.requests.count == count, "\(name ?? "any")")
        }
    }

    @Test("a server that revokes no other token of a login is told from one that has revoked them")
    func unsupported() throws {
        for (code, isUnsupported) in [("unsupported_token_type", true), ("invalid_request", false)] {
            let scene = try KeptScene([:])
            let members: JSONObject = [
                "client_id": "c", "revocation_endpoint": "https://as.example.com/revoke", "access_token": "a",
                "derived_tokens": .array([.object(["access_token": "d"])]),
            ]
            let input = try scene.session.inputs.input([], members: members, profile: nil)
            scene.script.answer = { [script = scene.script] _ in
                script.requests.count == 1 ? Script.json(#"{"error":"\#(code)"}"#, status: 400) : Script.json("")
            }
            let outcome = try scene.script.run(TokenRevocation.all(of: input, over: scene.session.transport)).get()
            #expect(outcome.revoked == [.access])
            #expect((outcome.unsupported != nil) == isUnsupported)
            #expect((outcome.failure != nil) != isUnsupported)
            #expect(!outcome.revokesOthers)
        }
    }

    @Test("before a token is deleted, no metadata means that nothing revokes it, and a server that is busy does not")
    func unrevocable() throws {
        for (status, isOver) in [(404, true), (403, true), (408, false), (429, false), (503, false)] {
            for isOptional in [true, false] {
                let scene = try KeptScene([:])
                let members: JSONObject = [
                    "client_id": "c", "issuer": "https://as.example.com", "access_token": "a",
                ]
                let input = try scene.session.inputs.input([], members: members, profile: nil)
                scene.script.answer = { _ in Script.json("{}", status: status) }
                let result = scene.script.run(
                    input.completedForRevocation(over: scene.session.transport, isOptional: isOptional))
                #expect(((try? result.get()) != nil) == (isOver && isOptional), "\(status)")
            }
        }
    }

    @Test("the client of a login has the scope that it was wanted for, though a wider one was registered")
    func widerScope() throws {
        for (registered, scope) in [("a b", "a"), ("b", "b")] {
            let scene = try KeptScene([:])
            let members: JSONObject = ["registration_endpoint": "https://as.example.com/register", "scope": "a"]
            let input = try scene.session.inputs.input([], members: members, profile: nil)
            scene.script.answer = { _ in
                Script.json(#"{"client_id":"c","scope":"\#(registered)"}"#, status: 201)
            }
            let client = try scene.script.run(
                ClientRegistration.nativeClient(
                    for: "http://127.0.0.1/cb", of: input, within: "a b", over: scene.session.transport)
            ).get()
            #expect(client["scope"] == .string(scope))
        }
    }
}
