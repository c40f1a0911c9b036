import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Identities of CI jobs, as programs of others ask for them")
struct IdentityPeerTests {
    private let home: CredentialHome

    init() throws { home = try CredentialHome() }

    private static let jwt: String = {
        let claims: JSONObject = ["aud": "api://a b", "exp": 4_102_444_800]
        return [["alg": "RS256"] as JSONObject, claims].map { Base64.encodeURL(JSON.object($0).bytes) }
            .joined(separator: ".") + ".c2ln"
    }()

    /// What PyPI's `id` and `oap` print in a job with these variables.
    private func both(_ variables: [String: String]) throws -> (String, String) {
        var python = try home.program("python", ["-m", "id", "api://a b"])
        python.environment.merge(variables) { $1 }
        var oap = home.managed.oap(["ci-token", "--audience", "api://a b", "--jq", ".subject_token", "-r"])
        oap.environment.merge(variables) { $1 }
        return (try python.run().expect(status: 0).text, try oap.run().expect(status: 0).text)
    }

    @Test("GitHub's endpoint gets the same request from PyPI's id and from oap")
    func gitHub() throws {
        let server = try Responder { _ in .json(#"{"value":"\#(Self.jwt)"}"#) }
        let (theirs, ours) = try both([
            "GITHUB_ACTIONS": "true", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
            "ACTIONS_ID_TOKEN_REQUEST_URL": server.url("/token?api-version=2.0"),
        ])
        #expect(theirs == ours)
        #expect(ours == Self.jwt + "\n")
        let requests = server.requests
        #expect(requests.count == 2)
        #expect(requests[0].method == requests[1].method)
        #expect(requests[0].target == requests[1].target)
        let fields = requests.map { request in request.headers.first { $0.name == "Authorization" }?.value }
        #expect(fields[0] == fields[1])
        #expect(fields[0] != nil)
    }

    @Test("GitLab's variable, and the programs of Buildkite and CircleCI, are found as PyPI's id finds them")
    func others() throws {
        let folder = home.managed.home
        for (name, words) in [
            ("buildkite-agent", "oidc request-token --audience"), ("circleci", "run oidc get"),
        ] {
            let path = try folder.write(
                "#!/bin/sh\ncase \"$*\" in '\(words)'*) echo '\(Self.jwt)' ;; *) exit 1 ;; esac\n", to: "bin/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let path = "\(folder.path("bin")):/usr/bin:/bin"
        for variables in [
            ["GITLAB_CI": "true", "API___A_B_ID_TOKEN": Self.jwt], ["BUILDKITE": "true"], ["CIRCLECI": "true"],
        ] {
            let (theirs, ours) = try both(variables.merging(["PATH": path]) { $1 })
            #expect(theirs == ours, "\(variables)")
            #expect(ours == Self.jwt + "\n", "\(variables)")
        }
    }

    @Test("botocore makes the same signature of the request to STS", arguments: ["a/session+token=", ""])
    func signature(session: String) throws {
        let result = #"{"GetWebIdentityTokenResult":{"WebIdentityToken":"\#(Self.jwt)"}}"#
        let server = try Responder { _ in .json(#"{"GetWebIdentityTokenResponse":\#(result)}"#) }
        var oap = home.managed.oap(["ci-token", "--from", "aws", "--audience", "api://a b"])
        oap.environment.merge([
            "AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret/+", "AWS_SESSION_TOKEN": session,
            "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL_STS": server.url("/"),
        ]) { $1 }
        try oap.run().expect(status: 0)
        let request = try #require(server.requests.first)
        let fields = JSONObject(
            unique: request.headers.map { .init(name: $0.name.lowercased(), value: .string($0.value)) })
        try home.managed.home.write(
            JSON.object(["fields": .object(fields), "body": .string(request.bodyText), "url": .string(server.url("/"))])
                .text, to: "request.json")
        let script = """
            import json, re, sys
            from botocore.auth import SigV4Auth
            from botocore.awsrequest import AWSRequest
            from botocore.credentials import Credentials
            seen = json.load(open(sys.argv[1]))
            names = re.search("SignedHeaders=([^,]+)", seen["fields"]["authorization"]).group(1).split(";")
            request = AWSRequest("POST", seen["url"], data=seen["body"], headers={n: seen["fields"][n] for n in names})
            request.context["timestamp"] = seen["fields"]["x-amz-date"]
            signer = SigV4Auth(Credentials("AKIA", "secret/+"), "sts", "eu-central-1")
            canonical = signer.canonical_request(request)
            print(signer.signature(signer.string_to_sign(request, canonical), request), ";".join(sorted(names)))
            """
        let python = try home.program("python", ["-c", script, home.managed.home.path("request.json")])
        let words = try python.run().expect(status: 0).text.split(whereSeparator: \.isWhitespace)
        let field = fields["authorization"]?.string ?? ""
        #expect(field.hasSuffix("Signature=\(words[0])"))
        #expect(words[1].contains("x-amz-security-token") == !session.isEmpty)
    }
}
