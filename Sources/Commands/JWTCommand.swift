internal import CommandSpec
internal import JOSE
internal import OAuth
internal import System
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap jwt`: signs a JWT with the key of a client (RFC 7519, RFC 7515).
enum JWTCommand {
    static let claim = Option(
        "claim", argument: "NAME=TEXT", isRepeatable: true, form: .pair, section: "Request",
        summary: "a claim that is a text")
    static let jsonClaim = Option(
        "claim-json", argument: "NAME=JSON", isRepeatable: true, form: .pair, section: "Request",
        summary: "a claim that is a JSON value")
    static let claims = Option.file("claims-file", section: "Request", summary: "the claims, as a JSON object")
    static let lifetime = Option(
        "expires-in", argument: "SECONDS", form: .number(1...31_536_000), standard: "300", section: "Request",
        summary: "how long the JWT is good")
    static let type = Option("typ", argument: "TYPE", section: "Request", summary: "the typ of its header")
    static let keyHeader = Option(
        "jwk-header", section: "Request", summary: "put the public key into the header, as in a DPoP proof")

    static let members = MemberOption.of(
        "client_key", ClientCredential.passPhrase, "client_key_id", "token_endpoint_auth_signing_alg")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        var claims = JSONObject()
        if let path = arguments.value(Self.claims) {
            let bytes =
                try path == "-"
                ? Input.standardInputBytes(hint: "pipe the claims in") : InputFile.read(path, limit: Input.limit)
            claims = try Input.object(in: bytes, name: path == "-" ? "standard input" : path, exit: .badInput)
        }
        for (name, text) in arguments.pairs(claim) {
            guard !name.isEmpty else { throw .usage("\(claim.name) needs NAME=TEXT") }
            let seconds = ["exp", "nbf", "iat"].contains(name) ? Int(text) : nil
            claims[name] = seconds.map { .integer($0) } ?? .string(text)
        }
        for (name, text) in arguments.pairs(jsonClaim) {
            guard !name.isEmpty, let value = try? JSON(parsing: text) else {
                throw .usage("\(jsonClaim.name) needs NAME=JSON", hint: "for a text: \(claim.name) NAME=TEXT")
            }
            claims[name] = value
        }
        let input = try session.engine.run(
            session.inputs.read(members).with(secrets: ClientCredential.key.members))
        let output = try session.output()
        let signer = try input.signer(for: .authentication(at: "token_endpoint"))
        let now = Clock.now
        let random = try Failure.jose(try SecureRandom.bytes(16))
        let standard: JSONObject = [
            "iat": .integer(now), "exp": .integer(now + (arguments.number(lifetime) ?? 300)),
            "jti": .string(Base64.encodeURL(random)),
        ]
        for member in standard.members where claims[member.name] == nil { claims[member.name] = member.value }
        let jwt = try asFailure(signer.sign(claims, type: arguments.value(type), showsKey: arguments.has(keyHeader)))
        session.diagnostics.redactor.add(jwt)
        return try output.finish(line: jwt)
    }

    static let command = Command(
        "jwt", section: "Set up", summary: "sign a JWT with the key of a client",
        options: [claim, jsonClaim, claims, lifetime, type, keyHeader] + members.map(\.option) + GeneralOption.input
            + [OutputOption.output],
        run: run)
}
