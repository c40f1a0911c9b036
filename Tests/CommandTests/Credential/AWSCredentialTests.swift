import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Credentials of AWS for a stored token")
struct AWSCredentialTests {
    private static let arn = "arn:aws:iam::123456789012:role/reader"
    private static let answer = #"""
        {"AssumeRoleWithWebIdentityResponse":{"AssumeRoleWithWebIdentityResult":{"Credentials":
        {"AccessKeyId":"ASIAEXAMPLE","SecretAccessKey":"a-secret-key-of-sts",
        "SessionToken":"a-session-token-of-sts","Expiration":"2099-01-01T00:00:00Z"}}}}
        """#

    @Test("STS gets the ID token without a signature, and what it answers is printed as credential_process wants it")
    func printed() throws {
        let home = try CredentialHome()
        let token = try home.putIDToken(expiresIn: 1000)
        let sts = try Responder { _ in .text(Self.answer) }
        let words = ["--role-session-name", "ada", "--duration", "900", "-v"]
        let result = try ask(home, sts, words).expect(status: 0)
        let expected: JSONObject = [
            "Version": .integer(1), "AccessKeyId": "ASIAEXAMPLE", "SecretAccessKey": "a-secret-key-of-sts",
            "SessionToken": "a-session-token-of-sts", "Expiration": "2099-01-01T00:00:00Z",
        ]
        #expect(try result.object() == expected && !result.errorText.contains(token))
        let form = try FormEncoding.parse(try #require(sts.requests.first).bodyText).map { "\($0.name)=\($0.value)" }
        #expect(
            form == [
                "Action=AssumeRoleWithWebIdentity", "Version=2011-06-15", "RoleArn=\(Self.arn)", "RoleSessionName=ada",
                "DurationSeconds=900", "WebIdentityToken=\(token)", "ContentType=JSON",
            ])
        #expect(!sts.requests[0].head.contains("Authorization"))
    }

    @Test("what STS refuses is named by its code, and nothing is sent to a place that is not secure or for no JWT")
    func refused() throws {
        let home = try CredentialHome()
        let opaque = try home.ask("aws", "-p", "work", "--role-arn", Self.arn).expect(status: 3)
        #expect(opaque.errorText.contains("the access token is not a JWT"))
        let token = try home.putIDToken(expiresIn: 1000)
        let sts = try Responder { _ in
            .text(
                #"{"Error":{"Code":"AccessDenied","Message":"not \#(token)"}}"#, status: 403)
        }
        let result = try ask(home, sts, []).expect(status: 4)
        #expect(result.errorText.contains("AccessDenied: not ***") && result.output.isEmpty, "\(result)")
        for (words, status) in [
            (["-p", "work"], 2), (["-p", "work", "--role-arn", "x"], 2), (["--role-arn", Self.arn], 2),
            (["-p", "work", "--role-arn", Self.arn, "--duration", "x"], 2),
            (["-p", "work", "--role-arn", Self.arn, "--sts-endpoint", "http://sts.example/"], 9),
        ] {
            var program = home.managed.oap(["credential", "aws"] + words)
            program.input = .text("")
            try program.run().expect(status: status)
        }
    }

    @Test("botocore gets the credentials of moto's STS from oap, by its credential_process")
    func botocore() throws {
        let home = try CredentialHome()
        try home.putIDToken(expiresIn: 1000)
        let server = try home.program("moto_server", ["-H", "127.0.0.1", "-p", "0"]).start()
        defer { server.send(signal: SIGTERM) }
        let line = try server.errorLine { $0.contains("http://127.0.0.1:") }
        let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
        let oap = Program.oapPath
        try home.managed.home.write(
            """
            [default]
            region = eu-central-1
            credential_process = \(oap) credential aws -p work --role-arn \(Self.arn) --sts-endpoint \(url)
            """, to: "aws.config")
        let script = """
            import botocore.session
            found = botocore.session.Session().get_credentials()
            frozen = found.get_frozen_credentials()
            assert found.method == "custom-process" and frozen.token and frozen.secret_key
            sts = botocore.session.Session().create_client("sts", endpoint_url="\(url)")
            print(sts.get_caller_identity()["Arn"])
            """
        var python = try home.program("python", ["-c", script])
        python.environment["AWS_CONFIG_FILE"] = home.managed.home.path("aws.config")
        let arn = try python.run().expect(status: 0).text
        #expect(arn == "arn:aws:sts::123456789012:assumed-role/reader/oap\n")
    }

    private func ask(_ home: CredentialHome, _ sts: Responder, _ words: [String]) throws -> ProgramResult {
        var program = home.managed.oap(
            ["credential", "aws", "-p", "work", "--role-arn", Self.arn, "--sts-endpoint", sts.url("/")] + words)
        program.input = .text("")
        return try program.run()
    }
}
