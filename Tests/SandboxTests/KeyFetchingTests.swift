import Foundation
import JOSE
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("oap-sandbox fetches keys") struct KeyFetchingTests {
    private static let issuer = "https://as.example"

    /// A client in a file for `--client`, and the form of a token request with its key.
    private static func client(
        _ id: String, at url: String, in folder: borrowing TemporaryDirectory
    ) throws -> (options: [String], form: String, keySet: String) {
        let key = try SigningKey(generatedFor: .es256)
        let members = key.publicKey
        let file = try folder.write(
            """
            {"client_id": "\(id)", "token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "\(url)",
             "grant_types": ["client_credentials"]}
            """, to: "\(id).json")
        let claims: JSONObject = [
            "iss": .string(id), "sub": .string(id), "aud": .string(issuer),
            "exp": .integer(Int(Date().timeIntervalSince1970) + 600),
        ]
        let form = try FormEncoding.encode([
            ("grant_type", "client_credentials"), ("client_assertion", key.sign(JSON.object(claims).bytes)),
            ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ])
        let keySet = JSON.object(["keys": .array([.object(try #require(members))])]).text
        return (["--client", file], form, keySet)
    }

    /// Runs a script beside a sandbox, whose address is in `$sandbox`.
    private static func run(_ options: [String], _ script: String) throws -> ProgramResult {
        let port = try Program.shell(
            """
            oap authurl -n --client-id c --authorization-endpoint https://as.example/ --jq .redirect_uri -r |
                sed 's/.*:\\([0-9]*\\).*/\\1/'
            """
        ).run().expect(status: 0).text.split(separator: "\n").joined()
        return try Program.sandbox(
            ["--issuer", issuer, "--port", port] + options + [
                "--run", "/bin/bash", "-c", "sandbox=http://127.0.0.1:\(port)\n\(script)",
            ]
        ).run()
    }

    @Test("while keys are fetched for a request, others are answered, and then it is, with the delay of a fault")
    func slow() throws {
        let folder = try TemporaryDirectory()
        let (begun, gate) = (Responder.Gate(), Responder.Gate())
        let keySet = Mutex("")
        let responder = try Responder { request in
            switch request.target {
            case "/jwks": .raw("").opening(begun).then(.json(keySet.withLock(\.self)).after(gate))
            case "/begun": .text("").after(begun)
            default: .text("").opening(gate)
            }
        }
        let (options, form, document) = try Self.client("slow", at: responder.url("/jwks"), in: folder)
        keySet.withLock { $0 = document }
        let wrong = try Self.client("slow", at: responder.url("/jwks"), in: folder).form
        let result = try Self.run(
            options + ["--fault", "token:slow=0.2"],
            """
            cd '\(folder.path)'
            token() { curl -s -o /dev/null -w '%{http_code} %{time_total}\\n' -d '\(form)' "$sandbox/token" > "$1"; }
            token first & token second &
            curl -s '\(responder.url("/begun"))'
            curl -s -o /dev/null -w '%{http_code}\\n' "$sandbox/jwks"
            curl -s '\(responder.url("/go"))'
            wait
            token third
            cat first second third
            curl -s -d '\(wrong)' "$sandbox/token" | jq -r .error
            """)
        let lines = result.expect(status: 0).text.split(separator: "\n")
        #expect(lines.first == "200" && lines.last == "invalid_client" && lines.count == 5, "\(result)")
        for line in lines.dropFirst().dropLast() {
            let words = line.split(separator: " ")
            #expect(words[0] == "200" && Double(words[1]).map { $0 >= 0.2 } == true, "\(line)")
        }
        let fetches = responder.requests.filter { $0.target == "/jwks" }
        #expect(fetches.count == 2, "one for all that wait, and one for the wrong key")
        #expect(fetches.first?.connection != fetches.last?.connection, "no connection is kept")
        #expect(fetches[0].headers.first("User-Agent") == "oap-sandbox")
    }

    @Test(
        "keys that cannot be fetched are named with the reason, to the client, in the log and on standard error",
        arguments: [
            ("/large", "the response is larger than 65536 bytes"),
            ("/missing", "the server answered with status 404"),
            ("/moved", "the server answered with status 302"), ("/page", "the response is not a JWK Set"),
            ("/closed", "closed the connection without a response"),
        ])
    func failure(path: String, cause: String) throws {
        let folder = try TemporaryDirectory()
        let keySet = Mutex("")
        let responder = try Responder { request in
            switch request.target {
            case "/large": .json(keySet.withLock(\.self) + String(repeating: " ", count: 65536))
            case "/missing": .json(keySet.withLock(\.self), status: 404)
            case "/moved": .redirect(302, to: "/jwks")
            case "/page": .text("<html>")
            case "/closed": .close
            default: .json(keySet.withLock(\.self))
            }
        }
        let (options, form, document) = try Self.client("failing", at: responder.url(path), in: folder)
        keySet.withLock { $0 = document }
        let log = folder.path("log.ndjson")
        let result = try Self.run(options + ["--log", log], "curl -s -d '\(form)' \"$sandbox/token\"")
        let answer = try #require(try JSON(parsing: result.expect(status: 0).text).object)
        let sentence = "the keys at \(responder.url(path)) could not be fetched: "
        let reason = try answer.text("error_description")
        #expect(answer["error"] == .string("invalid_client"))
        #expect(reason.hasPrefix("the assertion is refused: \(sentence)") && reason.hasSuffix(cause), "\(reason)")
        #expect(try folder.read("log.ndjson").contains(sentence))
        #expect(result.errorText.contains("oap-sandbox: warning: client failing: \(sentence)"), "\(result.errorText)")
        #expect(!responder.requests.contains { $0.target == "/jwks" }, "a redirect is not followed")
    }

    @Test("a jwks_uri of the sandbox itself is fetched, and one that nobody listens at is refused, each at once")
    func own() throws {
        let folder = try TemporaryDirectory()
        let closed = try Responder { _ in .close }
        let (closedPort, url) = (closed.port, closed.url("/"))
        closed.stop()
        let refused = try Self.client("refused", at: url, in: folder)
        let itself = try Self.client("itself", at: "http://127.0.0.1:PORT/jwks", in: folder)
        let result = try Self.run(
            refused.options,
            """
            cd '\(folder.path)'
            curl -s -d '\(refused.form)' "$sandbox/token" | jq -r .error_description
            sed -i "s,http://127.0.0.1:PORT,$sandbox," '\(itself.options[1])'
            curl -s -H 'Content-Type: application/json' -d @'\(itself.options[1])' "$sandbox/register" > client.json
            id=$(jq -r .client_id client.json)
            claims=$(printf '{"sub":"%s"}' "$id" | base64 -w 0 | tr -d = | tr +/ -_)
            curl -s -d grant_type=client_credentials --data-urlencode "client_assertion=eyJhbGciOiJFUzI1NiJ9.$claims.AAAA" \\
                -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer "$sandbox/token" |
                jq -r .error_description
            """)
        let lines = result.expect(status: 0).text.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasSuffix("connection to 127.0.0.1 port \(closedPort) refused") == true, "\(lines)")
        #expect(lines.last == "the assertion is refused: it is not signed with a key of the client", "\(lines)")
    }

    @Test("a request that waits for a later fetch, or for the end of an earlier one, takes no time of the processor")
    func waiting() throws {
        let folder = try TemporaryDirectory()
        let (begun, gate) = (Responder.Gate(), Responder.Gate())
        let responder = try Responder { request in
            switch request.target {
            case "/slow": .raw("").opening(begun).then(.json(#"{"keys": []}"#).after(gate))
            case "/begun": .text("").after(begun)
            case "/go": .text("").opening(gate)
            default: .json(#"{"keys": []}"#)
            }
        }
        let paused = try Self.client("paused", at: responder.url("/jwks"), in: folder)
        let slow = try Self.client("slow", at: responder.url("/slow"), in: folder)
        let result = try Self.run(
            paused.options + slow.options,
            """
            ticks() { awk '{ print $14 + $15 }' "/proc/$PPID/stat"; }
            first=$(ticks)
            for _ in 1 2 3; do curl -s -d '\(paused.form)' "$sandbox/token" | jq -r .error; done
            second=$(ticks)
            curl -s -d '\(slow.form)' "$sandbox/token" > /dev/null &
            curl -s '\(responder.url("/begun"))'
            curl -s -d '\(slow.form)' "$sandbox/token" > /dev/null &
            sleep 3
            echo $((second - first)) $(($(ticks) - second))
            curl -s '\(responder.url("/go"))'
            wait
            """)
        let lines = result.expect(status: 0).text.split(separator: "\n")
        #expect(lines.dropLast() == ["invalid_client", "invalid_client", "invalid_client"], "\(result)")
        let ticks = try #require(lines.last).split(separator: " ").compactMap { Int($0) }
        // Two seconds each, in hundredths.
        #expect(ticks.count == 2 && ticks.allSatisfy { $0 < 50 }, "\(result)")
    }
}
