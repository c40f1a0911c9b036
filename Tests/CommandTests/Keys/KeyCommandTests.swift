import Foundation
import TestSupport
import Testing
import Wire

@Suite("oap jwk and oap jwt, as a process")
struct KeyCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(
        "a new key has the members of its algorithm, and its thumbprint as kid",
        arguments: ["RS256", "PS256", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"])
    func new(algorithm: String) throws {
        let key = try Program.oap(["jwk", "new", "--alg", algorithm]).run().expect(status: 0).object()
        #expect(key["alg"] == .string(algorithm) && key["d"] != nil && key["use"] == "sig")
        let thumbprint = try Program.oap(["jwk", "thumbprint"], input: key.input).run().expect(status: 0).text
        #expect(key["kid"]?.string.map { $0 + "\n" } == thumbprint)
        let own = try Program.oap(["jwk", "public"], input: key.input).run().expect(status: 0).object()
        let hidden: Set = ["d", "p", "q", "dp", "dq", "qi"]
        #expect(own == JSONObject(unique: key.members.filter { !hidden.contains($0.name) }))
        let again = try Program.oap(["jwk", "public"], input: own.input).run().expect(status: 0).object()
        #expect(again == own)
        guard algorithm.hasSuffix("256") else { return }
        let file = try folder.write(JSON.object(own).text, to: "public")
        let judge = try Program(path: "/usr/bin/jose", arguments: ["jwk", "thp", "-i", file]).run().expect(status: 0)
        #expect(judge.text.trimmingCharacters(in: .newlines) + "\n" == thumbprint)
    }

    @Test("AU-08 a JWT for an assertion grant is taken with either audience, and is not the one of the client")
    func assertionGrant() throws {
        let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        let script = """
            set -e
            oap jwk new -o key
            oap jwk public --set < key > set
            jq '{client_id: "sa", token_endpoint_auth_method: "private_key_jwt", grant_types: ["\(grant)"],
                jwks: ., scope: "repo"}' set > sa.json
            oap-sandbox --client sa.json --run bash -ec '
                url="$(jq -r .issuer "$OAP_SANDBOX_FILE")"
                for audience in "$url" "$url/token"; do
                    oap jwt -n --client-key-file key --claim iss=sa --claim sub=sa --claim "aud=$audience" \
                        --expires-in 60 -o jwt; chmod 600 jwt
                    oap exchange -n --grant jwt-bearer --assertion-file jwt --token-endpoint "$url/token" \
                        --scope repo --jq .token_type
                    rm jwt
                done'
            """
        var program = Program.shell(script)
        program.directory = folder.path
        let result = try program.run().expect(status: 0)
        #expect(result.text == "\"Bearer\"\n\"Bearer\"\n", "\(result)")
        let server = try Responder { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
        let jwt = try folder.write("an.assertion.x", to: "assertion")
        chmod(jwt, 0o600)
        let client: JSONObject = [
            "client_id": "c", "issuer": .string(server.url()), "token_endpoint": .string(server.url("/token")),
            "client_key_file": .string(folder.path("key")), "assertion_file": .string(jwt),
        ]
        try Program.oap(["exchange", "--grant", "jwt-bearer"], input: client.input).run().expect(status: 0)
        let form = try FormEncoding.parse(server.requests[0].bodyText)
        let value = { (name: String) in form.first { $0.name == name }?.value }
        #expect(value("assertion") == "an.assertion.x" && value("client_assertion")?.hasPrefix("eyJ") == true)
    }

    @Test("a proof of oap jwt gets a token from the token endpoint that is bound to its key")
    func proof() throws {
        let client = #"{"client_id":"c","client_secret":"s","grant_types":["client_credentials"],"scope":"repo"}"#
        try folder.write(client, to: "client.json")
        let script = """
            set -e
            oap jwk new -o key
            oap-sandbox --client client.json --jwt-access-tokens --run bash -ec '
                url="$(jq -r .issuer "$OAP_SANDBOX_FILE")/token"
                proof="$(oap jwt -n --client-key-file key --typ dpop+jwt --jwk-header --claim htm=POST \\
                    --claim "htu=$url")"
                curl -sS -u c:s -H "DPoP: $proof" -d grant_type=client_credentials "$url" |
                    oap inspect --jq ".bound_to.jkt" -r'
            oap jwk thumbprint key
            """
        var program = Program.shell(script)
        program.directory = folder.path
        let lines = try program.run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == lines.last)
    }

    @Test("jose verifies a JWT, which has the claims of options and files, and the times")
    func jwt() throws {
        let key = folder.path("key")
        try Program.oap(["jwk", "new", "-o", key]).run().expect(status: 0)
        let claims = try folder.write(#"{"iss":"file","n":9007199254740993,"list":["a"]}"#, to: "claims")
        let sign = ["jwt", "-n", "--client-key-file", key, "--claims-file", claims, "--claim", "iss=app=1"]
        let jwt = try Program.oap(sign + ["--expires-in", "60", "--typ", "x+jwt"]).run().expect(status: 0).text
        let file = try folder.write(jwt.trimmingCharacters(in: .newlines), to: "jwt")
        let verified = try Program(
            path: "/usr/bin/jose", arguments: ["jws", "ver", "-i", file, "-k", key, "-O-"]
        ).run().expect(status: 0)
        let payload = try #require(try JSON(parsing: verified.text).object)
        #expect(payload["iss"] == "app=1" && payload["list"] == .array(["a"]) && payload["jti"] != nil)
        #expect(verified.text.contains("9007199254740993"))
        let (issued, end) = (payload["iat"]?.integer ?? 0, payload["exp"]?.integer ?? 0)
        #expect(end - issued == 60 && abs(Date().timeIntervalSince1970 - Double(issued)) < 60)
        let header = try Program.oap(["inspect", "--raw", "-q", ".header"], input: .text(jwt)).run().object()
        #expect(header["typ"] == "x+jwt" && header["alg"] == "ES256" && header["kid"] != nil)
    }

    @Test("a certificate beside the key is named in the header, and a service account's file is a key")
    func otherFiles() throws {
        let openssl = "/usr/bin/openssl"
        let (key, certificate) = (folder.path("rsa.pem"), folder.path("cert.pem"))
        let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
        try Program(path: openssl, arguments: request + ["-subj", "/CN=x"]).run().expect(status: 0)
        let both = try folder.write(folder.read("cert.pem") + folder.read("rsa.pem"), to: "both.pem")
        chmod(both, 0o600)
        let digest = try Program(
            path: openssl, arguments: ["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"]
        ).run().text
        let digits = digest.split(separator: "=").last?.filter(\.isHexDigit) ?? ""
        func header(_ file: String) throws -> JSONObject {
            let jwt = try Program.oap(["jwt", "-n", "--client-key-file", file]).run().expect(status: 0)
            return try Program.oap(["inspect", "--raw", "-q", ".header"], input: .text(jwt.text)).run().object()
        }
        let thumbprint = try #require(header(both)["x5t#S256"]?.string.flatMap { Base64.decodeURL($0) })
        #expect(thumbprint.map { String(format: "%02X", $0) }.joined() == digits)
        let account: JSONObject = [
            "type": "service_account", "private_key_id": "abc", "private_key": .string(try folder.read("rsa.pem")),
        ]
        let file = try folder.write(JSON.object(account).text, to: "account.json")
        chmod(file, 0o600)
        let own = try header(file)
        #expect(own["kid"] == "abc" && own["alg"] == "RS256" && own["x5t#S256"] == nil)
    }
}
