import Errands
import OAuth
import TestSupport
import Testing
import Wire

@testable import Shell
@testable import Tokens

@Suite("The identity of a workload at AWS")
struct AWSIdentityTests {
    private typealias Scene = IdentityScene
    private static let jwt = Scene.jwt()
    private static let sts = "https://sts.eu-central-1.amazonaws.com/"
    private static let given =
        #"{"Code":"Success","AccessKeyId":"ASIA1","SecretAccessKey":"secret1","Token":"session1"}"#

    private var identity: (String, ServerRequest.Result) {
        let result =
            #"{"GetWebIdentityTokenResponse":{"GetWebIdentityTokenResult":{"WebIdentityToken":"\#(Self.jwt)"}}}"#
        return (Self.sts, Script.json(result))
    }

    private func form(_ request: ServerRequest) throws -> [String: String] {
        let pairs = try FormEncoding.parse(String(decoding: request.message.body ?? [], as: UTF8.self))
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
    }

    @Test("STS gives an identity for the keys of the variables, signed for its region")
    func variables() throws {
        let scene = try Scene(
            [
                "AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "session",
                "AWS_REGION": "eu-central-1",
            ], [identity])
        #expect(try scene.identity(from: .aws).get().jwt.token == Self.jwt)
        let request = try #require(scene.sent.first)
        #expect(request.signature?.scope == "aws:amz:eu-central-1:sts")
        #expect(request.signature?.secret == "secret")
        #expect(request.message.headers.first("X-Amz-Security-Token") == "session")
        let form = try form(request)
        #expect(form["Action"] == "GetWebIdentityToken")
        #expect(form["Audience.member.1"] == "https://as.example")
        #expect(scene.sent.count == 1)
    }

    @Test("the file of a pod is the identity where it is for the audience; else its role's keys ask STS")
    func pod() throws {
        let place = try Scene([:])
        let path = try place.file(Scene.jwt("sts.amazonaws.com"))
        let variables = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": path, "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/reader",
            "AWS_REGION": "eu-central-1",
        ]
        let scene = try Scene(variables)
        for audience in [nil, "sts.amazonaws.com"] {
            #expect(try scene.identity(for: audience).get().origin == "aws")
        }
        let other = try place.file(Scene.jwt("other"), "other")
        let own = try Scene(["AWS_WEB_IDENTITY_TOKEN_FILE": other])
        #expect(try own.identity(for: nil).get().origin == "aws")
        #expect(scene.sent.isEmpty)
        scene.script.answer = { [script = scene.script, identity] _ in
            guard script.requests.count == 1 else { return identity.1 }
            return Script.json(
                #"""
                {"AssumeRoleWithWebIdentityResponse":{"AssumeRoleWithWebIdentityResult":{"Credentials":
                {"AccessKeyId":"ASIA2","SecretAccessKey":"secret2","SessionToken":"session2","Expiration":1.8e9}}}}
                """#)
        }
        #expect(try scene.identity().get().jwt.token == Self.jwt)
        #expect(scene.script.requests.count == 2)
        #expect(scene.script.requests[1].headers.first("X-Amz-Security-Token") == "session2")
    }

    @Test("a container is asked with its token, and a machine by version 2 of its metadata service")
    func places() throws {
        let container = try Scene([:])
        let token = try container.file("container-token\n")
        let pod = try Scene(
            [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token, "AWS_REGION": "eu-central-1",
            ], [("http://169.254.170.23/v1/credentials", Script.json(Self.given)), identity])
        #expect(try pod.identity().get().jwt.token == Self.jwt)
        #expect(pod.sent[0].message.headers.first("Authorization") == "container-token")
        #expect(pod.sent[0].isForMetadata)
        #expect(pod.sent[1].signature?.keyID == "ASIA1")
        let machine = try Scene(
            ["AWS_REGION": "eu-central-1"],
            [
                ("http://169.254.169.254/latest/api/token", Script.json("imds-token")),
                ("http://169.254.169.254/latest/meta-data/iam/security-credentials/robot", Script.json(Self.given)),
                ("http://169.254.169.254/latest/meta-data/iam/security-credentials/", Script.json("robot\n")), identity,
            ])
        #expect(try machine.identity(from: .aws).get().jwt.token == Self.jwt)
        #expect(machine.sent.map(\.message.method) == ["PUT", "GET", "GET", "POST"])
        #expect(machine.sent[1].message.headers.first("X-aws-ec2-metadata-token") == "imds-token")
        let none = try Scene(["AWS_REGION": "eu-central-1", "AWS_EC2_METADATA_DISABLED": "true"])
        #expect(throws: Failure.self) { try none.identity(from: .aws).get() }
        #expect(none.sent.isEmpty)
    }

    @Test("what answers at a metadata address has five seconds for all requests together")
    func patience() throws {
        let place = "http://169.254.169.254/latest/"
        let scene = try Scene(["AWS_REGION": "eu-central-1"])
        scene.script.latency = 2000
        scene.script.answer = { request in
            #expect(request.maximumTime == Double(5 - 2 * (scene.script.requests.count - 1)))
            switch request.message.url {
            case place + "api/token": return Script.json("imds-token")
            case place + "meta-data/iam/security-credentials/": return Script.json("robot")
            default:
                return .failure(.network(stage: .timeout, message: "no answer in time", requestSent: true))
            }
        }
        let failure = #expect(throws: Failure.self) { try scene.identity(from: .aws).get() }
        #expect(failure?.exit == .unavailable)
        #expect(scene.script.requests.count == 3)
    }

    @Test(
        "STS is asked at the address of its variable, else at that for all services, unless both are to be ignored",
        arguments: [
            (["AWS_ENDPOINT_URL_STS": "https://sts.example/"], "https://sts.example/"),
            (
                ["AWS_ENDPOINT_URL": "https://all.example/", "AWS_ENDPOINT_URL_STS": "https://sts.example/"],
                "https://sts.example/"
            ),
            (["AWS_ENDPOINT_URL": "http://127.0.0.1:4566"], "http://127.0.0.1:4566"),
            (["AWS_ENDPOINT_URL": "https://all.example/", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"], Self.sts),
            (["AWS_ENDPOINT_URL": "http://all.example/"], nil), (["AWS_ENDPOINT_URL_STS": "http://sts.example/"], nil),
        ] as [([String: String], String?)])
    func endpoint(variables: [String: String], url: String?) throws {
        let keys = ["AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-central-1"]
        let answer = identity.1
        let scene = try Scene(keys.merging(variables) { $1 }, [("http", answer)])
        let result = scene.identity(from: .aws)
        if url == nil {
            #expect(#expect(throws: Failure.self) { try result.get() }?.exit == .insecure)
        } else {
            #expect(try result.get().jwt.token == Self.jwt)
        }
        #expect(scene.sent.map(\.message.url) == [url].compactMap(\.self))
    }

    @Test("a region that is none names no other host")
    func region() throws {
        let keys = ["AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret"]
        let scene = try Scene(keys.merging(["AWS_REGION": "evil.example/x?"]) { $1 })
        let failure = try #require(#expect(throws: Failure.self) { try scene.identity(from: .aws).get() })
        #expect(failure.exit == .badInput)
        #expect(scene.sent.isEmpty)
    }

    @Test("what STS refuses is said by its code: this account gives no identities")
    func refused() throws {
        let refusal = #"{"Error":{"Code":"OutboundWebIdentityFederationDisabled","Message":"it is off"}}"#
        let scene = try Scene(
            ["AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-central-1"],
            [(Self.sts, Script.json(refusal, status: 403))])
        let failure = try #require(#expect(throws: Failure.self) { try scene.identity(from: .aws).get() })
        #expect(failure.exit == .loginNeeded)
        #expect(failure.message.contains("OutboundWebIdentityFederationDisabled: it is off"))
    }
}
