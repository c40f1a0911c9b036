import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What oap login does while it waits for the server")
struct LoginWaitTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// When a signal comes.
    enum Moment: CaseIterable {
        /// While the token endpoint answers.
        case answer
        /// After that, while the keys for the ID token are fetched again, among which its own was not.
        case keys
    }

    @Test(
        "a token that was issued is stored, and then the login ends by the signal that came meanwhile",
        arguments: Moment.allCases, [SIGTERM, SIGINT, SIGHUP])
    func signal(moment: Moment, signal: Int32) throws {
        let (reached, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let key = try RSAKey()
        let nonce = Mutex("")
        let fetches = Mutex(0)
        let server = try Responder { request in
            if request.target.hasPrefix("/authorize?") {
                let query = (try? FormEncoding.parse(String(request.target.dropFirst("/authorize?".count)))) ?? []
                nonce.withLock { $0 = query.first { $0.name == "nonce" }?.value ?? "" }
                return LoginHome.consent(to: request)
            }
            if request.target == "/keys" {
                let isFirst = fetches.withLock { count in
                    count += 1
                    return count == 1
                }
                guard !isFirst else { return .json(#"{"keys":[]}"#) }
                guard moment == .keys else { return .json(key.set) }
                reached.open()
                return .json(key.set).after(proceed)
            }
            let claims = SignedToken.claims.with([
                "iss": .string("http://" + (request.headers.first("Host") ?? "")),
                "nonce": .string(nonce.withLock { $0 }),
            ])
            let tokens = #""access_token":"issued-access","refresh_token":"issued-refresh","expires_in":3600"#
            let text = #"{\#(tokens),"token_type":"Bearer","id_token":"\#((try? key.signed(claims)) ?? "")"}"#
            guard moment == .answer else { return .json(text) }
            reached.open()
            return .json(text).after(proceed)
        }
        try person.profile(
            server,
            [
                "scope": "openid", "issuer": .string(server.url()), "jwks_uri": .string(server.url("/keys")),
                "id_token_signed_response_alg": "RS512",
            ])
        let login = try person.oap(["login", "work", "--open", "--no-discovery"]).start()
        #expect(reached.wait())
        login.send(signal: signal)
        proceed.open()
        let result = try login.finish().expect(signal: signal)
        let stored = try person.oap(["store", "get", "work"]).run().expect(status: 0).object()
        #expect(stored["access_token"] == "issued-access", "\(result)")
        #expect(stored["refresh_token"] == "issued-refresh")
        #expect(stored["id_token_claims"]?.object?["sub"] == "me")
        #expect(server.requests.count { $0.target == "/token" } == 1)
    }

    @Test("--if-needed waits for another login of the name, and needs none after it")
    func ifNeeded() throws {
        let (reached, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let server = try Responder { request in
            if request.target.hasPrefix("/authorize?") { return LoginHome.consent(to: request) }
            reached.open()
            return .json(#"{"access_token":"at","token_type":"Bearer","expires_in":3600}"#).after(proceed)
        }
        try person.profile(server)
        let first = try person.oap(["login", "work", "--open"]).start()
        #expect(reached.wait())
        let others = try (1...3).map { _ in try person.oap(["login", "work", "--open", "--if-needed"]).start() }
        for other in others { _ = try other.errorLine { $0.contains("is under way: waiting for its end") } }
        proceed.open()
        try first.finish().expect(status: 0)
        for other in others { try other.finish().expect(status: 0) }
        #expect(server.requests.count { $0.target == "/token" } == 1)
    }

    @Test("--if-needed logs in after another login of the name has failed")
    func ifNeededAfterFailure() throws {
        let server = try LoginHome.server()
        try person.profile(server)
        let first = try person.oap(["login", "work", "--no-open"]).start()
        _ = try first.errorLine { $0.hasPrefix("http") }
        let second = try person.oap(["login", "work", "--open", "--if-needed"]).start()
        _ = try second.errorLine { $0.contains("is under way: waiting for its end") }
        first.send(signal: SIGTERM)
        _ = try first.finish()
        try second.finish().expect(status: 0)
        #expect(server.requests.count { $0.target == "/token" } == 1)
    }

    @Test("the browser is answered during the pause before a request is made again")
    func pause() throws {
        let fetches = Mutex(0)
        let server = try Responder { request in
            if request.target.hasPrefix("/authorize?") { return LoginHome.consent(to: request) }
            guard request.target == "/keys" else {
                return .json(#"{"access_token":"at","token_type":"Bearer","id_token":"none"}"#)
            }
            let isFirst = fetches.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .text("", status: 503, headers: ["Retry-After: 4"]) : .json(#"{"keys":[]}"#)
        }
        try person.profile(
            server,
            ["scope": "openid", "issuer": .string(server.url()), "jwks_uri": .string(server.url("/keys"))])
        try #require(mkfifo(person.home.path("page"), 0o600) == 0)
        let browser = "curl -sSL -o \(person.home.path("page"))"
        let login = try person.oap(["login", "work", "--open", "--no-discovery"], ["BROWSER": browser]).start()
        let url = try login.errorLine { $0.hasPrefix("http://") }
        let redirect = try #require(FormEncoding.parse(url).first { $0.name == "redirect_uri" }?.value)
        let port = try #require(WebURL(redirect)?.port)
        _ = try login.errorLine { $0.contains("; trying again in ") }
        let start = ContinuousClock.now
        let answer = try RawConnection.exchange("GET /icon HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
        #expect(answer.hasPrefix("HTTP/1.1 404 "))
        #expect(ContinuousClock.now - start < .seconds(2), "it is answered during the pause of 4 s, not after it")
        let page = try Program(path: "/bin/cat", arguments: [person.home.path("page")]).run().expect(status: 0).text
        #expect(page.contains("<h1>Not signed in</h1>"), "\(page)")
        try login.finish().expect(status: 9)
        #expect(fetches.withLock { $0 } == 2)
    }

    @Test("the token of a login by device is stored though the reader of standard output goes away before it comes")
    func readerGone() throws {
        let pipe = person.home.path("output")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        let device =
            #"{"device_code":"d","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
        let server = try Responder { request in
            guard request.target == "/token" else { return .json(device) }
            close(reader)
            return .json(#"{"access_token":"issued-access","token_type":"Bearer"}"#)
        }
        try person.profile(server, ["device_authorization_endpoint": .string(server.url("/device"))])
        var program = person.oap(["login", "work", "--device"])
        program.output = .file(pipe)
        let result = try program.run().expect(status: 0)
        result.expect(errorLine: "oap: login: the token is stored as work")
        #expect(try person.stored()["access_token"] == "issued-access")
        #expect(server.requests.map(\.target) == ["/device", "/token"])
    }

    @Test(
        "a login whose token cannot be stored revokes it, and then ends by the signal that came meanwhile",
        arguments: [SIGTERM, SIGINT])
    func unstored(signal: Int32) throws {
        let (reached, proceed) = (Responder.Gate(), Responder.Gate())
        defer { proceed.open() }
        let server = try Responder { request in
            switch request.target {
            case "/revoke": return .text("")
            case "/token":
                reached.open()
                return .json(#"{"access_token":"issued-access","token_type":"Bearer"}"#).after(proceed)
            default: return LoginHome.consent(to: request)
            }
        }
        try person.profile(server, ["revocation_endpoint": .string(server.url("/revoke"))])
        try person.home.write(
            """
            case $1 in
            get) echo 'credentials not found in native keychain' ;;
            store) cat > /dev/null; echo 'the keyring is locked' ;;
            esac
            exit 1
            """, to: "script")
        // A helper of its own: the locks of one are the user's, in whatever home it runs.
        let helper = "fake-unstored-\(signal)"
        try FileManager.default.createSymbolicLink(
            atPath: person.home.path("docker-credential-\(helper)"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        let path = "\(person.home.path):/usr/bin:/bin"
        let login = try person.oap(["login", "work", "--open", "--store", "helper:\(helper)"], ["PATH": path]).start()
        #expect(reached.wait())
        login.send(signal: signal)
        _ = try login.errorLine { $0.contains("waiting for the new token") }
        proceed.open()
        let result = try login.finish().expect(signal: signal)
        result.expect(errorLine: "oap: login: the new token was revoked at the server")
        #expect(server.requests.last?.bodyText.hasPrefix("token=issued-access&") == true, "\(result)")
    }
}
