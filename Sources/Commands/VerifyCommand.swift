internal import CommandSpec
internal import Errands
internal import JOSE
internal import OAuth
internal import Shell
internal import Tokens
internal import Sessions

/// `oap verify`: checks a JWT and prints its claims.
enum VerifyCommand {
    private static let idToken = (name: "id_token", profile: JWTProfile.idToken)
    private static let accessToken = (name: "access_token", profile: JWTProfile.accessToken)
    private static let kinds = [idToken, accessToken, ("logout_token", .logoutToken), ("jwt", .other)]

    static let type = Option(
        "type", argument: "TYPE", choices: kinds.map(\.name), standard: idToken.name,
        section: "Request", summary: "the kind of JWT that is expected")
    static let audience = Option(
        "audience", argument: "AUDIENCE", otherwise: "client_id; for an access token, resource", section: "Request",
        summary: "whom the JWT must be for")
    static let nonce = Option(
        "nonce", argument: "NONCE", section: "Request", summary: "the nonce that the ID token must have")
    static let keys = Option.file(
        "jwks-file", argument: "PATH", section: "Input", summary: "the keys of the issuer, or one key")

    static let members = MemberOption.of(
        "issuer", "client_id", ClientCredential.secret.member, "jwks_uri", "id_token_signed_response_alg")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let kind = kinds.first { $0.name == arguments.value(type) } ?? idToken
        let (named, nonce) = (arguments.value(audience), arguments.value(Self.nonce))
        let (text, input) = try token(of: kind.profile, named: kind.name, session)
        let output = try session.output()
        let token = try token(in: try opened(text, as: kind.profile, input, session), as: kind.profile)
        let expected = try expectation(of: token.profile, named, nonce: nonce, input, session)
        let known = try arguments.value(keys).map { (path) throws(Failure) in try keySet(in: path) }
        let check = JWTCheck(expected, of: input, over: session.transport, keys: known)
        return try output.finish(try asFailure(fault: session.engine.run(check.claims(of: token))))
    }

    /// What the JWT is checked against.
    ///
    /// - Throws: exit 2 or 3 where that is not known.
    private static func expectation(
        of profile: JWTProfile, _ named: String?, nonce: String?, _ input: Input, _ session: Session
    ) throws(Failure) -> JWTExpectation {
        var document = input.document
        var other = named
        if profile.isOfIDTokens {
            other = nil
        } else if named == nil {
            let resources = try asFailure(document.strings("resource"))
            guard profile == .accessToken, resources.count == 1 else {
                throw .usage("the expected audience of the JWT is not known", hint: "use --audience")
            }
            other = resources[0]
        }
        if named != nil || profile == .idToken { document.hintsForMissing.append(("client_id", hintForClient)) }
        var expected = try asFailure(JWTExpectation(for: profile, of: document, audience: other))
        if let named, !named.isIdentical(to: expected.audience) {
            throw .usage(
                "--audience differs from the client_id, which is the audience of an ID token or a logout token",
                hint: "\(typeHint); \(otherHint)")
        }
        guard profile == .idToken else { return expected }
        if let nonce { expected.occasion = .codeFlow(nonce: nonce) }
        expected.accessToken = try session.engine.run(input.with(secrets: ["access_token"])).secret("access_token")
        return expected
    }

    private static func keySet(in path: String) throws(Failure) -> KeySet {
        let bytes = try InputFile.read(path, limit: ServerRequest.limit)
        let text = String(validating: bytes, as: UTF8.self) ?? ""
        if text.contains("PRIVATE KEY-----") {
            throw Failure(
                .badInput, .usage, "\(path) has a private key in PEM, and a JWT is checked with a public one",
                hint: "oap jwk public < \(path.shellWord) prints the public half")
        }
        let key = try JWKCommand.reading(path) { () throws(JOSEError) in try PublicKeyText.key(in: text) }
        let hint = "it must be a JWK Set, a JSON Web Key, a public key or a certificate"
        let members = if let key { key } else { try Input.object(in: bytes, name: path, exit: .badInput, hint: hint) }
        do throws(OAuthError) {
            return try KeySet(reading: members)
        } catch {
            throw Failure(.badInput, .usage, "\(path): \(error.message)")
        }
    }

    /// The JWT in one that is encrypted for the client's key.
    ///
    /// - Throws: exit 9 for one that the key does not open; exit 2, 3 or 11 for a key that cannot be used.
    private static func opened(
        _ text: String, as profile: JWTProfile, _ input: Input, _ session: Session
    ) throws(Failure) -> String {
        guard JSONWebEncryption.isOne(text) else { return text }
        let input = try session.engine.run(input.with(secrets: ClientCredential.key.members))
        let decryption = try input.decryption(for: profile)
        return try asFailure(decryption.opened(text))
    }

    /// Takes the JWT apart.
    ///
    /// - Throws: exit 9 for one that is malformed, encrypted, or of another kind by its header.
    private static func token(in text: String, as profile: JWTProfile) throws(Failure) -> JSONWebToken {
        do throws(OAuthError) {
            return try JSONWebToken(parsing: text, as: profile)
        } catch {
            var error = error
            if profile == .accessToken, !text.utf8.contains(UInt8(ascii: ".")) {
                error.hint = """
                    many servers issue access tokens that are not JWTs: ask the server about the token with oap \
                    introspect
                    """
            }
            if error.member == "typ" {
                error.hint = profile == .accessToken ? otherHint : "\(typeHint); \(otherHint)"
            }
            throw Failure(error)
        }
    }

    private static let typeHint = "to check an access token: \(type.name) \(accessToken.name)"
    private static let otherHint = "for a JWT of a CI job, or of another kind: \(type.name) jwt"
    private static let hintForClient = "the client of an ID token: \(Member.option(for: "client_id")) ID; \(otherHint)"

    /// The JWT, and the document that says what to expect.
    private static func token(
        of kind: JWTProfile, named name: String, _ session: Session
    ) throws(Failure) -> (String, Input) {
        try session.refuseWaitingToken(orElse: "\(GeneralOption.jwtFile.name) -")
        switch try TokenText.read(session, members) {
        case .jwt(let text):
            let profile = try session.inputs.settings.name.map { (name) throws(Failure) in
                try session.inputs.profiles.read(name)
            }
            return (text, try session.inputs.input(members, members: [:], profile: profile))
        case .url:
            throw Failure(.badInput, .parse, "a URL is not a JWT", hint: "oap inspect shows the parameters of a URL")
        case .pem: throw Failure(.badInput, .parse, "PEM is not a JWT", hint: "keys of the issuer: \(keys.name)")
        case .document(let input):
            let text: String? =
                switch kind {
                case .idToken: try asFailure(input.document.string(name))
                case .accessToken: try session.engine.run(input.with(secrets: [name])).secret(name)
                default: nil
                }
            guard let text else {
                guard kind == .idToken || kind == .accessToken else {
                    throw .usage(
                        "a document holds no \(name)", hint: "pass the JWT itself, or name its file: --jwt-file")
                }
                let failure = Failure(input.document.missing(name))
                throw kind == .idToken && input.names("access_token") ? failure.adding(hint: typeHint) : failure
            }
            session.diagnostics.redactor.add(text)
            return (text, input)
        }
    }

    static let command = Command(
        "verify", section: "Step by step", summary: "check a JWT and print its claims",
        operands: [TokenText.operand],
        options: [type, audience, nonce, keys, GeneralOption.jwtFile] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.allAndStrict + GeneralOption.server,
        rules: TokenText.rules + [
            .apart([nonce], from: .option(type, values: kinds.dropFirst().map(\.name)))
        ], refused: ForeignNames.options("verify"), writesErrorDocuments: false, run: run)
}
