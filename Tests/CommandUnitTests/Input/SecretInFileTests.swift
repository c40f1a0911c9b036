import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@Suite("A secret in a file, in the place of something else", .inProcess)
struct SecretInFileTests {
    private static let line = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgV1cUL3pXyQ2mZk8d"

    private static let secrets = [
        line, "ghp_0123456789abcdefABCDEF0123456789abcd", "S3cretValue-9f86d081884c7d659a2f",
        "-----BEGIN PRIVATE KEY-----\n\(line)\n-----END PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY----- \(line)",
        #"{"private_key":"-----BEGIN PRIVATE KEY-----\n\#(line)\n"}"#, "qzvkxwjyhbgpfmdtnrslcaoeiuqzvkxwjyhbgp",
        "839201748392017483920174839201748392", "aB3+dk/29xKQz81mNcV0pLwE7uYt5rHs==",
    ]

    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    /// Runs a command, and records a failure where it shows more of the secret than tells which one it is.
    private func check(
        _ words: [String], hiding secret: String, input: Program.Input = .none, environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ProgramResult {
        let result = try Program.oap(
            words, input: input, environment: environment.merging(["HOME": home.path]) { $1 }
        ).run()
        let shown = result.errorText + result.text
        let secret = secret.contains(Self.line) ? Self.line : secret
        for start in 0...(secret.count - 10) {
            let part = String(secret.dropFirst(start).prefix(10))
            guard shown.contains(part) else { continue }
            Issue.record("the secret was shown: \(part)\n\(result)", sourceLocation: sourceLocation)
            break
        }
        return result
    }

    @Test(
        "a file that holds no filter is named by the line that is wrong",
        arguments: secrets.filter { $0.first?.isNumber == false && !$0.hasPrefix("{") })
    func filter(secret: String) throws {
        let file = home.path("filter")
        try home.write("\n\(secret)", to: "filter")
        for words in [["whoami", "-n"], ["call", "-n", "--anonymous", "http://127.0.0.1:9/"]] {
            let result = try check(words + ["--jq-file", file], hiding: secret).expect(status: 2)
            #expect(result.errorText.contains("the filter does not compile: line "), "\(result)")
            #expect(result.errorText.contains(" of the file"), "\(result)")
        }
    }

    @Test("a program that is none is cut", arguments: secrets.filter { !$0.contains("/") })
    func command(secret: String) throws {
        let folder = home.path(".config/oap/profiles")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for program in [secret, "/usr/bin/\(secret)"] {
            let profile: JSONObject = [
                "client_id": "ci", "token_endpoint": "http://127.0.0.1:9/t",
                "client_secret_command": .strings([program]),
            ]
            chmod(try home.write(JSON.object(profile).text, to: ".config/oap/profiles/ci.json"), 0o600)
            let result = try check(["exchange", "-p", "ci", "--grant", "client_credentials"], hiding: secret)
            #expect([.status(3), .status(11)].contains(result.ending))
        }
    }

    @Test(
        "a kubeconfig that has it as the path of a file, or in its address, is not shown", arguments: secrets)
    func kubeconfig(secret: String) throws {
        try Program.oap(["store", "key", "-o", home.path("store.key")]).run().expect(status: 0)
        let server: JSONObject = ["server": "https://127.0.0.1:9"]
        let places: [(cluster: JSONObject, user: JSONObject)] = [
            (server, ["tokenFile": .string(secret)]), (server, ["client-certificate": .string(secret)]),
            (server.with(["certificate-authority": .string(secret)]), ["token": "t"]),
            (["server": .string("u:\(secret)@h")], ["token": "t"]),
        ]
        for (cluster, user) in places {
            let config: JSONObject = [
                "current-context": "c",
                "contexts": .array([.object(["name": "c", "context": .object(["cluster": "c", "user": "u"])])]),
                "clusters": .array([.object(["name": "c", "cluster": .object(cluster)])]),
                "users": .array([.object(["name": "u", "user": .object(user)])]),
            ]
            chmod(try home.write(JSON.object(config).text, to: "config"), 0o600)
            _ = try check(
                ["token", "work"], hiding: secret,
                environment: [
                    "KUBECONFIG": home.path("config"), "OAP_STORE": "kubernetes:ns",
                    "OAP_STORE_KEY_FILE": home.path("store.key"),
                ]
            ).expect(status: 11)
        }
    }

    @Test("a name that is refused is cut", arguments: secrets)
    func names(secret: String) throws {
        let name = JSON.string(secret).text
        _ = try check(["refresh"], hiding: secret, input: .text("{\(name):1,\(name):2}")).expect(status: 3)
        _ = try check(
            ["call", "--batch", "http://127.0.0.1:9/", "--anonymous"], hiding: secret,
            input: .text("{\"id\":1,\"url\":\"/x\",\(name):1}\n"))
        for key in ["{\"kty\":\(name)}", "{\"kty\":\"EC\",\"crv\":\(name)}", "{\"kty\":\"OKP\",\"crv\":\(name)}"] {
            _ = try check(["jwk", "public"], hiding: secret, input: .text(key)).expect(status: 3)
        }
        let short = try Program.oap(
            ["refresh"],
            input: .text(
                #"{"pushed_authorization_request_endpoint":1,"#
                    + #""pushed_authorization_request_endpoint":2}"#)
        ).run()
        #expect(short.errorText.contains("pushed_authorization_request_endpoint"))
    }
}
