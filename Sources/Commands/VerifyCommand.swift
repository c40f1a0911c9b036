internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap verify`: checks a JWT and prints its claims.
enum VerifyCommand {
    /// The kinds of JWT.
    enum Kind: String, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
        case logoutToken = "logout_token"
        case other = "jwt"

        /// What it is checked as.
        var profile: JWTProfile {
            switch self {
            case .idToken: .idToken
            case .accessToken: .accessToken
            case .logoutToken: .logoutToken
            case .other: .other
            }
        }
    }

    static let type = Option(
        "type", argument: "TYPE", choices: Kind.allCases.map(\.rawValue), standard: "id_token",
        section: "Request", summary: "the kind of JWT that is expected")
    static let audience = Option(
        "audience", argument: "AUDIENCE", otherwise: "client_id; for an access token, resource", section: "Request",
        summary: "whom the JWT must be for")
    static let nonce = Option(
        "nonce", argument: "NONCE", section: "Request", summary: "the nonce that the ID token must have")
    static let keys = Option(
        "jwks-file", argument: "PATH", completes: .files, section: "Input", summary: "the keys of the issuer")

    /// The members that its options set.
    static let members = MemberOption.of(
        "issuer", "client_id", "client_secret", "jwks_uri", "id_token_signed_response_alg")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let kind = arguments.value(type).flatMap(Kind.init(rawValue:)) ?? .idToken
        let (text, input) = try token(of: kind, at: TokenText.Place(arguments), session)
        let output = try session.output()
        var check = try JWTCheck(text, as: kind.profile, of: input, session: session)
        (check.audience, check.nonce) = (arguments.value(audience), arguments.value(nonce))
        return try output.finish(try check.claims(keysFile: arguments.value(keys)))
    }

    /// The JWT, and the document that says what to expect.
    private static func token(
        of kind: Kind, at place: TokenText.Place, _ session: Session
    ) throws(Failure) -> (String, Input) {
        switch try TokenText.read(session, at: place, members) {
        case .jwt(let text):
            let profile = try session.inputs.settings.name.map { (name) throws(Failure) in
                try session.inputs.profiles.read(name)
            }
            return (text, try session.inputs.input(members, members: [:], profile: profile))
        case .document(let input):
            let name = kind.rawValue
            let text: String? =
                switch kind {
                case .idToken: try lift(try input.document.string(name))
                case .accessToken: try session.engine.run(input.with(secrets: [name])).secret(name)
                case .logoutToken, .other: nil
                }
            guard let text else {
                guard kind == .idToken || kind == .accessToken else {
                    throw .usage(
                        "a document holds no \(name)", hint: "pass the JWT itself, or name its file: --jwt-file")
                }
                throw Failure(input.document.missing(name))
            }
            session.diagnostics.redactor.add(text)
            return (text, input)
        }
    }

    /// The command.
    static let command = Command(
        "verify", section: "Step by step", summary: "check a JWT and print its claims",
        manual: Manual.verify, operands: [TokenText.operand],
        options: [type, audience, nonce, keys, TokenText.file] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.allAndStrict + GeneralOption.server,
        rules: TokenText.rules + [
            .apart(
                [nonce],
                from: .option(type, values: Kind.allCases.filter { $0 != .idToken }.map(\.rawValue)))
        ],
        seeAlso: [
            ManualReference("oap-inspect", 1), ManualReference("oap-introspect", 1), ManualReference("oap-userinfo", 1),
        ], writesErrorDocuments: false, run: run)
}
